//! Connect Four by this engine and by the crates `minimax` 0.6 and `board-game` 0.8, on one thread:
//! the same rules, the same trees, in turn, the best of several runs each. README.md beside this
//! file has the figures.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use board_game::ai::mcts::mcts_build_tree;
use board_game::ai::minimax::{Heuristic, minimax_value};
use board_game::ai::solver::{SolverHeuristic, SolverValue};
use board_game::games::connect4::Connect4;
use connect_four::{Centre, ConnectFour, Drop, Nothing, Uniform};
use engine_core::players::{Resources, player};
use engine_core::{Algorithm, Evaluator, Limits, Position, Settings, TreeSettings};
use minimax::Strategy;
use rand::SeedableRng;

const RUNS: u32 = 7;

/// The rules above in the words of `minimax`: a copy of two words is cheaper for it than taking back.
#[derive(Clone, Copy)]
struct Theirs;

impl minimax::Game for Theirs {
    type S = ConnectFour;
    type M = Drop;

    fn generate_moves(state: &ConnectFour, moves: &mut Vec<Drop>) -> Option<minimax::Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            state.generate(0, moves);
        }
        winner
    }

    fn apply(state: &mut ConnectFour, mv: Drop) -> Option<ConnectFour> {
        let mut next = *state;
        next.drop(mv.0);
        Some(next)
    }

    fn get_winner(state: &ConnectFour) -> Option<minimax::Winner> {
        if state.is_won() {
            Some(minimax::Winner::PlayerJustMoved)
        } else {
            state.is_full().then_some(minimax::Winner::Draw)
        }
    }

    fn zobrist_hash(state: &ConnectFour) -> u64 {
        state.key()
    }
}

/// The knowledge of [`Nothing`] for `minimax`.
#[derive(Clone, Copy)]
struct TheirNothing;

impl minimax::Evaluator for TheirNothing {
    type G = Theirs;

    fn evaluate(&self, _: &ConnectFour) -> minimax::Evaluation {
        0
    }
}

/// The knowledge of [`Centre`] for `minimax`.
#[derive(Clone, Copy)]
struct TheirCentre;

impl minimax::Evaluator for TheirCentre {
    type G = Theirs;

    fn evaluate(&self, position: &ConnectFour) -> minimax::Evaluation {
        Centre::points(position) as minimax::Evaluation
    }
}

static CALLS: AtomicU64 = AtomicU64::new(0);

/// The solver's heuristic, counting the nodes it is asked about.
#[derive(Debug)]
struct Counting;

impl Heuristic<Connect4> for Counting {
    type V = SolverValue;

    fn value(&self, board: &Connect4, length: u32) -> SolverValue {
        CALLS.fetch_add(1, Ordering::Relaxed);
        SolverHeuristic.value(board, length)
    }

    fn merge(old: SolverValue, new: SolverValue) -> (SolverValue, std::cmp::Ordering) {
        <SolverHeuristic as Heuristic<Connect4>>::merge(old, new)
    }
}

/// A search by this engine: nodes or playouts, and time.
fn ours<E: Evaluator<ConnectFour> + Default + 'static>(
    name: &str,
    limits: Limits,
    threads: usize,
) -> (u64, Duration) {
    let settings = Settings {
        tree: TreeSettings {
            expand_after: 1,
            ..TreeSettings::default()
        },
        ..Settings::default()
    };
    let resources = Resources {
        table_mb: 64,
        threads,
        seed: 1,
    };
    let algorithm = Algorithm::find(name).expect("the name is in the table");
    let made = player(algorithm, E::default, || Uniform, &settings, resources);
    let mut search = made.expect("there are 64 MiB");
    search.new_game();
    let begin = Instant::now();
    let report = search.search(&ConnectFour::default(), &limits, &mut |_| {});
    (report.nodes, begin.elapsed())
}

/// The shortest of the times of each contender, all taking turns.
fn race<const N: usize>(mut contenders: [&mut dyn FnMut() -> Duration; N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..RUNS {
        for (best, run) in best.iter_mut().zip(&mut contenders) {
            *best = (*best).min(run());
        }
    }
    best
}

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let begin = Instant::now();
    black_box(run());
    begin.elapsed()
}

fn per_second(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

/// Alpha-beta in the order of the columns, without a table and without knowledge.
fn alpha_beta(depth: u32) {
    minimax_value(&Connect4::default(), &Counting, depth);
    let theirs = CALLS.swap(0, Ordering::Relaxed);
    let run = |depth| ours::<Nothing>("alphabeta-plain", Limits::depth(depth), 1);
    let nodes = run(depth).0;
    // Both others search the tree of the last iteration alone.
    let last = nodes - run(depth - 1).0;
    let times = race([
        &mut || run(depth).1,
        &mut || timed(|| minimax_value(&Connect4::default(), &SolverHeuristic, depth)),
        &mut || {
            let mut search = minimax::Negamax::new(TheirNothing, depth as u8);
            timed(|| search.choose_move(&ConnectFour::default()))
        },
    ]);
    println!("alpha-beta to depth {depth}: {last} nodes, board-game {theirs}");
    // The tree of `minimax` is ours: the same moves, order and windows.
    let rates = [(nodes, times[0]), (theirs, times[1]), (last, times[2])];
    print_rates(
        "nodes/s",
        rates.map(|(nodes, time)| per_second(nodes, time)),
    );
}

/// Iterative deepening with a table of 64 MiB.
fn deepening(depth: u32) {
    let times = race([
        &mut || ours::<Centre>("pvs", Limits::depth(depth), 1).1,
        &mut || {
            let options = minimax::IterativeOptions::new().with_table_byte_size(64 << 20);
            let mut search = minimax::IterativeSearch::new(TheirCentre, options);
            search.set_max_depth(depth as u8);
            timed(|| search.choose_move(&ConnectFour::default()))
        },
        &mut || ours::<Centre>("pvs", Limits::depth(depth), 2).1,
    ]);
    let [ours, theirs, two] = times.map(|time| time.as_secs_f64());
    println!("iterative deepening to depth {depth}");
    println!(
        "  seconds: this engine {ours:.3}, minimax {theirs:.3}; {:.2} of it",
        ours / theirs
    );
    println!("  two threads {two:.3}, {:.2} of one", two / ours);
}

/// Monte-Carlo tree search: one random playout for every iteration, a node expanded at each.
fn monte_carlo(iterations: u64) {
    let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
    let times = race([
        &mut || ours::<Nothing>("uct", Limits::nodes(iterations), 1).1,
        &mut || timed(|| mcts_build_tree(&Connect4::default(), iterations, 0.7, &mut rng)),
        &mut || {
            let options = minimax::MCTSOptions::default().with_num_threads(1);
            let mut search = minimax::MonteCarloTreeSearch::<Theirs>::new(options);
            search.set_max_rollouts(iterations as u32);
            timed(|| search.choose_move(&ConnectFour::default()))
        },
        &mut || ours::<Nothing>("uct", Limits::nodes(iterations), 2).1,
    ]);
    println!("Monte-Carlo tree search, {iterations} iterations");
    print_rates(
        "iterations/s",
        [0, 1, 2].map(|i| per_second(iterations, times[i])),
    );
    let ratio = times[0].as_secs_f64() / times[3].as_secs_f64();
    println!("  two threads {ratio:.2} times one");
}

fn print_rates(unit: &str, [ours, board_game, minimax]: [f64; 3]) {
    println!(
        "  {unit}: this engine {:.0}, board-game {:.0}, minimax {:.0}; {:.2} times the faster",
        ours,
        board_game,
        minimax,
        ours / board_game.max(minimax)
    );
}

fn main() {
    alpha_beta(12);
    deepening(14);
    monte_carlo(200_000);
}

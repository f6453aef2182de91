//! Connect Four by this engine and by the crates `minimax` 0.6 and `board-game` 0.8, taking turns.
//! README.md beside this file has the figures.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use board_game::ai::mcts::mcts_build_tree;
use board_game::ai::minimax::{Heuristic, minimax_value};
use board_game::ai::solver::{SolverHeuristic, SolverValue};
use board_game::games::connect4::Connect4;
use connect_four::{Centre, ConnectFour, Drop, Nothing, Uniform};
use engine_core::players::{Resources, player};
use engine_core::proof::dfpn::Dfpn;
use engine_core::{Algorithm, Evaluator, Limits, Position, Search, Settings, TreeSettings};
use minimax::Strategy;
use rand::SeedableRng;
use textbook::plain::alpha_beta;

const RUNS: u32 = 15;

/// The rules above in the words of `minimax`: a copy of two words is cheaper for it than taking back.
/// It counts no nodes; to count them costs time.
#[derive(Clone, Copy)]
struct Theirs<const COUNTS: bool>;

impl<const COUNTS: bool> minimax::Game for Theirs<COUNTS> {
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
        if COUNTS {
            CALLS.fetch_add(1, Ordering::Relaxed);
        }
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
struct TheirNothing<const COUNTS: bool>;

impl<const COUNTS: bool> minimax::Evaluator for TheirNothing<COUNTS> {
    type G = Theirs<COUNTS>;

    fn evaluate(&self, _: &ConnectFour) -> minimax::Evaluation {
        0
    }
}

/// The knowledge of [`Centre`] for `minimax`.
#[derive(Clone, Copy)]
struct TheirCentre;

impl minimax::Evaluator for TheirCentre {
    type G = Theirs<false>;

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

/// A player of this engine, as it lives through a game.
fn ours<E: Evaluator<ConnectFour> + Default + 'static>(
    name: &str,
    threads: usize,
    seed: u64,
) -> Box<dyn Search<ConnectFour>> {
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
        seed,
    };
    let algorithm = Algorithm::find(name).expect("the name is in the table");
    let dfpn = |bytes| Some(Box::new(Dfpn::new(bytes)?) as _);
    player(
        algorithm,
        E::default,
        || Uniform,
        dfpn,
        &settings,
        resources,
    )
    .expect("there are 64 MiB")
}

/// The time of a search that knows nothing of those before it.
fn search(player: &mut dyn Search<ConnectFour>, limits: Limits) -> Duration {
    player.new_game();
    timed(|| player.search(&ConnectFour::default(), &limits, &mut |_| {}))
}

/// Which of several times counts.
type Of = fn(&[Duration]) -> Duration;

/// The shortest time: of searches that are the same every time.
fn shortest(times: &[Duration]) -> Duration {
    times.iter().min().copied().unwrap_or_default()
}

/// The mean time: of searches that differ from run to run.
fn mean(times: &[Duration]) -> Duration {
    times.iter().sum::<Duration>() / times.len().max(1) as u32
}

/// The times of the contenders, all taking turns.
fn race<const N: usize>(
    runs: u32,
    of: Of,
    mut contenders: [&mut dyn FnMut() -> Duration; N],
) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..runs {
        for (times, run) in times.iter_mut().zip(&mut contenders) {
            times.push(run());
        }
    }
    times.map(|times| of(&times))
}

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let begin = Instant::now();
    black_box(run());
    begin.elapsed()
}

fn per_second(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

/// Alpha-beta in the order of the columns, without a table and without knowledge. `minimax` shuffles
/// the moves of the root, so that its trees differ in size: it is judged by their mean, and so are
/// the others.
fn plain(depth: u32) {
    const SHUFFLES: u32 = 60;
    let ours = || alpha_beta(&ConnectFour::default(), &mut Nothing, depth);
    let (_, nodes) = ours();
    minimax_value(&Connect4::default(), &Counting, depth);
    let of_board_game = CALLS.swap(0, Ordering::Relaxed);
    for _ in 0..SHUFFLES {
        minimax::Negamax::new(TheirNothing::<true>, depth as u8)
            .choose_move(&ConnectFour::default());
    }
    let of_minimax = CALLS.swap(0, Ordering::Relaxed) / SHUFFLES as u64;
    let times = race(
        SHUFFLES,
        mean,
        [
            &mut || timed(ours),
            &mut || timed(|| minimax_value(&Connect4::default(), &SolverHeuristic, depth)),
            &mut || {
                let mut search = minimax::Negamax::new(TheirNothing::<false>, depth as u8);
                timed(|| search.choose_move(&ConnectFour::default()))
            },
        ],
    );
    println!(
        "alpha-beta to depth {depth}: {nodes} nodes, board-game {of_board_game}, \
         minimax {of_minimax} on average"
    );
    let rates = [nodes, of_board_game, of_minimax];
    print_rates("nodes/s", [0, 1, 2].map(|i| per_second(rates[i], times[i])));
}

/// Iterative deepening with a table of 64 MiB.
fn deepening(depth: u32) {
    let mut pvs = ours::<Centre>("pvs", 1, 1);
    let times = race(
        RUNS,
        shortest,
        [&mut || search(&mut *pvs, Limits::depth(depth)), &mut || {
            let options = minimax::IterativeOptions::new().with_table_byte_size(64 << 20);
            let mut search = minimax::IterativeSearch::new(TheirCentre, options);
            search.set_max_depth(depth as u8);
            timed(|| search.choose_move(&ConnectFour::default()))
        }],
    );
    let [ours, theirs] = times.map(|time| time.as_secs_f64());
    println!("iterative deepening to depth {depth}");
    println!(
        "  seconds: this engine {ours:.3}, minimax {theirs:.3}; {:.2} of it",
        ours / theirs
    );
}

/// The time that two threads take to a depth, and one.
fn two_threads(depth: u32) {
    let [mut one, mut two] = [1, 2].map(|threads| ours::<Centre>("pvs", threads, 1));
    let times = race(
        RUNS,
        shortest,
        [&mut || search(&mut *one, Limits::depth(depth)), &mut || {
            search(&mut *two, Limits::depth(depth))
        }],
    );
    let [one, two] = times.map(|time| time.as_secs_f64());
    println!("iterative deepening to depth {depth}");
    println!(
        "  seconds: one thread {one:.3}, two {two:.3}; {:.2} of it",
        two / one
    );
}

/// Monte-Carlo tree search: one random playout for every iteration, a node expanded at each. Deeper
/// trees take longer, and their depth depends on the seed. The mean of many trees counts, for every
/// contender.
fn monte_carlo(iterations: u64) {
    const TREES: u32 = 60;
    let grow = |threads, seed: &mut u64| {
        *seed += 1;
        let mut player = ours::<Nothing>("uct", threads, *seed);
        search(&mut *player, Limits::nodes(iterations))
    };
    let [mut of_one, mut of_two] = [0; 2];
    let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
    let times = race(
        TREES,
        mean,
        [
            &mut || grow(1, &mut of_one),
            &mut || timed(|| mcts_build_tree(&Connect4::default(), iterations, 0.7, &mut rng)),
            &mut || {
                let options = minimax::MCTSOptions::default().with_num_threads(1);
                let mut search = minimax::MonteCarloTreeSearch::<Theirs<false>>::new(options);
                search.set_max_rollouts(iterations as u32);
                timed(|| search.choose_move(&ConnectFour::default()))
            },
            &mut || grow(2, &mut of_two),
        ],
    );
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
    plain(12);
    deepening(14);
    two_threads(19);
    monte_carlo(200_000);
}

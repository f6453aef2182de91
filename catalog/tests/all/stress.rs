//! Random searches with every algorithm on several threads.
//!
//! `STRESS_CASES` is their number, 20 by default. A failure prints the seed of its case;
//! `STRESS_SEED`, 1 by default, is the first seed.

use std::time::Duration;

use engine_core::search::deepening::MAX_DEPTH;
use engine_core::{Algorithm, Limits, Named, Report, Resources, Rng, Search};
use game::{Game, Searched};

/// One random case per game.
const CASES: &[fn(&mut Rng)] = &[
    check::<amazons::Amazons>,
    check::<connect6::Connect6>,
    check::<dots_and_boxes::DotsAndBoxes>,
    check::<einstein::Einstein>,
    check::<gomoku::Gomoku>,
    check::<hex::Hex>,
    check::<surakarta::Surakarta>,
    check::<tic_tac_toe::TicTacToe>,
];

/// A number from an environment variable.
fn setting(name: &str, default: u64) -> u64 {
    let read = |text: String| text.parse().unwrap_or_else(|_| panic!("{name}={text}?"));
    std::env::var(name).map_or(default, read)
}

/// Prints how to repeat a case that panics.
struct Case(u64);

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("run it again with STRESS_SEED={}", self.0);
        }
    }
}

#[test]
fn random_searches_keep_their_contracts() {
    assert_eq!(CASES.len(), catalog::GAMES.len(), "CASES has every game");
    let first = setting("STRESS_SEED", 1);
    for seed in first..first + setting("STRESS_CASES", 20) {
        let case = Case(seed);
        let mut rng = Rng::new(seed);
        pick(CASES, &mut rng)(&mut rng);
        drop(case);
    }
}

fn pick<'a, T>(items: &'a [T], rng: &mut Rng) -> &'a T {
    &items[rng.below(items.len() as u32) as usize]
}

/// Searches some positions of a game with a random player.
fn check<G: Searched>(rng: &mut Rng) {
    let fitting = |known: &&Named| known.algorithm.fits::<G>().is_ok();
    let known: Vec<_> = Algorithm::ALL.iter().filter(fitting).collect();
    let Named {
        name, algorithm, ..
    } = **pick(&known, rng);
    let resources = Resources {
        table_mb: *pick(&[0, 0, 1, 8], rng),
        threads: *pick(&[1, 1, 2, 3, 4], rng),
        seed: rng.next_u64(),
    };
    let mut settings = G::settings();
    let algorithm = settings.resolve(algorithm);
    if rng.below(2) == 0 {
        settings.candidate_limit = None;
    }
    let mut position = typical::<G>(rng);
    let player = position.player(algorithm, &settings, resources);
    let mut player = player.expect("there is memory for a small table");
    if resources.threads == 1 {
        let few_or_many = *pick(&[3, 1500], rng);
        let nodes = rng.below(few_or_many).into();
        let context = format!(
            "{name}, {nodes} nodes, {resources:?}, {}",
            describe(&position)
        );
        check_repetition(&mut *player, &position, algorithm, nodes, &context);
    }
    for _ in 0..1 + rng.below(4) {
        let limits = limits(rng);
        let context = format!("{name}, {resources:?}, {limits:?}, {}", describe(&position));
        let report = search(&mut *player, &position, &limits, rng);
        check_line(&position, &report, &context);
        play_some(&mut position, rng);
    }
}

fn describe<G: Game>(position: &G) -> String {
    format!("{} {}", G::ID, position.write_position())
}

/// One of the game's typical positions, or one soon after it, which may be finished or at a roll.
fn typical<G: Searched>(rng: &mut Rng) -> G {
    let all: Vec<_> = game::standard::positions(G::STANDARD.text).collect();
    let (_, _, text) = pick(&all, rng);
    let start = G::start(&G::Variant::default()).expect("the contest's variant is one");
    let mut position = start.parse_position(text).expect("the position is one");
    if rng.below(2) == 0 {
        play_some(&mut position, rng);
    }
    position
}

/// Plays up to three random actions, rolls included.
fn play_some<G: Game>(position: &mut G, rng: &mut Rng) {
    for _ in 0..rng.below(4) {
        if position.outcome().is_some() {
            return;
        }
        if position.is_chance() {
            let mut rolls = Vec::new();
            position.rolls(&mut rolls);
            position.play_roll(pick(&rolls, rng).0);
        } else {
            position.play(*pick(&position.legal_moves(), rng));
        }
    }
}

/// Random limits of a few milliseconds, or only the stop flag.
fn limits(rng: &mut Rng) -> Limits {
    let mut limits = Limits::default();
    let mut with = |one_in: u32, bound: u32| (rng.below(one_in) == 0).then(|| rng.below(bound));
    limits.nodes = with(2, 3000).map(u64::from);
    limits.depth = with(3, 6).map(|depth| 1 + depth);
    let time = |micros: u32| Duration::from_micros(micros.into());
    limits.soft = with(4, 5_000).map(time);
    limits.hard = with(3, 8_000).map(time);
    limits
}

/// Searches while another thread stops it after a while.
fn search<G: Game>(
    player: &mut dyn Search<G>,
    position: &G,
    limits: &Limits,
    rng: &mut Rng,
) -> Report<G::Move> {
    let patience = Duration::from_micros(rng.below(8_000).into());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(patience);
            limits.stop.stop();
        });
        player.search(position, limits, &mut |_| {})
    })
}

/// There is a best move if a side is to move, and the whole PV is legal.
fn check_line<G: Game>(position: &G, report: &Report<G::Move>, context: &str) {
    let acts = position.outcome().is_none() && !position.is_chance();
    assert_eq!(acts, !report.pv.is_empty(), "{context}: {report:?}");
    let mut position = position.clone();
    for &mv in &report.pv {
        assert!(position.is_legal(mv), "{context}: {mv:?} of {report:?}");
        position.play(mv);
    }
}

/// Depth-first search stops exactly at its node limit, unless it finds a proof, and no tree search
/// exceeds it. Monte-Carlo search plays at least one playout, whatever the limit.
fn check_nodes<G: Game>(algorithm: Algorithm, nodes: u64, report: &Report<G::Move>, context: &str) {
    if matches!(algorithm, Algorithm::Greedy | Algorithm::Random) {
        return;
    }
    let deepens = algorithm.deepens();
    let limit = if deepens { nodes } else { nodes.max(1) };
    assert!(report.nodes <= limit, "{context}: {report:?}");
    let ended = report.solved || report.score.is_some_and(|score| score.is_proven());
    if deepens && !ended && !report.pv.is_empty() && report.depth < MAX_DEPTH {
        assert_eq!(report.nodes, limit, "{context}: {report:?}");
    }
}

/// One thread, one seed and a node limit give the same result, whatever was searched before.
fn check_repetition<G: Game>(
    player: &mut dyn Search<G>,
    position: &G,
    algorithm: Algorithm,
    nodes: u64,
    context: &str,
) {
    let mut results = || {
        player.new_game();
        // The second search uses what the first has left in the table or tree.
        [(); 2].map(|()| {
            let report = player.search(position, &Limits::nodes(nodes), &mut |_| {});
            check_nodes::<G>(algorithm, nodes, &report, context);
            Report {
                time: Duration::ZERO,
                ..report
            }
        })
    };
    let first = results();
    assert_eq!(results(), first, "{context}");
}

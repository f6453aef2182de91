//! Plays the default player, which has the solver, against its tree alone.
//!
//! ```text
//! duel PAIRS MS [SEED]
//! ```
//!
//! Each pair is two games on 5×5 from the same three or four random lines, with sides exchanged, and MS
//! milliseconds for every line. Prints the games won, and the difference in Elo with its 95 % error, from
//! the spread of the pairs.

use std::process::ExitCode;
use std::time::Duration;

use dots_and_boxes::{DotsAndBoxes, Random, Variant};
use engine_core::mcts::TreeMethod;
use engine_core::{Algorithm, Limits, Outcome, Playout, Position, Resources, Rng, Search, Side};
use game::{Searched, Wanted};

fn main() -> ExitCode {
    let words: Result<Vec<u64>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let (pairs, ms, seed) = match words.as_deref() {
        Ok(&[pairs, ms]) => (pairs, ms, 1),
        Ok(&[pairs, ms, seed]) => (pairs, ms, seed),
        _ => {
            eprintln!("usage: duel PAIRS MS [SEED], as in: duel 100 100");
            return ExitCode::FAILURE;
        }
    };
    let start = Variant::default().start().expect("the contest's board");
    let mut players = [with_solver(&start), tree(&start)];
    let mut rng = Rng::new(seed);
    let mut scores = Vec::new();
    for pair in 0..pairs {
        let mut opening = start.clone();
        for _ in 0..3 + pair % 2 {
            opening.play(Random.choose(&opening, &mut rng));
        }
        let won = Side::BOTH.map(|side| play(&mut players, opening.clone(), side, ms));
        scores.push((won[0] + won[1]) / 2.0);
        report(&scores);
    }
    ExitCode::SUCCESS
}

const RESOURCES: Resources = Resources {
    table_mb: 64,
    threads: 1,
    seed: 1,
};

fn with_solver(start: &DotsAndBoxes) -> Box<dyn Search<DotsAndBoxes>> {
    let settings = DotsAndBoxes::settings();
    let player = start.player(Algorithm::Best, &settings, RESOURCES);
    player.expect("memory")
}

fn tree(start: &DotsAndBoxes) -> Box<dyn Search<DotsAndBoxes>> {
    let wanted = Wanted {
        algorithm: Algorithm::Tree(TreeMethod::Tuned),
        settings: &DotsAndBoxes::settings(),
        resources: RESOURCES,
    };
    game::player(start, wanted).expect("memory")
}

/// The points of the first player, which has `side`: 1, 0.5 or 0.
fn play(
    players: &mut [Box<dyn Search<DotsAndBoxes>>; 2],
    mut position: DotsAndBoxes,
    side: Side,
    ms: u64,
) -> f64 {
    players.iter_mut().for_each(|player| player.new_game());
    loop {
        match position.outcome() {
            None => {}
            Some(Outcome::Draw) => return 0.5,
            Some(Outcome::Win(winner)) => return f64::from(u8::from(winner == side)),
        }
        let player = &mut players[usize::from(position.side() != side)];
        let limits = Limits::time(Duration::from_millis(ms));
        let report = player.search(&position, &limits, &mut |_| {});
        position.play(report.pv[0]);
    }
}

fn report(pairs: &[f64]) {
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / count;
    let variance = pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = 1.96 * (variance / count).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
    println!(
        "{} games: {:.1} points, {:.1} %, {:+.0} Elo ({:+.0} to {:+.0})",
        2 * pairs.len(),
        2.0 * count * mean,
        100.0 * mean,
        elo(mean),
        elo(mean - error),
        elo(mean + error),
    );
}

//! Random playouts and perft nodes per second of every game: `cargo bench -p catalog`.
//!
//! One thread; the best of five measurements of 0.2 s each. The games take turns, so that a busy
//! moment of the machine does not affect one game only.

use std::time::{Duration, Instant};

use catalog::{AnyGame, GAMES, Rules};
use serde_json::json;

/// Number of measurements of each figure.
const ROUNDS: usize = 5;
/// Minimum time of one measurement.
const TIME: Duration = Duration::from_millis(200);

fn main() {
    // `cargo test --benches` and the like only check that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let mut best = vec![(0.0f64, 0.0f64); GAMES.len()];
    for _ in 0..ROUNDS {
        for (game, best) in GAMES.iter().zip(&mut best) {
            best.0 = best.0.max(playouts_per_second(*game));
            best.1 = best.1.max(perft_nodes_per_second(*game));
        }
    }
    println!(
        "{:<16} {:>12} {:>14}",
        "game", "playouts/s", "perft nodes/s"
    );
    for (game, (playouts, nodes)) in GAMES.iter().zip(best) {
        println!("{:<16} {playouts:>12.0} {nodes:>14.0}", game.id());
    }
}

/// Calls `work`, which returns the amount of work done, until `TIME` has passed. Returns the amount
/// per second.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let mut done = 0;
    while start.elapsed() < TIME {
        done += work();
    }
    done as f64 / start.elapsed().as_secs_f64()
}

/// EinStein starts from two fixed layouts, so its playouts begin with a roll. Gomoku is free-style, as
/// in OpenSpiel.
fn variant(game: &dyn Rules) -> serde_json::Value {
    match game.id() {
        "gomoku" => json!({ "opening": "free", "forbidden": "off" }),
        "einstein" => json!({ "layouts": ["653214", "653214"] }),
        _ => json!({}),
    }
}

fn playouts_per_second(game: &dyn AnyGame) -> f64 {
    const BATCH: u64 = 1000;
    let mut seed = 0;
    rate(|| {
        seed += 1;
        game.random_games(&variant(game), BATCH, seed)
            .expect("the variant is one of the game's");
        BATCH
    })
}

/// Uses the smallest depth with at least 500 000 nodes from the first position, or the depth at which
/// the longest games end.
fn perft_nodes_per_second(game: &dyn Rules) -> f64 {
    let start = game
        .start(&variant(game))
        .expect("the variant is one of the game's");
    let is_enough = |depth: &u32| start.perft(*depth) >= 500_000 || start.perft(depth + 1) == 0;
    let depth = (1..).find(is_enough).expect("every game ends");
    rate(|| start.perft(depth))
}

//! How fast this host is.

use std::time::{Duration, Instant};

use catalog::{AnyGame, Request};
use engine_core::{Algorithm, Method};
use serde_json::json;

/// How long a measurement takes, unless one pass takes longer.
const TIME: Duration = Duration::from_secs(1);
/// Nodes of each search.
const NODES: u64 = 2_000;

/// The speed of this host on one thread, nodes per second: alpha-beta with 2000 nodes at every
/// typical position of these games, again and again for a second. The fastest pass counts: other
/// processes can only slow it down.
///
/// # Panics
/// If no game is given.
pub fn measure(games: &[&dyn AnyGame]) -> u64 {
    let begun = Instant::now();
    let mut best = pass(games);
    while begun.elapsed() < TIME {
        best = best.max(pass(games));
    }
    best as u64
}

/// One search of every position.
fn pass(games: &[&dyn AnyGame]) -> f64 {
    let request = Request {
        algorithm: Algorithm::Deepening(Method::Pvs).into(),
        depth: None,
        nodes: Some(NODES),
        time: None,
        as_played: true,
        table_mb: 1,
        seed: 1,
    };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for game in games {
        for (_, _, position) in game::standard::positions(game.standard().text) {
            let finding = game.search(&json!({}), position, &request);
            let finding = finding.expect("every game searches its own positions");
            nodes += finding.nodes;
            time += finding.time;
        }
    }
    nodes as f64 / time.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_can_be_measured() {
        for &game in catalog::GAMES {
            assert!(pass(&[game]) > 0.0, "{}", game.id());
        }
    }
}

//! Monte-Carlo tree search against exact winning probabilities in endgames.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::collections::HashMap;

use einstein::{Einstein, WIN_POINTS};
use engine_core::mcts::{Mcts, TreeMethod};
use engine_core::{
    Algorithm, Evaluator, Limits, Method, Notation, Position, Report, Resources, Rng, Search,
};
use game::{Game, Searched};

use crate::endgames;
use crate::values::{position, table};

/// The winning probability in a report.
fn chance(report: &Report<<Einstein as Position>::Move>) -> f64 {
    let score = report.score.expect("it has searched");
    0.5 + score.value() as f64 / (2 * WIN_POINTS) as f64
}

/// The probability before the roll, from one search per roll, and whether all were proven.
fn searched(start: &Einstein, method: TreeMethod, playouts: u64) -> (f64, bool) {
    let players = vec![(start.evaluator(), start.playout())];
    let game = Einstein::settings();
    let settings = method.settings(&game.tree);
    let limit = game.candidate_limit.filter(|_| method.has_candidates());
    let mut player = Mcts::new(players, &settings, limit, 64, 1).unwrap();
    let mut rolls = Vec::new();
    start.rolls(&mut rolls);
    let (mut sum, mut proven) = (0.0, true);
    for (face, weight) in rolls {
        let mut position = start.clone();
        position.play_roll(face);
        player.new_game();
        let report = player.search(&position, &Limits::nodes(playouts), &mut |_| {});
        proven &= report.nodes < playouts;
        sum += weight as f64 * chance(&report);
    }
    (sum / 6.0, proven)
}

/// A proven value is the exact expectation, to the thousandth that a score resolves. Otherwise it
/// is a mean over a tree that still explores, and close to it; the game's own settings explore
/// little.
#[test]
fn endgames_are_within_their_interval() {
    let mut all_proven = 0;
    for (method, near) in [(TreeMethod::Uct, 0.05), (TreeMethod::Tuned, 0.15)] {
        for (position, value) in table() {
            let (found, proven) = searched(&position, method, 400_000);
            let tolerance = if proven { 0.002 } else { near };
            assert!(
                (found - value).abs() < tolerance,
                "{method:?}, proven {proven}: {found} for {value}: {}",
                position.write_position()
            );
            all_proven += proven as u32;
        }
    }
    assert!(all_proven >= 100, "{all_proven}");
}

/// Tree search stops when nothing is left to search, with the exact expectation. Five pieces are
/// more than the tables know.
#[test]
fn small_endgames_are_solved() {
    let resources = Resources {
        table_mb: 16,
        threads: 1,
        seed: 1,
    };
    let mut known = HashMap::new();
    for (mover, opponent) in [
        ("8 -1 16 -1 12 -1", "-1 17 -1 -1 -1 6"),
        ("-1 11 -1 -1 7 18", "13 -1 -1 22 -1 -1"),
        ("6 -1 -1 -1 -1 12", "-1 18 -1 16 13 -1"),
        ("-1 -1 10 14 -1 -1", "21 -1 9 -1 -1 17"),
    ] {
        let mut start = position(mover, opponent);
        assert_eq!(start.evaluator().exact(&start), None);
        let algorithm = Algorithm::Deepening(Method::Pvs);
        let player = start.player(algorithm, &Einstein::settings(), resources);
        let mut player = player.unwrap();
        let mut rolls = Vec::new();
        start.rolls(&mut rolls);
        let mut sum = 0.0;
        for (face, weight) in rolls {
            let mut position = start.clone();
            position.play_roll(face);
            let report = player.search(&position, &Limits::nodes(20_000_000), &mut |_| {});
            assert!(report.solved, "{}: {report:?}", position.write_position());
            sum += weight as f64 * chance(&report);
        }
        // Scores are rounded toward zero at every roll on the way.
        let (found, value) = (sum / 6.0, endgames::chance(&mut start, &mut known));
        let context = start.write_position();
        assert!(
            (found - value).abs() < 0.002,
            "{found} for {value}: {context}"
        );
    }
}

/// A search knows the value of every ending after its first move, with the shipped weights too.
#[test]
fn an_ending_is_not_searched() {
    let resources = Resources {
        table_mb: 1,
        threads: 1,
        seed: 1,
    };
    for (start, _) in table() {
        for method in [Method::Pvs, Method::Selective] {
            let mut position = start.clone();
            position.play_roll(3);
            let settings = Einstein::settings();
            let player = start.player(Algorithm::Deepening(method), &settings, resources);
            let report = (player.unwrap()).search(&position, &Limits::nodes(100_000), &mut |_| {});
            let context = format!("{method:?}: {}", start.write_position());
            assert!(report.solved && report.depth == 1, "{context}: {report:?}");
            // Each move once in a null window and once in an open one.
            let moves = position.legal_moves().len() as u64;
            assert!(report.nodes <= 1 + 2 * moves, "{context}: {}", report.nodes);
            assert_eq!(
                report.score,
                position.evaluator().exact(&position),
                "{context}"
            );
        }
    }
}

/// The evaluation never exceeds a win, even with all pieces at the goal or the best layout.
#[test]
fn evaluations_are_within_the_largest_score() {
    let start = Einstein::start(&Default::default()).unwrap();
    let mut evaluator = start.evaluator();
    let mut check = |position: &Einstein| {
        let score = evaluator.evaluate(position);
        let most = Einstein::MAX_SCORE;
        assert!(
            score <= most && -score <= most,
            "{score:?}: {}",
            position.write_position()
        );
    };
    // A nearly won race, by the side with the better layout.
    check(
        &start
            .parse_position("R:e4,d5,c5,d4,e3,c4 B:e5,d3,b4,c3,e2,b5 R roll")
            .unwrap(),
    );
    let mut rng = Rng::new(3);
    for _ in 0..2_000 {
        let mut position = start.clone();
        while position.outcome().is_none() {
            check(&position);
            if position.is_chance() {
                position.play_roll(1 + rng.below(6) as u8);
            } else {
                let moves = position.legal_moves();
                position.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
    }
}

//! Monte-Carlo tree search with its solver, against known results on small boards.

use engine_core::mcts::{Mcts, TreeMethod};
use engine_core::{Limits, Notation, Position, Search, TreeSettings};
use game::Searched;
use hex::Hex;

use crate::common::start;

/// The winning first cells, proven by one search after each first cell, with the evaluator and the
/// policy that engines use.
fn winning(variant: &str, settings: &TreeSettings) -> String {
    let mut position = start(variant);
    let evaluator = game::evaluator(&position, &Hex::settings());
    let players = vec![(evaluator, position.playout())];
    let mut player = Mcts::new(players, settings, None, 64, 1).expect("there is memory");
    let mut cells = Vec::new();
    for action in position.legal_moves() {
        let text = position.write_move(action);
        let undo = position.play(action);
        player.new_game();
        let report = player.search(&position, &Limits::nodes(2_000_000), &mut |_| {});
        let score = report.score.expect("it has searched");
        assert!(score.is_proven(), "{text}: {score:?}");
        if score.plies_to_loss().is_some() {
            cells.push(text);
        }
        position.undo(action, undo);
    }
    cells.join(" ")
}

/// UCT with shared children of transpositions.
fn transposing() -> TreeSettings {
    TreeSettings {
        transpositions: true,
        expand_after: 1,
        ..TreeSettings::default()
    }
}

#[test]
fn every_method_proves_the_three_by_three_openings() {
    for method in TreeMethod::ALL {
        if method != TreeMethod::Flat {
            let settings = method.settings(&Hex::settings().tree);
            let found = winning(r#"{"size": 3}"#, &settings);
            assert_eq!(found, "c1 a2 b2 c2 a3", "{method:?}");
        }
    }
    assert_eq!(winning(r#"{"size": 3}"#, &transposing()), "c1 a2 b2 c2 a3");
}

#[test]
fn the_four_by_four_openings_are_proven() {
    for settings in [transposing(), Hex::settings().tree] {
        let found = winning(r#"{"size": 4}"#, &settings);
        assert_eq!(found, "d1 c2 b3 a4", "{settings:?}");
    }
}

#[test]
fn with_a_swap_second_wins() {
    for swap in ["swap-pieces", "swap-sides"] {
        let variant = format!(r#"{{"size": 3, "opening": "swap", "swap": "{swap}"}}"#);
        assert_eq!(winning(&variant, &transposing()), "", "{swap}");
    }
}

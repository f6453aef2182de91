//! Winning first cells on boards small enough to solve, compared with published maps.

use std::collections::HashMap;

use engine_core::{Evaluator, Move, Notation, Outcome, Position, Symmetric};
use hex::{Action, Distance, Hex};

use crate::common::start;

/// The winner, and the empty cells that the winner's stones and replies need, one bit each.
#[derive(Clone, Copy)]
pub(crate) struct Proof {
    pub(crate) mover_wins: bool,
    cells: u64,
}

/// Proves the winner of a position on a board of up to 8×8. The table holds known results by key.
///
/// A losing stone is refuted by replies within some set of cells, and so is every stone outside
/// that set. So only cells in the intersection of all refutations so far are worth a try (the
/// *mustplay* region).
pub(crate) fn prove(position: &mut Hex, table: &mut HashMap<u64, Proof>) -> Proof {
    if let Some(outcome) = position.outcome() {
        let mover_wins = outcome == Outcome::Win(position.side());
        return Proof {
            mover_wins,
            cells: 0,
        };
    }
    if let Some(&proof) = table.get(&position.key()) {
        return proof;
    }
    let mut lost = Proof {
        mover_wins: false,
        cells: 0,
    };
    let mut mustplay = u64::MAX;
    for action in best_first(position) {
        // The cells needed after a swap cannot be expressed as cells of this position.
        let bit = match action {
            Action::Place(cell) => 1 << (8 * cell.row + cell.column),
            Action::Swap => u64::MAX,
        };
        if mustplay & bit == 0 {
            continue;
        }
        let undo = position.play(action);
        let answer = prove(position, table);
        position.undo(action, undo);
        if !answer.mover_wins {
            let proof = Proof {
                mover_wins: true,
                cells: bit | answer.cells,
            };
            table.insert(position.key(), proof);
            return proof;
        }
        if action == Action::Swap {
            lost.cells = u64::MAX;
        } else {
            mustplay &= answer.cells;
            lost.cells |= answer.cells;
        }
    }
    table.insert(position.key(), lost);
    lost
}

/// The legal actions, ordered by the evaluation after them, worst for the opponent first.
fn best_first(position: &mut Hex) -> Vec<Action> {
    let mut evaluator = Distance::new(position.size());
    let mut actions = position.legal_moves();
    actions.sort_by_cached_key(|&action| {
        let undo = position.play(action);
        let score = evaluator.evaluate(position).value();
        position.undo(action, undo);
        score
    });
    actions
}

/// The winning first cells, in the order of generation. A cell and its image under a 180° rotation
/// have the same result, so only one of them is solved.
fn winning(variant: &str) -> String {
    let mut position = start(variant);
    let mut table = HashMap::new();
    let mut cells: Vec<Action> = Vec::new();
    for action in position.legal_moves() {
        let image = position.transform_move(1, action);
        let wins = if image.to_bits() < action.to_bits() {
            cells.contains(&image)
        } else {
            let undo = position.play(action);
            let answer = prove(&mut position, &mut table);
            position.undo(action, undo);
            !answer.mover_wins
        };
        if wins {
            cells.push(action);
        }
    }
    let texts: Vec<String> = cells.iter().map(|&mv| position.write_move(mv)).collect();
    texts.join(" ")
}

#[test]
fn two_by_two() {
    assert_eq!(winning(r#"{"size": 2}"#), "b1 a2");
}

#[test]
fn three_by_three() {
    assert_eq!(winning(r#"{"size": 3}"#), "c1 a2 b2 c2 a3");
}

#[test]
fn four_by_four() {
    assert_eq!(winning(r#"{"size": 4}"#), "d1 c2 b3 a4");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimization")]
fn five_by_five() {
    let cells = "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5";
    assert_eq!(winning(r#"{"size": 5}"#), cells);
}

#[test]
fn with_a_swap_second_wins_whatever_first_plays() {
    for swap in ["swap-pieces", "swap-sides"] {
        let variant = format!(r#"{{"size": 3, "opening": "swap", "swap": "{swap}"}}"#);
        assert_eq!(winning(&variant), "", "{swap}");
    }
}

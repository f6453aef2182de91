//! First cells that win, on boards small enough to solve, against the published maps.

mod common;

use std::collections::HashMap;

use common::start;
use engine_core::{Notation, Outcome, Position};
use hex::{Action, Hex};

/// Whether the side to move wins. The table holds what is known, by key.
fn mover_wins(position: &mut Hex, table: &mut HashMap<u64, bool>) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome == Outcome::Win(position.side());
    }
    let key = position.key();
    if let Some(&wins) = table.get(&key) {
        return wins;
    }
    // From the middle outwards: good cells first.
    let middle = position.size() as i32 - 1;
    let mut actions = position.legal_moves();
    actions.sort_by_key(|action| match action {
        Action::Place(cell) => {
            let x = 2 * cell.column as i32 - middle;
            let y = 2 * cell.row as i32 - middle;
            x * x + y * y + x * y
        }
        Action::Swap => -1,
    });
    let wins = actions.into_iter().any(|action| {
        let undo = position.play(action);
        let lost = !mover_wins(position, table);
        position.undo(action, undo);
        lost
    });
    table.insert(key, wins);
    wins
}

/// The winning first cells, in the order of generation.
fn winning(variant: &str) -> String {
    let mut position = start(variant);
    let mut table = HashMap::new();
    let mut cells = Vec::new();
    for action in position.legal_moves() {
        let text = position.write_move(action);
        let undo = position.play(action);
        if !mover_wins(&mut position, &mut table) {
            cells.push(text);
        }
        position.undo(action, undo);
    }
    cells.join(" ")
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
fn with_a_swap_second_wins_whatever_first_plays() {
    for swap in ["swap-pieces", "swap-sides"] {
        let variant = format!(r#"{{"size": 3, "opening": "swap", "swap": "{swap}"}}"#);
        assert_eq!(winning(&variant), "", "{swap}");
    }
}

//! Small boards with a known winner, solved by a plain search with a table.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::collections::HashMap;

use amazons::{Action, Amazons, Territory, Variant};
use engine_core::{Evaluator, Position, Side};

/// Whether the side to move wins. Moves with the best evaluation are tried first.
fn wins(position: &mut Amazons, known: &mut HashMap<u64, bool>) -> bool {
    if position.outcome().is_some() {
        return false;
    }
    if let Some(&won) = known.get(&position.key()) {
        return won;
    }
    let mut moves: Vec<(i32, Action)> = Vec::new();
    for action in position.legal_moves() {
        position.play(action);
        let value = match position.outcome() {
            Some(_) => i32::MIN,
            None => Territory::default().evaluate(position).value(),
        };
        position.undo(action, ());
        moves.push((value, action));
    }
    moves.sort_unstable_by_key(|&(value, _)| value);
    let won = moves.into_iter().any(|(_, action)| {
        position.play(action);
        let lost = !wins(position, known);
        position.undo(action, ());
        lost
    });
    known.insert(position.key(), won);
    won
}

fn check(variant: &str, winner: Side) {
    let variant: Variant = serde_json::from_str(variant).unwrap();
    let mut start = variant.start().unwrap();
    let found = if wins(&mut start, &mut HashMap::new()) {
        Side::First
    } else {
        Side::Second
    };
    assert_eq!(found, winner, "{variant:?}");
}

/// The second player wins 4×4, as published by other solvers; here with four amazons a side.
#[test]
fn four_by_four() {
    check(
        r#"{"columns":4,"rows":4,"first":["a2","b1","c1","d2"],"second":["a3","b4","c4","d3"]}"#,
        Side::Second,
    );
}

/// Computed with this solver.
#[test]
fn four_by_four_with_one_amazon_each() {
    check(
        r#"{"columns":4,"rows":4,"first":["a2"],"second":["d3"]}"#,
        Side::First,
    );
}

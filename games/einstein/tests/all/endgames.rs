//! Exact winning probabilities in endgames, by full expectiminimax over the rules.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::collections::HashMap;

use einstein::{Einstein, RaceAndThreats};
use engine_core::{Evaluator, Notation, Position};

use crate::values::{position, table};

/// The probability that the side to act wins, before its roll, with best play. `known` is indexed
/// by key.
fn chance(position: &mut Einstein, known: &mut HashMap<u64, f64>) -> f64 {
    if let Some(outcome) = position.outcome() {
        return (outcome.winner() == Some(position.side())) as u8 as f64;
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let mut rolls = Vec::new();
    position.rolls(&mut rolls);
    let mut sum = 0.0;
    for (face, weight) in rolls {
        position.play_roll(face);
        let mut best = 0f64;
        for mv in position.legal_moves() {
            let undo = position.play(mv);
            best = best.max(1.0 - chance(position, known));
            position.undo(mv, undo);
        }
        position.undo_roll(face);
        sum += weight as f64 * best;
    }
    known.insert(position.key(), sum / 6.0);
    sum / 6.0
}

#[test]
fn the_table_is_reproduced() {
    let table = table();
    assert_eq!(table.len(), 80);
    let mut known = HashMap::new();
    for (mut position, value) in table {
        let found = chance(&mut position, &mut known);
        assert!(
            (found - value).abs() < 1e-9,
            "{found} for {value}: {}",
            position.write_position()
        );
    }
}

#[test]
fn known_values() {
    let mut known = HashMap::new();
    for (mover, opponent, value) in [
        ("0 -1 -1 -1 -1 -1", "24 -1 -1 -1 -1 -1", 1.0),
        ("1 -1 -1 -1 -1 5", "23 -1 -1 -1 -1 19", 0.400685712764),
    ] {
        let found = chance(&mut position(mover, opponent), &mut known);
        assert!((found - value).abs() < 1e-9, "{found} for {value}");
    }
}

/// The mean error of the evaluation is 0.113; that of a constant ½ is 0.406.
#[test]
fn the_evaluation_is_near() {
    let mut evaluator = RaceAndThreats::default();
    let table = table();
    let (mut errors, mut of_a_constant) = (0.0, 0.0);
    for (position, value) in &table {
        let score = evaluator.evaluate(position);
        errors += (evaluator.probability(score) as f64 - value).abs();
        of_a_constant += (0.5 - value).abs();
    }
    let count = table.len() as f64;
    println!(
        "mean error {:.3}, of a constant {:.3}",
        errors / count,
        of_a_constant / count
    );
    assert!(errors / count < 0.12);
}

//! Exact chances of winning in endgames, by full expectiminimax over the rules.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::collections::HashMap;

use einstein::{Colour, Einstein, RaceAndThreats};
use engine_core::{Evaluator, Notation, Position};

/// The chance that the side to act wins, before its roll, both playing best. `known` by key.
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

/// A square of the table, row by row from the top left; `-` for -1.
fn square_name(square: i32) -> String {
    match square {
        -1 => "-".to_string(),
        _ => format!("{}{}", (b'a' + (square % 5) as u8) as char, 5 - square / 5),
    }
}

/// The position with the mover's pieces on these squares, heading for square 24, and the
/// opponent's, heading for 0. The mover is red.
fn position(mover: &str, opponent: &str) -> Einstein {
    let squares = |text: &str| {
        text.split_whitespace()
            .map(|square| square_name(square.parse().unwrap()))
            .collect::<Vec<_>>()
            .join(",")
    };
    let text = format!("R:{} B:{} R roll", squares(mover), squares(opponent));
    Einstein::new(Colour::Red).parse_position(&text).unwrap()
}

/// The 80 endgames with the values of the table.
fn table() -> Vec<(Einstein, f64)> {
    let rows = include_str!("data/einstein-values.txt").lines();
    rows.filter(|row| !row.starts_with('#'))
        .map(|row| {
            let [mover, opponent, value] = row.split('|').collect::<Vec<_>>()[..] else {
                panic!("{row}");
            };
            (position(mover, opponent), value.trim().parse().unwrap())
        })
        .collect()
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

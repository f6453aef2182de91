//! Exact winning probabilities in endgames, by full expectiminimax over the rules.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::collections::HashMap;

use einstein::{Colour, Einstein, Endgames, RaceAndThreats, WIN_POINTS};
use engine_core::{Evaluator, Notation, Position, Rng};

use crate::values::{position, table};

/// The probability that the side to act wins, before its roll, with best play. `known` is indexed
/// by key.
pub fn chance(position: &mut Einstein, known: &mut HashMap<u64, f64>) -> f64 {
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

/// Largest error of a value in the tables: half a unit of 16 bits in the table itself, as much in
/// the table with one piece less, and the rounding of `f32`.
const ROUNDING: f64 = 1.0 / 65_535.0 + 1e-6;

/// Holds the table's value to the exact one.
fn check(position: &mut Einstein, value: f64) {
    let text = position.write_position();
    let found = Endgames::shared().chance(position);
    let found = found.unwrap_or_else(|| panic!("no value: {text}"));
    let error = (f64::from(found) - value).abs();
    assert!(error <= ROUNDING, "{found} for {value}: {text}");
}

#[test]
fn the_tables_hold_the_table_of_values() {
    let mut covered = 0;
    for (mut position, value) in table() {
        if Endgames::shared().chance(&position).is_some() {
            check(&mut position, value);
            covered += 1;
        }
    }
    assert_eq!(covered, 80);
}

/// The words for the pieces of these numbers (bit 0 for piece 1) on free squares below the goal.
fn placed(mask: u8, taken: &mut u32, rng: &mut Rng, own: bool) -> String {
    let piece = |number: u8| {
        if mask >> number & 1 == 0 {
            return "-1".to_string();
        }
        loop {
            let square = rng.below(24) + u32::from(!own);
            if *taken >> square & 1 == 0 {
                *taken |= 1 << square;
                return square.to_string();
            }
        }
    };
    (0..6).map(piece).collect::<Vec<_>>().join(" ")
}

/// Random positions of every two sets of numbers with at most four pieces in all.
#[test]
fn every_table_follows_from_the_rules() {
    let sets = || (1..64u8).filter(|set| set.count_ones() <= 3);
    let (mut rng, mut known) = (Rng::new(8), HashMap::new());
    let mut checked = 0;
    for own in sets() {
        for enemy in sets().filter(|enemy| own.count_ones() + enemy.count_ones() <= 4) {
            for _ in 0..4 {
                let mut taken = 0;
                let own = placed(own, &mut taken, &mut rng, true);
                let enemy = placed(enemy, &mut taken, &mut rng, false);
                let mut position = position(&own, &enemy);
                let value = chance(&mut position, &mut known);
                check(&mut position, value);
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 4 * 681);
}

/// Every roll of the table's endings: its value is that of its best step.
#[test]
fn a_rolled_die_has_the_value_of_its_best_step() {
    let mut known = HashMap::new();
    for (mut position, _) in table() {
        for die in 1..=6 {
            position.play_roll(die);
            let mut best = 0f64;
            for mv in position.legal_moves() {
                let undo = position.play(mv);
                best = best.max(1.0 - chance(&mut position, &mut known));
                position.undo(mv, undo);
            }
            check(&mut position, best);
            position.undo_roll(die);
        }
    }
}

#[test]
fn nothing_is_known_of_more_pieces_or_of_a_game_that_is_over() {
    let endgames = Endgames::shared();
    let four = position("0 1 -1 -1 -1 -1", "-1 24 -1 -1 -1 23");
    assert!(endgames.chance(&four).is_some());
    let five = position("0 1 -1 -1 -1 -1", "-1 24 -1 -1 22 23");
    assert_eq!(endgames.chance(&five), None);
    assert_eq!(endgames.chance(&Einstein::new(Colour::Red)), None);
    let mut won = position("23 -1 -1 -1 -1 -1", "-1 24 -1 -1 -1 -1");
    won.play_roll(1);
    won.play(won.legal_moves()[0]);
    assert_eq!(endgames.chance(&won), None);
}

/// The evaluation of an ending is its value, with weights or without, and to the nearest point.
#[test]
fn an_evaluation_of_an_ending_is_its_value() {
    let mut evaluator = RaceAndThreats::default();
    for (position, value) in table() {
        let score = evaluator.exact(&position).unwrap();
        assert_eq!(score, evaluator.evaluate(&position));
        let points = f64::from(WIN_POINTS) * (2.0 * value - 1.0);
        let error = (f64::from(score.value()) - points).abs();
        assert!(error < 1.0, "{score:?} for {points}");
    }
}

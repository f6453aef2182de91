//! Games with dice: luck is told apart from choice.

use engine_core::{Rng, Side};
use review::{Point, Review};
use serde_json::json;

use crate::common::{Solver, plan, record, review};

/// The turns and rolls of a random game of EinStein from a position.
fn random_game(start: &str, rng: &mut Rng) -> Vec<String> {
    let rules = catalog::find("einstein").expect("a game");
    let mut position = task::opening::begin(rules, &json!({}), start).expect("a start");
    let mut plies = Vec::new();
    while position.outcome().is_none() {
        if position.roll_due() {
            let face = format!("d{}", 1 + rng.below(6));
            position.play_words(&face).expect("a roll");
            plies.push(face);
        } else {
            plies.push(position.play_random_turn(rng).expect("a turn"));
        }
    }
    plies
}

/// Over any stretch of a game, the value changes by what the rolls gave less what the turns lost.
fn check_sum(review: &Review) {
    let values = &review.values;
    let mut sum = values.first[0].expect("the start was searched");
    for ply in 0..review.course.plies.len() {
        sum += match review.course.points[ply] {
            Point::Roll(_) => values.luck[ply].expect("a roll"),
            Point::Turn {
                side: Side::First, ..
            } => -values.lost[ply].expect("a turn"),
            Point::Turn { .. } => values.lost[ply].expect("a turn"),
            Point::Over(_) => 0.0,
        };
        let known = values.first[ply + 1].expect("it was searched");
        assert!((known - sum).abs() < 1e-9, "ply {ply}: {known} {sum}");
    }
    let [first, second] = &review.sums;
    assert!((first.luck + second.luck).abs() < 1e-9);
}

#[test]
fn luck_and_choice_add_up() {
    let mut rng = Rng::new(1);
    for _ in 0..4 {
        let plies = random_game("", &mut rng);
        let record = record("einstein", &json!({}), "", &plies);
        let review = review(&record, &plan("best", Some(300), None));
        check_sum(&review);
        assert!(review.values.lost.iter().flatten().all(|&lost| lost >= 0.0));
        for ply in 0..review.course.plies.len() {
            let best = review.found(ply).map(|found| &found.line[0]);
            if best == Some(&review.course.plies[ply].text) {
                assert_eq!(
                    review.values.lost[ply],
                    Some(0.0),
                    "the best turn loses nothing"
                );
            }
        }
        let luck: f64 = review
            .values
            .luck
            .iter()
            .flatten()
            .map(|luck| luck.abs())
            .sum();
        assert!(luck > 0.05, "rolls matter: {luck}");
    }
}

/// Whether at most three pieces are on the board.
fn is_small(plies: &[String]) -> bool {
    let rules = catalog::find("einstein").expect("a game");
    let mut position = rules.start(&json!({})).expect("a start");
    position.play_words(&plies.join(" ")).expect("legal plies");
    let pieces = |line: &str| line.matches(['R', 'B']).count();
    // The last line names the columns.
    let board = position.board();
    let rows: Vec<&str> = board.lines().filter(|line| line.contains('.')).collect();
    rows.iter().map(|row| pieces(row)).sum::<usize>() <= 3
}

/// Endings of at most three pieces: values of turns and of rolls are exact where they are proven.
#[test]
fn endings_are_judged_exactly() {
    let (mut rng, mut checked) = (Rng::new(5), 0);
    let variant = json!({});
    let mut solver = Solver::new("einstein", &variant);
    for _ in 0..400 {
        let plies = random_game("", &mut rng);
        let cut = plies.len().saturating_sub(6);
        if !is_small(&plies[..cut]) {
            continue;
        }
        let (opening, rest) = plies.split_at(cut);
        let record = record("einstein", &json!({}), &opening.join(" "), rest);
        let review = review(&record, &plan("pvs", Some(3_000), None));
        for point in review.course.opening..review.course.points.len() {
            if !review.values.proven[point] {
                continue;
            }
            let exact = solver.value(&review.course.words(point));
            let found = review.values.first[point].expect("it was searched");
            assert!(
                (found - exact).abs() < 1e-3,
                "point {point}: {found} {exact}"
            );
            checked += 1;
        }
        if checked > 30 {
            return;
        }
    }
    panic!("only {checked} points were checked");
}

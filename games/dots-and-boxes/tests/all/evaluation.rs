//! The evaluation against exact values.

use dots_and_boxes::{Chains, DotsAndBoxes, Random};
use engine_core::{Evaluator, Notation, Playout, Position, Rng};

use crate::solver::{Solver, empty, table};

/// Net boxes to come for the side to move, according to the evaluation.
fn evaluated(position: &DotsAndBoxes) -> f64 {
    Chains.evaluate(position).value() as f64 / 100.0 - position.margin() as f64
}

fn safe_edges(position: &DotsAndBoxes) -> usize {
    let mut edges = Vec::new();
    position.generate(1, &mut edges);
    edges.len()
}

#[test]
fn textbook_endings_are_exact() {
    // Rows of boxes are long chains: the side that opens the first of two loses the second as well.
    for (columns, rows, text, value) in [
        // A chain of five, not opened yet.
        (5, 1, "-----/.........../----- r", -5),
        // The same chain, opened at its end: the side to move gets all five.
        (5, 1, "-----/|........../----- r", 5),
        // Two unopened chains of four: 2 of the first and all of the second, minus 2.
        (4, 2, "----/........./----/........./---- r", -4),
        // One of them is opened.
        (4, 2, "----/|......../----/........./---- r", 4),
        // A loop of four: unopened, and opened.
        (2, 2, "--/|...|/../|...|/-- r", -4),
        (2, 2, "--/|...|/-./|...|/-- r", 4),
    ] {
        let position = empty(columns, rows).parse_position(text).unwrap();
        assert_eq!(evaluated(&position), value as f64, "{text}");
    }
}

#[test]
fn the_score_so_far_counts() {
    for (text, score) in [
        ("--/|r|../-- r", 200),
        ("--/|r|../-- b", 0),
        ("--/|b|../-- b", 200),
    ] {
        let position = empty(2, 1).parse_position(text).unwrap();
        assert_eq!(Chains.evaluate(&position).value(), score, "{text}");
    }
}

/// On positions of the table without safe edges, the mean error is below a tenth of a box; on all
/// positions, the evaluation correlates with the value.
#[test]
fn the_evaluation_correlates_with_the_exact_values() {
    let (mut settled, mut settled_error) = (0, 0.0);
    let (mut n, mut x, mut y, mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for known in table() {
        let (evaluated, value) = (evaluated(&known.position), known.value as f64);
        if safe_edges(&known.position) == 0 {
            settled += 1;
            settled_error += (evaluated - value).abs();
        }
        n += 1.0;
        x += evaluated;
        y += value;
        xx += evaluated * evaluated;
        yy += value * value;
        xy += evaluated * value;
    }
    let correlation = (n * xy - x * y) / ((n * xx - x * x) * (n * yy - y * y)).sqrt();
    let settled_error = settled_error / settled as f64;
    println!("{settled} settled, mean error {settled_error:.3}, correlation {correlation:.3}");
    assert!(settled > 80 && settled_error < 0.1, "{settled_error}");
    assert!(correlation > 0.8, "{correlation}");
}

/// Endgames of random games on 3×3 boxes; some have joints of chains, where the evaluation is only
/// nearly always exact.
#[test]
fn positions_without_safe_edges_are_nearly_exact() {
    let start = empty(3, 3);
    let (mut solver, mut rng) = (Solver::new(&start), Rng::new(1));
    let (mut count, mut exact) = (0, 0);
    for _ in 0..400 {
        let mut position = start.clone();
        while position.outcome().is_none() {
            if safe_edges(&position) == 0 {
                let value = evaluated(&position) as i32;
                let right = solver.at_least(&mut position, value)
                    && !solver.at_least(&mut position, value + 1);
                count += 1;
                exact += right as u32;
            }
            position.play(Random.choose(&position, &mut rng));
        }
    }
    println!("{exact} of {count} exact");
    assert!(
        count > 2_000 && exact * 100 > count * 99,
        "{exact} of {count}"
    );
}

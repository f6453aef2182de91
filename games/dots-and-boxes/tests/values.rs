//! Solved values: whole small boards, and 240 positions with all their best edges.

mod solver;

use std::collections::HashMap;

use dots_and_boxes::Chains;
use engine_core::Evaluator;
use solver::{Solver, empty, table};

/// Barker and Korf, *Solving Dots-And-Boxes*, AAAI 2012, and earlier solvers.
#[test]
fn small_boards_have_their_known_values() {
    for (rows, columns, value) in [
        (1, 1, -1),
        (1, 2, 0),
        (1, 3, -1),
        (2, 2, 2),
        (2, 3, -2),
        (3, 3, -3),
    ] {
        for mut start in [empty(columns, rows), empty(rows, columns)] {
            let mut solver = Solver::new(&start);
            assert!(solver.at_least(&mut start, value), "{rows}×{columns}");
            assert!(!solver.at_least(&mut start, value + 1), "{rows}×{columns}");
        }
    }
}

#[test]
fn every_position_of_the_table_has_its_value_and_its_best_edges() {
    let mut solvers = HashMap::new();
    let mut count = 0;
    for mut known in table() {
        let solver = solvers
            .entry(known.edges)
            .or_insert_with(|| Solver::new(&known.empty));
        let (position, line) = (&mut known.position, known.line);
        assert!(!solver.at_least(position, known.value + 1), "{line}");
        assert_eq!(solver.best(position, known.value), known.best, "{line}");
        count += 1;
    }
    assert_eq!(count, 240);
}

/// A search of nothing but candidates loses nothing: in every position of the table one of the best
/// edges is among them.
#[test]
fn a_best_edge_is_always_a_candidate() {
    for known in table() {
        let mut candidates = Vec::new();
        assert!(Chains.candidates(&known.position, usize::MAX, &mut candidates));
        let listed = candidates
            .iter()
            .fold(0, |set, &edge| set | solver::bit(edge));
        assert_ne!(listed & known.best, 0, "{}", known.line);
    }
}

use std::time::Duration;

use catalog::{Finding, Step};
use engine_core::{Counters, Score};
use textbook::AnySearch;

use super::super::Row;
use super::*;

/// A row of `name` whose only search found these values at depths 1, 2, …, with 100 nodes times the
/// depth.
pub(crate) fn row(name: &str, values: &[i32], stopped: bool) -> Row {
    let step = |(index, &value): (usize, &i32)| Step {
        depth: index as u32 + 1,
        score: Score::points(value),
        best: "a1".into(),
        nodes: 100 * (index as u64 + 1),
    };
    let finding = Finding {
        solved: false,
        steps: values.iter().enumerate().map(step).collect(),
        stopped,
        seldepth: values.len() as u32,
        nodes: 100 * values.len() as u64,
        time: Duration::from_millis(1),
        counters: Counters::default(),
    };
    Row {
        algorithm: AnySearch::find(name).unwrap(),
        findings: vec![finding],
    }
}

fn names(rows: &[&Row]) -> Vec<&'static str> {
    rows.iter().map(|row| row.algorithm.name()).collect()
}

#[test]
fn stopped_algorithms_are_compared_at_completed_depths() {
    let rows = [row("minimax", &[3, 5], true), row("pvs", &[3, 5, 7], false)];
    assert_eq!(differences(&rows), []);
    assert_eq!(names(&by_nodes(&rows)), ["pvs"]);
}

#[test]
fn only_algorithms_with_a_table_may_differ() {
    let rows = [
        row("minimax", &[3, 5], false),
        row("pvs", &[3, 6], false),
        row("selective", &[9, 9], false),
        row("negamax", &[3, 5], false),
    ];
    let found = differences(&rows);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].position, found[0].depth), (0, 2));
    assert_eq!(found[0].values.len(), 2);
    assert!(!found[0].is_fault());
    assert_eq!(names(&by_nodes(&rows)), ["minimax", "negamax"]);

    let rows = [row("minimax", &[3], false), row("negamax", &[4], false)];
    assert!(differences(&rows)[0].is_fault());
}

#[test]
fn the_reference_has_no_table_if_possible() {
    let rows = [row("pvs", &[3, 6], false), row("negamax", &[2], true)];
    let score = |depth| reference(&rows, 0, depth).unwrap().score.value();
    assert_eq!((score(1), score(2)), (2, 6));
    assert!(reference(&rows, 0, 3).is_none());
}

#[test]
fn the_deepest_comes_first() {
    let rows = [row("minimax", &[1], false), row("pvs", &[1, 2], false)];
    assert_eq!(names(&by_depth(&rows)), ["pvs", "minimax"]);
}

use std::time::Duration;

use serde_json::json;

use super::super::SearchLimit;
use super::super::verdict::tests::row;
use super::*;

fn plan(limit: SearchLimit) -> Plan {
    Plan {
        game: catalog::find("hex").unwrap(),
        variant: json!({}),
        positions: vec!["any".into()],
        algorithms: Vec::new(),
        limit,
        as_played: false,
        table_mb: 1,
    }
}

const DEPTH_3: SearchLimit = SearchLimit::Depth(3, Duration::from_secs(1));

#[test]
fn a_table_has_one_row_per_algorithm() {
    let rows = [row("minimax", &[3, 5], true), row("pvs", &[3, 5, 7], false)];
    let text = position(&rows, 0);
    let cells: Vec<Vec<&str>> = text
        .lines()
        .map(|line| {
            line.split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .collect()
        })
        .collect();
    assert_eq!(cells.len(), 4, "{text}");
    assert_eq!(cells[0].len(), 10, "{text}");
    assert_eq!(cells[2][..5], ["minimax", "stopped, 2", "5", "a1", "200"]);
    assert_eq!(cells[3][..5], ["pvs", "3", "7", "a1", "300"]);
}

#[test]
fn the_conclusions_are_written_out() {
    let agreeing = [row("minimax", &[3, 5], true), row("pvs", &[3, 5, 7], false)];
    let text = summary(&plan(DEPTH_3), &agreeing);
    assert!(text.contains("Values agree: 2 exact algorithms"), "{text}");
    assert!(
        text.contains("Fewest nodes to depth 3 with equal values: pvs, 300.\n"),
        "{text}"
    );

    let differing = [row("negamax", &[3], false), row("pvs", &[-4], false)];
    let text = summary(&plan(DEPTH_3), &differing);
    assert!(
        text.contains("position 1, depth 1: 3 by negamax; -4 by pvs."),
        "{text}"
    );
    assert!(text.contains("Possible reason: table entries"), "{text}");

    let broken = [row("negamax", &[3], false), row("minimax", &[-4], false)];
    let text = summary(&plan(DEPTH_3), &broken);
    assert!(text.contains("This is a fault"), "{text}");
}

#[test]
fn with_a_time_limit_the_deepest_are_named() {
    let rows = [row("minimax", &[3], false), row("pvs", &[3, 5], false)];
    let text = summary(&plan(SearchLimit::Time(Duration::from_millis(1))), &rows);
    assert!(
        text.ends_with("average plies: pvs 2.0, minimax 1.0.\n"),
        "{text}"
    );
}

#[test]
fn branching_is_the_mean_growth_of_iterations() {
    // Iterations of 100 nodes each: no growth.
    let even = row("pvs", &[1, 1, 1], false);
    assert_eq!(branching(&even.findings), Some(1.0));
    let mut growing = even;
    for (step, nodes) in growing.findings[0].steps.iter_mut().zip([10, 50, 210]) {
        step.nodes = nodes;
    }
    let factor = branching(&growing.findings).unwrap();
    assert!((factor - 4.0).abs() < 1e-9, "{factor}");
    assert_eq!(branching(&row("pvs", &[1], false).findings), None);
}

#[test]
fn long_numbers_are_grouped() {
    let numbers = [0, 12, 123, 1234, 1_234_567].map(grouped);
    assert_eq!(numbers, ["0", "12", "123", "1 234", "1 234 567"]);
}

//! The conformance suite, on boards of every kind of shape.

#![allow(clippy::unwrap_used)] // test code outside a #[test]

use dots_and_boxes::Variant;
use engine_core::conformance;

fn check(columns: u8, rows: u8, stop_at_majority: bool, games: u32) {
    let variant = Variant {
        columns,
        rows,
        stop_at_majority,
    };
    conformance(&variant.start().unwrap(), games, 1);
}

#[test]
fn the_contest_board() {
    check(5, 5, false, 30);
}

#[test]
fn ending_at_a_majority() {
    check(5, 5, true, 20);
    check(2, 2, true, 50);
}

#[test]
fn other_shapes() {
    for (columns, rows) in [
        (1, 1),
        (2, 1),
        (1, 3),
        (3, 3),
        (4, 6),
        (8, 3),
        (21, 1),
        (1, 21),
    ] {
        check(columns, rows, false, 5);
    }
}

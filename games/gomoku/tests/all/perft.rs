//! Counts of action sequences.

use engine_core::perft;

use crate::common::start;

fn check(variant: &str, counts: &[u64]) {
    let mut position = start(variant);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&mut position, depth), count, "{variant} at {depth}");
    }
}

#[test]
fn free_opening() {
    check(r#"{"opening": "free"}"#, &[225, 50_400, 225 * 224 * 223]);
    check(
        r#"{"opening": "free", "size": 5}"#,
        &[25, 600, 13_800, 303_600],
    );
    check(
        r#"{"opening": "free", "size": 20}"#,
        &[400, 400 * 399, 400 * 399 * 398],
    );
}

/// The centre; 8 cells; 23 cells; 12 numbers; 222 cells or a swap; then the first offer or, after the
/// swap, 222 cells.
#[test]
fn prescribed_opening() {
    let numbers = 8 * 23 * 12;
    check("{}", &[1, 8, 184, numbers, numbers * 223]);
}

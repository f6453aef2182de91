//! Numbers of sequences of turns.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use amazons::Variant;
use engine_core::perft;

fn check(variant: &str, counts: &[u64]) {
    let variant: Variant = serde_json::from_str(variant).unwrap();
    let mut start = variant.start().unwrap();
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&mut start, depth), count, "{variant:?} depth {depth}");
    }
}

#[test]
fn contest_board() {
    check("{}", &[2_176, 4_307_152]);
}

#[test]
fn six_by_six() {
    check(r#"{"size":6}"#, &[544, 238_532]);
}

/// Counted by hand: a1 with arrows on b1 c1 d1, c1 with a1 b1 d1, d1 with a1 b1 c1.
#[test]
fn one_row() {
    let variant = r#"{"columns":5,"rows":1,"first":["b1"],"second":["e1"]}"#;
    check(variant, &[9]);
}

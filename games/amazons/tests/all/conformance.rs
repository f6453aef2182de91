//! The contracts of `Position` and `Notation`, on every set-up and on odd boards.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use amazons::Variant;
use engine_core::{Outcome, Position, Side, conformance};

fn check(variant: &str, games: u32) {
    let variant: Variant = serde_json::from_str(variant).unwrap();
    conformance(&variant.start().unwrap(), games, 1);
}

#[test]
fn contest_board() {
    check("{}", 1);
}

#[test]
fn botzone_board() {
    check(r#"{"size":8}"#, 3);
}

#[test]
fn six_by_six() {
    check(r#"{"size":6}"#, 20);
}

#[test]
fn odd_boards() {
    for variant in [
        r#"{"columns":4,"rows":4,"first":["a2"],"second":["d3"]}"#,
        r#"{"columns":10,"rows":1,"first":["a1"],"second":["j1"]}"#,
        r#"{"columns":3,"rows":10,"first":["b1"],"second":["a10","c10"]}"#,
        r#"{"columns":5,"rows":4,"first":["a1","b1","c1","d1","e1","a2","b2","c2"],"second":["e4"]}"#,
    ] {
        check(variant, 100);
    }
}

#[test]
fn a_side_blocked_at_the_start_has_lost() {
    let variant = r#"{"columns":2,"rows":1,"first":["a1"],"second":["b1"]}"#;
    let variant: Variant = serde_json::from_str(variant).unwrap();
    let start = variant.start().unwrap();
    conformance(&start, 1, 1);
    assert_eq!(start.outcome(), Some(Outcome::Win(Side::Second)));
}

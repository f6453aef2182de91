//! The contracts of `Position` and `Notation`, in every variant.

use engine_core::conformance;

use crate::common::{after, start};

/// The board without a ceremony.
const FREE: &str = r#"{"opening": "free", "size": "#;

#[test]
fn contest() {
    conformance(&start("{}"), 2, 1);
    conformance(&start(r#"{"forbidden": "claimed"}"#), 2, 2);
    conformance(&start(r#"{"forbidden": "off"}"#), 1, 3);
}

#[test]
fn after_a_swap() {
    let opening = "h8h9j10x2 swap h10";
    conformance(&after("{}", opening), 1, 4);
    conformance(&after(r#"{"forbidden": "claimed"}"#, opening), 1, 5);
}

#[test]
fn smallest_and_largest_boards() {
    for (seed, rest) in [
        r#""forbidden": "off"}"#,
        r#""forbidden": "off", "exactly_five": true}"#,
        r#""forbidden": "at-once"}"#,
        r#""forbidden": "claimed"}"#,
    ]
    .into_iter()
    .enumerate()
    {
        for (size, games) in [(5, 60), (6, 60), (8, 25), (19, 1), (20, 1)] {
            conformance(&start(&format!("{FREE}{size}, {rest}")), games, seed as u64);
        }
    }
}

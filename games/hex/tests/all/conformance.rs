//! The contracts of `Position` and `Notation`, in every variant.

use engine_core::conformance;

use crate::common::start;

#[test]
fn contest() {
    conformance(&start("{}"), 3, 1);
}

#[test]
fn smallest_and_largest_boards() {
    conformance(&start(r#"{"size": 2}"#), 50, 2);
    conformance(&start(r#"{"size": 3}"#), 50, 3);
    conformance(&start(r#"{"size": 19}"#), 1, 4);
}

#[test]
fn swaps_of_pieces_and_sides() {
    for swap in ["swap-pieces", "swap-sides"] {
        for (size, games) in [(2, 200), (5, 50)] {
            let variant = format!(r#"{{"size": {size}, "opening": "swap", "swap": "{swap}"}}"#);
            conformance(&start(&variant), games, 5);
        }
    }
}

#[test]
fn after_a_swap() {
    for swap in ["swap-pieces", "swap-sides"] {
        let variant = format!(r#"{{"size": 5, "opening": "swap", "swap": "{swap}"}}"#);
        let mut position = start(&variant);
        game::turn::play_words(&mut position, "b4 swap").expect("a swap");
        conformance(&position, 30, 6);
    }
}

#[test]
fn forced_opening() {
    conformance(&start(r#"{"size": 6, "opening": {"forced": "C2"}}"#), 30, 7);
}

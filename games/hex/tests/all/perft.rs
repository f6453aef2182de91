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
fn contest() {
    check("{}", &[121, 14_520, 121 * 120 * 119]);
}

#[test]
fn small_board_with_early_wins() {
    // 2×2: after three stones, red has won unless its two are in one row or on the long diagonal a1
    // b2: 4 · 3 · 2 = 24 sequences; 6 pairs of red cells, 3 of them connect top and bottom.
    check(r#"{"size": 2}"#, &[4, 12, 24, 12, 0]);
}

#[test]
fn the_swap_is_one_action_more() {
    // 121 first stones; then 120 stones or a swap; then 119 stones or, after the swap, 120.
    let counts = [121, 121 * 121, 121 * (120 * 119 + 120)];
    check(r#"{"opening": "swap"}"#, &counts);
    // A swap of sides keeps the one stone, so 120 cells are also empty.
    check(r#"{"opening": "swap", "swap": "swap-sides"}"#, &counts);
}

#[test]
fn a_forced_opening_has_one_first_action() {
    check(r#"{"opening": {"forced": "C2"}}"#, &[1, 120, 120 * 119]);
}

//! Counts of action sequences. A roll is an action; each face counts as one.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use einstein::{Einstein, Variant};
use engine_core::{Notation, perft};

fn count(position: &str, depth: u32) -> u64 {
    let start = Variant::default().start().unwrap();
    perft(&mut start.parse_position(position).unwrap(), depth)
}

#[test]
fn from_the_empty_board() {
    let mut start: Einstein = Variant::default().start().unwrap();
    for (depth, nodes) in [(0, 1), (1, 720), (2, 518_400), (3, 3_110_400)] {
        assert_eq!(perft(&mut start, depth), nodes, "depth {depth}");
    }
}

/// Computed by hand.
#[test]
fn small_positions() {
    // One piece a side, corner to corner: every face moves it, with three targets.
    let corners = "R:a5,-,-,-,-,- B:e1,-,-,-,-,- R roll";
    for (depth, nodes) in [(1, 6), (2, 18), (3, 108), (4, 324)] {
        assert_eq!(count(corners, depth), nodes, "depth {depth}");
    }
    // Faces 1 to 3 move piece 1 (on the bottom row: one step); for 2 and 3 also piece 4 (three
    // steps); faces 4 to 6 move piece 4: 1 + 2 * 4 + 3 * 3.
    assert_eq!(count("R:a1,-,-,b4,-,- B:e1,-,-,-,-,- R roll", 2), 18);
    // The step to e1 ends the game.
    assert_eq!(count("R:d1,-,-,-,-,- B:a4,-,-,-,-,- R roll", 2), 6);
    assert_eq!(count("R:d1,-,-,-,-,- B:a4,-,-,-,-,- R roll", 3), 0);
}

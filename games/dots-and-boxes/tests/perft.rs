//! Counts of sequences of edges.

#![allow(clippy::unwrap_used)] // test code outside a #[test]

use dots_and_boxes::Variant;
use engine_core::perft;

fn check(columns: u8, rows: u8, counts: &[u64]) {
    let variant = Variant {
        columns,
        rows,
        ..Variant::default()
    };
    let mut start = variant.start().unwrap();
    for (depth, &count) in counts.iter().enumerate() {
        assert_eq!(
            perft(&mut start, depth as u32),
            count,
            "{columns}×{rows} at depth {depth}"
        );
    }
}

#[test]
fn the_contest_board() {
    check(5, 5, &[1, 60, 3_540, 205_320, 11_703_240]);
}

#[test]
fn every_order_of_the_edges_is_a_game() {
    check(1, 1, &[1, 4, 12, 24, 24, 0]);
    check(2, 1, &[1, 7, 42, 210, 840, 2_520, 5_040, 5_040, 0]);
}

/// One box is a majority only when all is drawn; of three, two may be owned before.
#[test]
fn an_early_end_cuts_sequences_off() {
    let variant = Variant {
        columns: 1,
        rows: 1,
        stop_at_majority: true,
    };
    assert_eq!(perft(&mut variant.start().unwrap(), 4), 24);
    let variant = Variant {
        columns: 3,
        rows: 1,
        stop_at_majority: true,
    };
    let early = perft(&mut variant.start().unwrap(), 10);
    let variant = Variant {
        stop_at_majority: false,
        ..variant
    };
    let whole = perft(&mut variant.start().unwrap(), 10);
    assert_eq!(whole, 3_628_800);
    assert!(0 < early && early < whole, "{early}");
}

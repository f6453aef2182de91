//! Counts of sequences of edges.

#![allow(clippy::unwrap_used)] // test code outside a #[test]

use dots_and_boxes::Variant;
use engine_core::perft;

fn check(columns: u8, rows: u8, stop_at_majority: bool, counts: &[u64]) {
    let variant = Variant {
        columns,
        rows,
        stop_at_majority,
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
    check(5, 5, false, &[1, 60, 3_540, 205_320, 11_703_240]);
}

#[test]
fn every_order_of_the_edges_is_a_game() {
    check(1, 1, false, &[1, 4, 12, 24, 24, 0]);
    check(2, 1, false, &[1, 7, 42, 210, 840, 2_520, 5_040, 5_040, 0]);
}

/// With one box, a majority needs all edges; with three boxes, two boxes are a majority earlier. An
/// independent count over sets of drawn edges and scores gives the same numbers.
#[test]
fn an_early_end_cuts_sequences_off() {
    check(1, 1, true, &[1, 4, 12, 24, 24, 0]);
    let whole = [1, 10, 90, 720, 5_040, 30_240, 151_200, 604_800];
    let cut = [1_791_072, 3_217_536, 1_597_824, 0];
    check(3, 1, true, &[&whole[..], &cut].concat());
    let uncut = [1_814_400, 3_628_800, 3_628_800, 0];
    check(3, 1, false, &[&whole[..], &uncut].concat());
}

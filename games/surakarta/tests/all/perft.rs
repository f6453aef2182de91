//! Numbers of move sequences.

use engine_core::{Notation, perft};
use surakarta::{Surakarta, Variant};

fn check(position: &str, counts: &[u64]) {
    let mut position = Surakarta::new(Variant::default())
        .parse_position(position)
        .expect("a position");
    for (depth, &count) in counts.iter().enumerate() {
        assert_eq!(perft(&mut position, depth as u32), count, "depth {depth}");
    }
}

#[test]
fn from_the_start() {
    check(
        "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0",
        &[1, 16, 256, 5_382, 111_122, 2_572_484],
    );
}

#[test]
fn of_one_piece_against_one() {
    // b1 has four empty neighbours, and captures through the arc that connects it to a2.
    check("6/6/6/6/w5/1b4 b 0", &[1, 5]);
}

//! Numbers of action sequences.

use engine_core::{Notation, perft};
use tic_tac_toe::TicTacToe;

/// 9!/4! sequences of five marks; then those that a line has ended are missing.
#[test]
fn the_empty_board() {
    let counts = [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872];
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&mut TicTacToe::default(), depth), count, "{depth}");
    }
}

#[test]
fn a_line_ends_the_game() {
    let start = TicTacToe::default();
    let mut won = start.parse_position("xxx/oo1/3 o").unwrap();
    assert_eq!(perft(&mut won, 1), 0);
    let mut before = start.parse_position("xx1/oo1/3 x").unwrap();
    assert_eq!(perft(&mut before, 1), 5);
    assert_eq!(perft(&mut before, 2), 4 * 4, "one of the five wins");
}

//! Numbers of action sequences.

use connect6::Connect6;
use engine_core::{Notation, perft};

#[test]
fn contest_board() {
    let mut start = Connect6::new(19);
    assert_eq!(perft(&mut start, 1), 361);
    assert_eq!(perft(&mut start, 2), 129_960);
}

#[test]
fn small_board() {
    assert_eq!(perft(&mut Connect6::new(6), 4), 36 * 35 * 34 * 33);
}

/// Of 31 empty cells, one completes a six and ends the game: 30 · 30 sequences of two stones.
#[test]
fn a_six_ends_the_turn() {
    let start = Connect6::new(6);
    let mut position = start.parse_position("6/6/6/6/6/bbbbb1 black 2").unwrap();
    assert_eq!(perft(&mut position, 1), 31);
    assert_eq!(perft(&mut position, 2), 30 * 30);
    assert_eq!(
        perft(
            &mut start.parse_position("6/6/6/6/6/bbbbbb white 2").unwrap(),
            1
        ),
        0
    );
}

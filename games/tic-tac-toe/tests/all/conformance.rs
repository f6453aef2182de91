//! The conformance suite of engine-core.

use engine_core::{Notation, Position, conformance};
use tic_tac_toe::TicTacToe;

#[test]
fn the_game_conforms() {
    conformance(&TicTacToe::default(), 200, 1);
}

#[test]
fn all_orders_of_the_same_marks_reach_one_position() {
    let play = |cells: [&str; 4]| {
        let mut position = TicTacToe::default();
        for cell in cells {
            position.play(position.parse_move(cell).unwrap());
        }
        position
    };
    let (one, other) = (
        play(["a1", "b2", "c3", "a2"]),
        play(["c3", "a2", "a1", "b2"]),
    );
    assert_eq!(one, other);
    assert_eq!(one.key(), other.key());
}

//! The conformance suite of engine-core, on the contest's board sizes and the smallest ones.

use connect6::Connect6;
use engine_core::{Notation, Position, conformance};

#[test]
fn the_contest_board_conforms() {
    conformance(&Connect6::new(19), 2, 1);
}

#[test]
fn the_botzone_board_conforms() {
    conformance(&Connect6::new(15), 3, 2);
}

#[test]
fn small_boards_conform() {
    for size in [6, 7, 8, 11] {
        conformance(&Connect6::new(size), 10, size as u64);
    }
}

#[test]
fn both_orders_of_a_turn_reach_one_position() {
    let mut start = Connect6::new(19);
    start.play(start.parse_move("j10").unwrap());
    let play = |turn: &str| {
        let mut position = start.clone();
        for stone in position.parse_turn(turn).unwrap() {
            assert_eq!(position.mid_turn(), position.stones_left() == 1);
            position.play(stone);
        }
        position
    };
    let (one, other) = (play("k11i11"), play("i11k11"));
    assert_eq!(one, other);
    assert_eq!(one.key(), other.key());
    assert!(!one.mid_turn());
    assert!(play("k11").mid_turn());
    assert!(!Connect6::new(19).mid_turn());
}

//! What learned weights see.

use engine_core::learned::{Inputs, check_inputs};
use engine_core::{Notation, Playout, Position, Rng, Side, UniformPlayout};
use surakarta::{Evaluation, Surakarta, Tuples, Variant};

#[test]
fn inputs_follow_the_moves() {
    let start = Surakarta::new(Variant::default());
    assert!(check_inputs::<_, _, Tuples>(&start, Evaluation::default, 9, 1) > 300);
}

fn active(position: &Surakarta, viewer: Side) -> Vec<u32> {
    let mut inputs = Vec::new();
    Tuples::of(position).active(position, viewer, &mut inputs);
    inputs.sort_unstable();
    inputs
}

/// The text of a position with another board.
fn with_board(position: &Surakarta, change: impl Fn(&str) -> String) -> Surakarta {
    let text = position.write_position();
    let (board, rest) = text.split_once(' ').expect("a board and more");
    let text = format!("{} {rest}", change(board));
    position.parse_position(&text).expect("a position")
}

#[test]
fn mirrored_positions_have_the_same_inputs_and_exchanged_colours_the_other_views() {
    let spread = |board: &str| {
        board
            .replace('2', "11")
            .replace('3', "111")
            .replace('4', "1111")
    };
    let spread = |board: &str| spread(&board.replace('6', "111111").replace('5', "11111"));
    let mirrored = |board: &str| {
        let rows = board
            .split('/')
            .map(|row| spread(row).chars().rev().collect::<String>());
        rows.collect::<Vec<_>>().join("/")
    };
    let upside_down = |board: &str| board.split('/').rev().collect::<Vec<_>>().join("/");
    let exchanged = |board: &str| board.replace('b', "x").replace('w', "b").replace('x', "w");
    let (mut rng, mut checked) = (Rng::new(3), 0);
    for _ in 0..10 {
        let mut position = Surakarta::new(Variant::default());
        while position.outcome().is_none() {
            let seen = Side::BOTH.map(|side| active(&position, side));
            for symmetric in [
                with_board(&position, mirrored),
                with_board(&position, upside_down),
            ] {
                assert_eq!(Side::BOTH.map(|side| active(&symmetric, side)), seen);
            }
            let other = with_board(&position, exchanged);
            let [first, second] = Side::BOTH.map(|side| active(&other, side));
            assert_eq!([second, first], seen);
            checked += 1;
            position.play(UniformPlayout::default().choose(&position, &mut rng));
        }
    }
    assert!(checked > 300);
}

//! Tests of groups and indices. `tests/all/endgames.rs` holds the tables to the rules.

use super::group::{CLASSES, Faces, Group, MASKS};
use super::index::{SQUARES, index, is_stored, size};
use crate::army::Army;
use crate::tables::{MOVABLE, transpose};

/// The masks of one to three pieces.
fn masks() -> impl Iterator<Item = u8> {
    (1..64u8).filter(|mask| mask.count_ones() <= 3)
}

/// An army of this mask, piece `p` on square `10 + p`.
fn army(mask: u8) -> Army {
    Army::from_squares(std::array::from_fn(|piece| {
        (mask >> piece & 1 == 1).then_some(10 + piece as u8)
    }))
}

/// The squares of the pieces that each face moves: as many faces for as many pairs, in order.
fn moved(army: Army) -> Vec<[u8; 2]> {
    let mut moved: Vec<[u8; 2]> = MOVABLE[usize::from(army.alive())][1..=6]
        .iter()
        .map(|pieces| {
            let mut squares = pieces.map(|piece| army.field(piece));
            squares.sort_unstable();
            squares
        })
        .collect();
    moved.sort_unstable();
    moved
}

#[test]
fn the_faces_of_a_group_move_what_those_of_its_army_move() {
    for mask in masks() {
        let army = army(mask);
        let group = Group::of(army);
        let (faces, squares) = (Faces::of(group.class), group.squares());
        let mut found = Vec::new();
        for (piece, &square) in squares.iter().enumerate() {
            let alone = usize::from(faces.only[piece]);
            found.extend(std::iter::repeat_n([square, square], alone));
            if let Some(&next) = squares.get(piece + 1) {
                let pair = [square.min(next), square.max(next)];
                found.extend(std::iter::repeat_n(pair, usize::from(faces.either[piece])));
            }
        }
        found.sort_unstable();
        assert_eq!(found, moved(army), "{mask:06b}");
    }
}

#[test]
fn a_group_without_a_piece_is_the_group_of_the_others() {
    for mask in masks().filter(|mask| mask.count_ones() > 1) {
        for piece in (0..6).filter(|piece| mask >> piece & 1 == 1) {
            let group = Group::of(army(mask));
            let place = group.squares().iter().position(|&at| at == 10 + piece);
            let left = group.without(place.expect("it is on the board"));
            let expected = Group::of(army(mask & !(1 << piece)));
            assert_eq!(left.class, expected.class, "{mask:06b} without {piece}");
            let mut squares = left.squares().to_vec();
            let mask = MASKS[usize::from(left.class)];
            if mask.reverse_bits() >> 2 == mask && squares != expected.squares() {
                // Two pieces that the same number of faces move: their order does not matter.
                squares.reverse();
            }
            assert_eq!(squares, expected.squares(), "{mask:06b} without {piece}");
        }
    }
}

#[test]
fn classes_with_the_same_faces_are_one() {
    let faces: Vec<Faces> = (0..CLASSES as u8).map(Faces::of).collect();
    for (class, one) in faces.iter().enumerate() {
        assert_eq!(
            faces.iter().filter(|&other| other == one).count(),
            1,
            "{class}"
        );
        assert!(MASKS[class].count_ones() <= 3);
    }
}

/// Every place of a table belongs to one position, or to one whose first piece is above the
/// diagonal and its mirror image.
#[test]
fn an_index_is_a_bijection_up_to_the_mirror() {
    for (own, enemy) in [(1, 1), (2, 1), (1, 3), (2, 2)] {
        let pieces = own + enemy;
        let mut seen = vec![0u8; size(pieces)];
        for number in 0..SQUARES.pow(pieces as u32) {
            let mut squares = [0; 4];
            let mut rest = number;
            for square in &mut squares[..pieces] {
                *square = (rest % SQUARES) as u8;
                rest /= SQUARES;
            }
            let place = index(&squares[..own], &squares[own..pieces]);
            if is_stored(squares[0]) {
                seen[place] += 1;
            } else {
                let image = squares.map(transpose);
                assert!(is_stored(image[0]));
                assert_eq!(place, index(&image[..own], &image[own..pieces]));
            }
        }
        assert!(
            seen.iter().all(|&count| count == 1),
            "{own} against {enemy}"
        );
    }
}

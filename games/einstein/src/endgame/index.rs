//! The place of a position in its table.
//!
//! Squares 0 to 23 of every piece make a number of base 24, the first piece of the side that rolls
//! highest. A board mirrored in the diagonal has the same value, so that piece is on the diagonal or
//! below it: 14 squares. With it on the diagonal both images are stored.

use crate::tables::{GOAL, transpose};

/// Squares of a piece: no piece is on its goal, for then the game is over.
pub(super) const SQUARES: usize = GOAL as usize;

/// Squares on the diagonal or below it, without the goal.
const FOLDED: usize = 14;

/// The number of each square on the diagonal or below it; of other squares, [`FOLDED`].
static FOLD: [u8; SQUARES] = {
    let mut fold = [FOLDED as u8; SQUARES];
    let (mut square, mut number) = (0, 0);
    while square < SQUARES {
        if square as u8 >= transpose(square as u8) {
            fold[square] = number;
            number += 1;
        }
        square += 1;
    }
    assert!(number == FOLDED as u8);
    fold
};

/// Whether a group with its first piece here is stored, or its mirror image.
pub(super) fn is_stored(square: u8) -> bool {
    usize::from(FOLD[usize::from(square)]) < FOLDED
}

/// The number of values in a table for so many pieces of both sides together.
pub(super) fn size(pieces: usize) -> usize {
    FOLDED * SQUARES.pow(pieces as u32 - 1)
}

/// The place of a position: the squares of the side that rolls, and those of the other, each in its
/// own frame.
#[inline]
pub(super) fn index(own: &[u8], enemy: &[u8]) -> usize {
    let fold = usize::from(FOLD[usize::from(own[0])]);
    if fold < FOLDED {
        digits(fold, &own[1..], enemy, |square| square)
    } else {
        let fold = usize::from(FOLD[usize::from(transpose(own[0]))]);
        digits(fold, &own[1..], enemy, transpose)
    }
}

/// The number with this first digit and the images of these squares.
#[inline]
fn digits(first: usize, own: &[u8], enemy: &[u8], image: impl Fn(u8) -> u8) -> usize {
    let squares = own.iter().chain(enemy);
    squares.fold(first, |number, &square| {
        number * SQUARES + usize::from(image(square))
    })
}

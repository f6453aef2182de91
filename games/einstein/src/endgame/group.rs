//! Groups of pieces, and their classes: which faces of the die move which piece.
//!
//! A lone piece is moved by every face, whatever its number. Every side rolls for itself, so the
//! numbers of one side can be reversed, as can the faces that it rolls (`d` to `7 − d`): the pieces 1
//! and 3 are as mobile as 6 and 4.

use crate::army::Army;
use crate::tables::MOVABLE;

/// Maximum number of pieces in a group.
pub(super) const MOST: usize = 3;

/// Number of classes: one of a lone piece, 9 of two pieces, 10 of three.
pub(super) const CLASSES: usize = 20;

/// The masks of one to three pieces with the lowest number in their class, by class.
pub(super) const MASKS: [u8; CLASSES] = {
    let mut masks = [0; CLASSES];
    let (mut class, mut count) = (0, 1);
    while count <= MOST as u32 {
        let mut mask: u8 = 1;
        while mask < 64 {
            if mask.count_ones() == count && lowest(mask) == mask {
                masks[class] = mask;
                class += 1;
            }
            mask += 1;
        }
        count += 1;
    }
    assert!(class == CLASSES);
    masks
};

/// The number of pieces by class.
const PIECES: [u8; CLASSES] = {
    let mut pieces = [0; CLASSES];
    let mut class = 0;
    while class < CLASSES {
        pieces[class] = MASKS[class].count_ones() as u8;
        class += 1;
    }
    pieces
};

/// The lowest mask of the same class.
const fn lowest(mask: u8) -> u8 {
    let reversed = mask.reverse_bits() >> 2;
    if mask.count_ones() == 1 {
        1
    } else if reversed < mask {
        reversed
    } else {
        mask
    }
}

/// The class of each mask; [`CLASSES`] for masks without one.
static CLASS_OF: [u8; 64] = {
    let mut classes = [CLASSES as u8; 64];
    let mut mask = 1;
    while mask < 64 {
        let mut class = 0;
        while class < CLASSES {
            if MASKS[class] == lowest(mask) {
                classes[mask as usize] = class as u8;
            }
            class += 1;
        }
        mask += 1;
    }
    classes
};

/// The number of pieces of a class.
#[inline]
pub(super) fn pieces(class: u8) -> u32 {
    PIECES[usize::from(class)].into()
}

/// One to three pieces of a side on the board, in the order of their class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Group {
    /// 0 to [`CLASSES`] − 1.
    pub(super) class: u8,
    count: u8,
    /// In the side's own frame; the first `count` are used.
    squares: [u8; MOST],
}

impl Group {
    /// The pieces of an army, which has one to three.
    #[inline]
    pub(super) fn of(army: Army) -> Group {
        let mut squares = [0; MOST];
        let mut rest = army.alive();
        for square in squares.iter_mut().take(rest.count_ones() as usize) {
            *square = army.field(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }
        Group::new(army.alive(), squares)
    }

    /// The pieces of this mask, with their squares in the order of their numbers.
    #[inline]
    fn new(mask: u8, mut squares: [u8; MOST]) -> Group {
        let class = CLASS_OF[usize::from(mask)];
        let count = PIECES[usize::from(class)];
        if mask != MASKS[usize::from(class)] {
            squares[..usize::from(count)].reverse();
        }
        Group {
            class,
            count,
            squares,
        }
    }

    /// The group of this class on these squares, of which as many are used as it has pieces.
    pub(super) fn of_class(class: u8, squares: [u8; MOST]) -> Group {
        Group::new(MASKS[usize::from(class)], squares)
    }

    /// The squares in the side's own frame.
    #[inline]
    pub(super) fn squares(&self) -> &[u8] {
        &self.squares[..usize::from(self.count)]
    }

    /// The group with one piece moved.
    pub(super) fn moved(mut self, piece: usize, target: u8) -> Group {
        self.squares[piece] = target;
        self
    }

    /// The group without one of its pieces, of which it has at least two.
    pub(super) fn without(self, piece: usize) -> Group {
        let mask = MASKS[usize::from(self.class)];
        let lower = (0..piece).fold(mask, |rest, _| rest & (rest - 1));
        let mut squares = self.squares;
        squares.copy_within(piece + 1.., piece);
        Group::new(mask & !(lower & lower.wrapping_neg()), squares)
    }
}

/// How many of the six faces move which pieces of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Faces {
    /// Faces that move only this piece.
    pub(super) only: [u8; MOST],
    /// Faces that move this piece or the next.
    pub(super) either: [u8; MOST - 1],
}

impl Faces {
    /// The faces of a class.
    pub(super) fn of(class: u8) -> Faces {
        let mask = MASKS[usize::from(class)];
        let place = |piece: u8| (mask & ((1 << piece) - 1)).count_ones() as usize;
        let mut faces = Faces {
            only: [0; MOST],
            either: [0; MOST - 1],
        };
        for [low, high] in &MOVABLE[usize::from(mask)][1..=6] {
            if low == high {
                faces.only[place(*low)] += 1;
            } else {
                faces.either[place(*low)] += 1;
            }
        }
        faces
    }
}

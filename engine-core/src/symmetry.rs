//! Symmetries of the rules, and one key for all images of a position under them.

use crate::position::{Move, Position};

/// A game that says which images of a position are the same position to a player: mirrors and
/// turns of the board that keep the meaning of everything on it. A symmetry does not exchange the
/// sides. [`crate::conformance()`] checks that symmetries commute with play, keep legal moves and
/// outcomes, and form a group.
pub trait Symmetric: Position {
    /// Number of symmetries of this position's rules, including the identity (number 0).
    fn symmetries(&self) -> u8 {
        1
    }

    /// This position under a symmetry, a number below [`Symmetric::symmetries`].
    fn transform(&self, symmetry: u8) -> Self {
        let _ = symmetry;
        self.clone()
    }

    /// A move of this position under a symmetry: a move of `self.transform(symmetry)`.
    fn transform_move(&self, symmetry: u8, mv: Self::Move) -> Self::Move {
        let _ = symmetry;
        mv
    }
}

/// The image of a column and row under a symmetry of a board, 0 to 7: bit 0 mirrors the columns, bit 1
/// the rows; bit 2 then exchanges columns and rows, for boards that are square. `last` is the largest
/// column and row.
#[must_use]
pub const fn mirrored(symmetry: u8, last: (u8, u8), (column, row): (u8, u8)) -> (u8, u8) {
    let column = if symmetry & 1 != 0 {
        last.0 - column
    } else {
        column
    };
    let row = if symmetry & 2 != 0 { last.1 - row } else { row };
    if symmetry & 4 != 0 {
        (row, column)
    } else {
        (column, row)
    }
}

/// A position up to symmetry: the smallest key of its images, and the symmetries that lead to the
/// image with that key. Several do if the position is itself symmetric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    key: u64,
    symmetries: Vec<u8>,
}

impl Canonical {
    /// The canonical form of a position.
    pub fn of<P: Symmetric>(position: &P) -> Canonical {
        let mut found = Canonical {
            key: position.key(),
            symmetries: vec![0],
        };
        for symmetry in 1..position.symmetries() {
            let key = position.transform(symmetry).key();
            if key < found.key {
                found.key = key;
                found.symmetries.clear();
            }
            if key == found.key {
                found.symmetries.push(symmetry);
            }
        }
        found
    }

    /// The key that all images of the position share.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// A move of `position`, of which this is the canonical form, as the bits that it shares with
    /// all moves that lead to the same position up to symmetry.
    pub fn image<P: Symmetric>(&self, position: &P, mv: P::Move) -> u32 {
        let images = self.symmetries.iter();
        let images = images.map(|&symmetry| position.transform_move(symmetry, mv).to_bits());
        images.min().unwrap_or(mv.to_bits())
    }
}

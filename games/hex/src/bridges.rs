//! Bridges that nobody can break.

use crate::board::{Colour, Hex};
use crate::geometry::{CellSet, MAX_SIZE};

/// The cells of the bridges of a colour: pairs of adjacent empty cells whose two common neighbours
/// are its stones or edges. When the other side takes one cell, the colour takes the second. A cell
/// that two bridges need holds neither, and is left out with its partners.
pub(crate) fn held(position: &Hex, colour: Colour) -> CellSet {
    let size = position.size();
    let border = match colour {
        Colour::Red => CellSet::above_and_below(size),
        Colour::Blue => CellSet::left_and_right(size),
    };
    let own = position.stones(colour).union(&border);
    let empty = position.empty_cells();
    let pairs = Pairs::find(&own, &empty, size);
    pairs.undisputed(size)
}

/// Upper or left cells of the pairs, by the direction in which the other cell is: right, below,
/// below left.
struct Pairs {
    right: [u32; MAX_SIZE + 2],
    below: [u32; MAX_SIZE + 2],
    below_left: [u32; MAX_SIZE + 2],
}

impl Pairs {
    /// Bit arithmetic on rows: a neighbour to the right is one bit higher.
    fn find(own: &CellSet, empty: &CellSet, size: u8) -> Pairs {
        let (own, empty) = (own.words(), empty.words());
        let mut pairs = Pairs {
            right: [0; MAX_SIZE + 2],
            below: [0; MAX_SIZE + 2],
            below_left: [0; MAX_SIZE + 2],
        };
        for row in 1..=size as usize {
            // Common neighbours of a cell and the one to its right: above right, and below.
            pairs.right[row] = empty[row] & empty[row] >> 1 & own[row - 1] >> 1 & own[row + 1];
            // Of a cell and the one below: right, and below left.
            pairs.below[row] = empty[row] & empty[row + 1] & own[row] >> 1 & own[row + 1] << 1;
            // Of a cell and the one below left: left, and below.
            pairs.below_left[row] = empty[row] & empty[row + 1] << 1 & own[row] << 1 & own[row + 1];
        }
        pairs
    }

    /// The cells of those pairs that share no cell with another.
    fn undisputed(&self, size: u8) -> CellSet {
        let (mut once, mut twice) = ([0u32; MAX_SIZE + 2], [0u32; MAX_SIZE + 2]);
        let mut count = |row: usize, cells: u32| {
            twice[row] |= once[row] & cells;
            once[row] |= cells;
        };
        for row in 1..=size as usize {
            count(row, self.right[row]);
            count(row, self.right[row] << 1);
            count(row, self.below[row]);
            count(row + 1, self.below[row]);
            count(row, self.below_left[row]);
            count(row + 1, self.below_left[row] >> 1);
        }
        let mut held = [0; MAX_SIZE + 2];
        for row in 1..=size as usize {
            let right = self.right[row] & !twice[row] & !(twice[row] >> 1);
            let below = self.below[row] & !twice[row] & !twice[row + 1];
            let below_left = self.below_left[row] & !twice[row] & !(twice[row + 1] << 1);
            held[row] |= right | right << 1 | below | below_left;
            held[row + 1] |= below | below_left >> 1;
        }
        CellSet::from_words(held)
    }
}

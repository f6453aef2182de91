//! A cell as a move.

use engine_core::Move;

/// One cell, which the side to move marks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The cell of a column and row, both from 0, both below 3.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Cell {
        Cell(row * 3 + column)
    }

    /// The cell with this index: a1, b1, c1, a2, …
    #[inline]
    pub const fn from_index(index: u8) -> Cell {
        Cell(index)
    }

    /// The index, 0 to 8. Larger for a cell decoded from arbitrary bits.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column from 0, left to right.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 % 3
    }

    /// Row from 0, bottom to top. Off the board for a cell decoded from arbitrary bits.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 / 3
    }
}

impl Move for Cell {
    #[inline]
    fn to_bits(self) -> u32 {
        u32::from(self.0) + 1
    }

    #[inline]
    fn from_bits(bits: u32) -> Cell {
        Cell(bits.wrapping_sub(1) as u8)
    }
}

//! Cells, sets of cells, the four lines through each cell, and the symmetries of the board.
//!
//! A cell is `row * 32 + column`. Shifts extract both.

use std::ops::Range;

use engine_core::mirrored;
use engine_core::rows::{RowCell, Rows};

/// Columns and rows of the largest board.
pub(crate) const MAX_SIZE: usize = 20;
/// Columns and rows of the smallest board: a line must have room for a five.
pub(crate) const MIN_SIZE: usize = 5;
/// Difference between the numbers of a cell and the cell above it.
const STRIDE: usize = 32;
/// One more than the number of the last cell, rounded up to whole rows.
pub(crate) const CELLS: usize = MAX_SIZE * STRIDE;
/// One more than the number of the last cell of the first 19 rows, rounded up to whole rows. Opening
/// books have keys of stones and bits of moves from the time when no board was larger. So the row
/// above has its keys and bits after all others.
pub(crate) const EARLIER_CELLS: usize = 19 * STRIDE;

/// A cell of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell(u16);

impl Cell {
    /// The cell at a column and row, both from 0, both below 20.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Cell {
        Cell(row as u16 * STRIDE as u16 + column as u16)
    }

    /// Column from 0, left to right.
    #[inline]
    pub const fn column(self) -> u8 {
        (self.0 % STRIDE as u16) as u8
    }

    /// Row from 0, bottom to top.
    #[inline]
    pub const fn row(self) -> u8 {
        (self.0 / STRIDE as u16) as u8
    }

    /// The number of the cell, below 640.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell of a number; the caller knows that it is one.
    #[inline]
    pub const fn from_index(index: usize) -> Cell {
        Cell(index as u16)
    }

    /// Whether the cell is on a board of `size`.
    #[inline]
    pub const fn is_on(self, size: u8) -> bool {
        self.column() < size && self.row() < size
    }

    /// The image under a symmetry of the board, as [`engine_core::mirrored`].
    #[must_use]
    pub const fn transformed(self, symmetry: u8, size: u8) -> Cell {
        let last = size - 1;
        let (column, row) = mirrored(symmetry, (last, last), (self.column(), self.row()));
        Cell::new(column, row)
    }
}

impl RowCell for Cell {
    #[inline]
    fn at(column: u8, row: u8) -> Cell {
        Cell::new(column, row)
    }

    #[inline]
    fn place(self) -> (u8, usize) {
        (self.column(), self.row().into())
    }
}

/// A set of cells.
pub type Cells = Rows<Cell, MAX_SIZE>;

/// The lines of the largest board.
type OfBoard = engine_core::rows::Lines<MAX_SIZE>;
/// Number of lines.
pub(crate) const LINES: usize = OfBoard::COUNT;

/// A word for every line, rows first: the cells of a set on it.
pub(crate) type Lines = [u32; LINES];

/// The row, column, rising and falling diagonal through a cell, each with the number of the cell's
/// bit.
#[inline(always)]
pub(crate) const fn lines_through(cell: Cell) -> [(usize, u32); 4] {
    OfBoard::through(cell.column() as usize, cell.row() as usize)
}

/// The cell at bit `bit` of a line.
#[inline]
pub(crate) const fn cell_on_line(line: usize, bit: usize) -> Cell {
    let (column, row) = OfBoard::cell(line, bit);
    Cell::new(column as u8, row as u8)
}

/// The lines that have room for a five on a board of `size`.
#[inline]
pub(crate) const fn lines_with_room(size: usize) -> [Range<usize>; 4] {
    // Distance of the last diagonal with room from the long one.
    let far = size - MIN_SIZE;
    let (rising, falling) = (OfBoard::RISING + MAX_SIZE - 1, OfBoard::FALLING + size - 1);
    [
        0..size,
        OfBoard::COLUMNS..OfBoard::COLUMNS + size,
        rising - far..rising + far + 1,
        falling - far..falling + far + 1,
    ]
}

/// The cells of each line, of every size from [`MIN_SIZE`].
pub(crate) static MASKS: [Lines; MAX_SIZE - MIN_SIZE + 1] = OfBoard::all_masks();

/// The first bits of all runs of five set bits.
#[inline(always)]
pub(crate) const fn fives(line: u32) -> u32 {
    let twos = line & line >> 1;
    twos & twos >> 2 & line >> 4
}

/// The first bits of the runs of exactly five set bits.
#[inline(always)]
pub(crate) const fn exact_fives(line: u32) -> u32 {
    fives(line) & !(line << 1) & !(line >> 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_room_are_those_of_five_cells_or_more() {
        for size in MIN_SIZE..=MAX_SIZE {
            let found: Vec<usize> = lines_with_room(size).into_iter().flatten().collect();
            let has_room = |&line: &usize| MASKS[size - MIN_SIZE][line].count_ones() >= 5;
            let expected: Vec<usize> = (0..LINES).filter(has_room).collect();
            assert_eq!(found, expected, "{size}");
        }
    }

    #[test]
    fn fives_are_found_and_overlines_are_not_exact() {
        for (line, five, exact) in [
            (0b1111, 0, 0),
            (0b11111, 1, 1),
            (0b111_1101_1111, 0b1000001, 0b1000001),
            (0b111111, 0b11, 0),
            (0b11111 << 15, 1 << 15, 1 << 15),
            (0b1111_1011_1111, 0b10000011, 0b10000000),
        ] {
            assert_eq!((fives(line), exact_fives(line)), (five, exact), "{line:b}");
        }
    }

    #[test]
    fn symmetries_are_eight_and_keep_the_centre() {
        let corner = Cell::new(1, 0);
        let mut images: Vec<Cell> = (0..8).map(|s| corner.transformed(s, 15)).collect();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
        let centre = Cell::new(7, 7);
        assert!((0..8).all(|symmetry| centre.transformed(symmetry, 15) == centre));
    }
}

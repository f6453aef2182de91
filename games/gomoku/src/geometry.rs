//! Cells, sets of cells, the four lines through each cell, and the symmetries of the board.
//!
//! A cell is `row * 32 + column`. Shifts extract both.

use std::ops::Range;

use engine_core::mirrored;

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

/// A set of cells, one word per row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cells(pub(crate) [u32; MAX_SIZE]);

impl Cells {
    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.row() as usize] |= 1 << cell.column();
    }

    /// Whether the set has this cell, which may be off the board.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        let row = self.0.get(cell.row() as usize);
        row.is_some_and(|row| row >> cell.column() & 1 == 1)
    }

    /// Whether the set has no cell.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    /// Number of cells.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    fn zip(&self, other: &Cells, op: impl Fn(u32, u32) -> u32) -> Cells {
        Cells(std::array::from_fn(|row| op(self.0[row], other.0[row])))
    }

    /// The cells of either set.
    #[must_use]
    pub fn union(&self, other: &Cells) -> Cells {
        self.zip(other, |a, b| a | b)
    }

    /// The cells that are not in `other`.
    #[must_use]
    pub fn without(&self, other: &Cells) -> Cells {
        self.zip(other, |a, b| a & !b)
    }

    /// The cells of both sets.
    #[must_use]
    pub fn intersection(&self, other: &Cells) -> Cells {
        self.zip(other, |a, b| a & b)
    }

    /// The cells within two columns and two rows of those of the set, and the set itself; some may
    /// be off the board.
    #[must_use]
    pub(crate) fn widened(&self) -> Cells {
        // Two empty rows below and above.
        let mut wide = [0; MAX_SIZE + 4];
        for (row, &bits) in self.0.iter().enumerate() {
            wide[row + 2] = bits | bits << 1 | bits << 2 | bits >> 1 | bits >> 2;
        }
        Cells(std::array::from_fn(|row| {
            wide[row] | wide[row + 1] | wide[row + 2] | wide[row + 3] | wide[row + 4]
        }))
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        self.0.into_iter().enumerate().flat_map(|(row, bits)| {
            Bits(bits).map(move |column| Cell::new(column as u8, row as u8))
        })
    }

    /// The cell at index `rank`; `None` if the set has no more than `rank` cells.
    pub(crate) fn nth(&self, mut rank: u32) -> Option<Cell> {
        for (row, &bits) in self.0.iter().enumerate() {
            let count = bits.count_ones();
            if rank < count {
                let column = Bits(bits).nth(rank as usize)?;
                return Some(Cell::new(column as u8, row as u8));
            }
            rank -= count;
        }
        None
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Cells {
        let mut set = Cells::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

/// The positions of the set bits, lowest first.
pub(crate) struct Bits(pub(crate) u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        (self.0 != 0).then(|| {
            let bit = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            bit
        })
    }
}

/// Lines of the largest board: rows, columns, and diagonals of both directions.
pub(crate) const LINES: usize = 2 * MAX_SIZE + 2 * DIAGONALS;
const DIAGONALS: usize = 2 * MAX_SIZE - 1;
const COLUMNS: usize = MAX_SIZE;
const RISING: usize = 2 * MAX_SIZE;
const FALLING: usize = RISING + DIAGONALS;

/// A word for every line, rows first: the cells of a set on it.
pub(crate) type Lines = [u32; LINES];

/// The row, column, rising and falling diagonal through a cell, each with the number of the cell's
/// bit: its row in a column, otherwise its column.
#[inline(always)]
pub(crate) const fn lines_through(cell: Cell) -> [(usize, u32); 4] {
    let (column, row) = (cell.column() as usize, cell.row() as usize);
    [
        (row, column as u32),
        (COLUMNS + column, row as u32),
        (RISING + MAX_SIZE - 1 + column - row, column as u32),
        (FALLING + column + row, column as u32),
    ]
}

/// The cell at bit `bit` of a line.
#[inline]
pub(crate) const fn cell_on_line(line: usize, bit: usize) -> Cell {
    let (column, row) = if line < COLUMNS {
        (bit, line)
    } else if line < RISING {
        (line - COLUMNS, bit)
    } else if line < FALLING {
        (bit, RISING + MAX_SIZE - 1 + bit - line)
    } else {
        (bit, line - FALLING - bit)
    };
    Cell::new(column as u8, row as u8)
}

/// The lines that have room for a five on a board of `size`.
#[inline]
pub(crate) const fn lines_with_room(size: usize) -> [Range<usize>; 4] {
    // Distance of the last diagonal with room from the long one.
    let far = size - MIN_SIZE;
    let (rising, falling) = (RISING + MAX_SIZE - 1, FALLING + size - 1);
    [
        0..size,
        COLUMNS..COLUMNS + size,
        rising - far..rising + far + 1,
        falling - far..falling + far + 1,
    ]
}

/// The cells of each line on a board of `size`.
const fn line_masks(size: usize) -> Lines {
    let mut masks = [0; LINES];
    let mut cell = 0;
    while cell < size * size {
        let through = lines_through(Cell::new((cell % size) as u8, (cell / size) as u8));
        let mut i = 0;
        while i < through.len() {
            masks[through[i].0] |= 1 << through[i].1;
            i += 1;
        }
        cell += 1;
    }
    masks
}

/// [`line_masks`] of every size from [`MIN_SIZE`].
pub(crate) static MASKS: [Lines; MAX_SIZE - MIN_SIZE + 1] = {
    let mut all = [[0; LINES]; MAX_SIZE - MIN_SIZE + 1];
    let mut i = 0;
    while i < all.len() {
        all[i] = line_masks(MIN_SIZE + i);
        i += 1;
    }
    all
};

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

    fn all_cells() -> impl Iterator<Item = Cell> {
        let lines = 0..MAX_SIZE as u8;
        let of_row = move |row| lines.clone().map(move |column| Cell::new(column, row));
        (0..MAX_SIZE as u8).flat_map(of_row)
    }

    #[test]
    fn lines_give_their_cells_back() {
        for cell in all_cells() {
            for (line, bit) in lines_through(cell) {
                assert_eq!(cell_on_line(line, bit as usize), cell);
            }
        }
    }

    #[test]
    fn every_cell_lies_on_four_lines_of_its_board() {
        for size in MIN_SIZE..=MAX_SIZE {
            let bits: u32 = MASKS[size - MIN_SIZE].iter().map(|m| m.count_ones()).sum();
            assert_eq!(bits as usize, 4 * size * size);
        }
    }

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

    #[test]
    fn ranks_select_every_cell() {
        let set: Cells = all_cells().filter(|cell| cell.index() % 7 < 3).collect();
        let ranked: Vec<Cell> = (0..set.count()).filter_map(|rank| set.nth(rank)).collect();
        assert_eq!(ranked, set.cells().collect::<Vec<_>>());
        assert_eq!(set.nth(set.count()), None);
    }
}

//! Boards of at most 32 columns with a word for each row: sets of cells, and the four lines through
//! each cell.

use std::marker::PhantomData;

/// A cell of such a board.
pub trait RowCell: Copy {
    /// The cell at a column and a row, from 0.
    fn at(column: u8, row: u8) -> Self;

    /// Its column and row. One that is not on a board may have any.
    fn place(self) -> (u8, usize);
}

/// A set of the cells of `N` rows, a bit for each column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows<C, const N: usize> {
    /// The words of the rows.
    pub rows: [u32; N],
    cell: PhantomData<C>,
}

/// No cells.
impl<C, const N: usize> Default for Rows<C, N> {
    fn default() -> Self {
        Rows::new([0; N])
    }
}

impl<C, const N: usize> Rows<C, N> {
    /// The set with these rows.
    #[inline]
    pub const fn new(rows: [u32; N]) -> Self {
        Rows {
            rows,
            cell: PhantomData,
        }
    }

    /// Whether the set has no cell.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// Number of cells.
    #[inline]
    pub fn count(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    #[inline]
    fn zip(&self, other: &Self, op: impl Fn(u32, u32) -> u32) -> Self {
        Rows::new(std::array::from_fn(|row| {
            op(self.rows[row], other.rows[row])
        }))
    }

    /// The cells of either set.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// The cells that are not in `other`.
    #[must_use]
    #[inline]
    pub fn without(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// The cells of both sets.
    #[must_use]
    #[inline]
    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// The cells within two columns and two rows of those of the set, and the set itself; some may
    /// be off the board.
    #[must_use]
    #[inline]
    pub fn widened(&self) -> Self {
        let wide = self
            .rows
            .map(|bits| bits | bits << 1 | bits << 2 | bits >> 1 | bits >> 2);
        Rows::new(std::array::from_fn(|row| {
            let near = row.saturating_sub(2)..N.min(row + 3);
            wide[near].iter().fold(0, |all, bits| all | bits)
        }))
    }
}

impl<C: RowCell, const N: usize> Rows<C, N> {
    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: C) {
        let (column, row) = cell.place();
        self.rows[row] |= 1 << column;
    }

    /// Whether the set has this cell, which may be off the board.
    #[inline]
    pub fn contains(&self, cell: C) -> bool {
        let (column, row) = cell.place();
        let row = self.rows.get(row);
        row.is_some_and(|row| row >> column & 1 == 1)
    }

    /// All cells, row by row.
    #[inline]
    pub fn cells(self) -> impl Iterator<Item = C> {
        self.rows
            .into_iter()
            .enumerate()
            .flat_map(|(row, bits)| Bits(bits).map(move |column| C::at(column as u8, row as u8)))
    }

    /// The cell at index `rank`; `None` if the set has no more than `rank` cells.
    #[inline]
    pub fn nth(&self, mut rank: u32) -> Option<C> {
        for (row, &bits) in self.rows.iter().enumerate() {
            let count = bits.count_ones();
            if rank < count {
                let column = Bits(bits).nth(rank as usize)?;
                return Some(C::at(column as u8, row as u8));
            }
            rank -= count;
        }
        None
    }
}

impl<C: RowCell, const N: usize> FromIterator<C> for Rows<C, N> {
    fn from_iter<I: IntoIterator<Item = C>>(cells: I) -> Self {
        let mut set = Rows::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

/// The positions of the set bits of a word, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Bits(pub u32);

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

/// The lines of a board of at most `MAX` columns and rows: rows, columns, and diagonals of both
/// directions, which rise and fall to the right. A cell is a bit of its line: its row in a column,
/// otherwise its column.
#[derive(Clone, Copy, Debug)]
pub struct Lines<const MAX: usize>;

impl<const MAX: usize> Lines<MAX> {
    const DIAGONALS: usize = 2 * MAX - 1;
    /// The number of the first column; rows are first.
    pub const COLUMNS: usize = MAX;
    /// The number of the first rising diagonal.
    pub const RISING: usize = 2 * MAX;
    /// The number of the first falling diagonal.
    pub const FALLING: usize = Self::RISING + Self::DIAGONALS;
    /// Number of lines.
    pub const COUNT: usize = Self::FALLING + Self::DIAGONALS;

    /// The row, column, rising and falling diagonal through a cell, each with the number of the
    /// cell's bit.
    #[inline(always)]
    pub const fn through(column: usize, row: usize) -> [(usize, u32); 4] {
        [
            (row, column as u32),
            (Self::COLUMNS + column, row as u32),
            (Self::RISING + MAX - 1 + column - row, column as u32),
            (Self::FALLING + column + row, column as u32),
        ]
    }

    /// Column and row of the cell at a bit of a line.
    #[inline(always)]
    pub const fn cell(line: usize, bit: usize) -> (usize, usize) {
        if line < Self::COLUMNS {
            (bit, line)
        } else if line < Self::RISING {
            (line - Self::COLUMNS, bit)
        } else if line < Self::FALLING {
            (bit, Self::RISING + MAX - 1 + bit - line)
        } else {
            (bit, line - Self::FALLING - bit)
        }
    }

    /// The cells of each line on a board of `size`; `COUNT` is [`Lines::COUNT`].
    pub const fn masks<const COUNT: usize>(size: usize) -> [u32; COUNT] {
        let mut masks = [0; COUNT];
        let mut cell = 0;
        while cell < size * size {
            let through = Self::through(cell % size, cell / size);
            let mut i = 0;
            while i < through.len() {
                masks[through[i].0] |= 1 << through[i].1;
                i += 1;
            }
            cell += 1;
        }
        masks
    }

    /// [`Lines::masks`] of `SIZES` sizes up to `MAX`, the smallest first.
    pub const fn all_masks<const COUNT: usize, const SIZES: usize>() -> [[u32; COUNT]; SIZES] {
        let mut all = [[0; COUNT]; SIZES];
        let mut i = 0;
        while i < SIZES {
            all[i] = Self::masks(MAX - SIZES + 1 + i);
            i += 1;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Cell(u8, u8);

    impl RowCell for Cell {
        fn at(column: u8, row: u8) -> Cell {
            Cell(column, row)
        }

        fn place(self) -> (u8, usize) {
            (self.0, self.1.into())
        }
    }

    fn all<const MAX: u8>() -> impl Iterator<Item = Cell> {
        (0..MAX).flat_map(|row| (0..MAX).map(move |column| Cell(column, row)))
    }

    fn set(cells: impl IntoIterator<Item = Cell>) -> Rows<Cell, 20> {
        cells.into_iter().collect()
    }

    #[test]
    fn ranks_select_every_cell() {
        let some = |cell: &Cell| (cell.0 * 7 + cell.1 * 5) % 7 < 3;
        let cells: Vec<Cell> = all::<20>().filter(some).collect();
        let found = set(cells.iter().copied());
        assert_eq!(found.cells().collect::<Vec<_>>(), cells);
        let ranked: Vec<Cell> = (0..found.count())
            .filter_map(|rank| found.nth(rank))
            .collect();
        assert_eq!(ranked, cells);
        assert_eq!(found.nth(found.count()), None);
        assert!(all::<20>().all(|cell| found.contains(cell) == some(&cell)));
        assert!(!found.contains(Cell(3, 20)) && !found.is_empty());
        assert!(set([]).is_empty() && set([]).count() == 0);
    }

    #[test]
    fn sets_are_joined_cell_by_cell() {
        let [one, other] =
            [3, 4].map(|by| set(all::<20>().filter(|cell| (cell.0 + cell.1) % by == 0)));
        for cell in all::<20>() {
            let (a, b) = (one.contains(cell), other.contains(cell));
            assert_eq!(one.union(&other).contains(cell), a || b);
            assert_eq!(one.intersection(&other).contains(cell), a && b);
            assert_eq!(one.without(&other).contains(cell), a && !b);
        }
    }

    #[test]
    fn a_set_is_widened_by_two_columns_and_two_rows() {
        for middle in [
            Cell(0, 0),
            Cell(5, 1),
            Cell(19, 19),
            Cell(9, 18),
            Cell(1, 10),
        ] {
            let wide = set([middle]).widened();
            for cell in all::<20>() {
                let near = cell.0.abs_diff(middle.0) <= 2 && cell.1.abs_diff(middle.1) <= 2;
                assert_eq!(wide.contains(cell), near, "{cell:?} of {middle:?}");
            }
        }
    }

    fn check_lines<const MAX: usize, const COUNT: usize>(cells: impl Iterator<Item = Cell>) {
        assert_eq!(Lines::<MAX>::COUNT, COUNT);
        for Cell(column, row) in cells {
            let (column, row) = (column.into(), row.into());
            for (line, bit) in Lines::<MAX>::through(column, row) {
                assert_eq!(Lines::<MAX>::cell(line, bit as usize), (column, row));
            }
        }
        let all = Lines::<MAX>::all_masks::<COUNT, 15>();
        for (size, masks) in (MAX - 14..).zip(all) {
            let bits: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
            assert_eq!(bits as usize, 4 * size * size);
        }
    }

    #[test]
    fn every_cell_lies_on_four_lines_that_give_it_back() {
        check_lines::<19, 112>(all::<19>());
        check_lines::<20, 118>(all::<20>());
    }
}

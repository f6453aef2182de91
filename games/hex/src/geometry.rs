//! Cells and sets of cells on the hexagonal board.
//!
//! A set holds one word per row. A border of one row above and below and one column left and right
//! makes edge tests unnecessary when looking at neighbours.

/// The largest board: 19×19.
pub(crate) const MAX_SIZE: usize = 19;

/// A cell of the board. A cell decoded from arbitrary bits may be off the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// Column from the left, from 0: `a` is 0.
    pub column: u8,
    /// Row from the top, from 0: row `1` is 0.
    pub row: u8,
}

impl Cell {
    /// The cell at a column and a row, both from 0.
    pub const fn new(column: u8, row: u8) -> Cell {
        Cell { column, row }
    }

    /// The cell mirrored in the main diagonal, which exchanges the edges of the two colours.
    #[must_use]
    pub const fn mirrored(self) -> Cell {
        Cell::new(self.row, self.column)
    }

    /// The cell rotated by 180° on a board of `size`; each colour keeps its edges.
    #[must_use]
    pub const fn rotated(self, size: u8) -> Cell {
        Cell::new(size - 1 - self.column, size - 1 - self.row)
    }

    /// The neighbour in a direction below 6 (see [`STEPS`]); it must be on the board.
    #[inline]
    #[must_use]
    pub const fn neighbour(self, direction: usize) -> Cell {
        let (columns, rows) = STEPS[direction];
        Cell::new(
            self.column.wrapping_add_signed(columns),
            self.row.wrapping_add_signed(rows),
        )
    }

    /// Whether the cell is on a board of `size`.
    #[inline]
    pub const fn is_on(self, size: u8) -> bool {
        self.column < size && self.row < size
    }

    /// Index in tables for a board of [`MAX_SIZE`]. The cell must be on that board.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.row as usize * MAX_SIZE + self.column as usize
    }
}

/// Steps to the six neighbours as (columns, rows), clockwise from the one above.
pub const STEPS: [(i8, i8); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];

/// A set of cells; it may contain border cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellSet([u32; MAX_SIZE + 2]);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet([0; MAX_SIZE + 2]);

    /// All cells of a board.
    pub fn board(size: u8) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.0[1..=size as usize].fill(row_mask(size));
        set
    }

    /// The border above the board.
    pub fn above(size: u8) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.0[0] = row_mask(size + 1);
        set
    }

    /// The border left of the board.
    pub fn left(size: u8) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.0[1..=size as usize + 1].fill(1);
        set
    }

    /// The border above and below the board.
    pub fn above_and_below(size: u8) -> CellSet {
        let mut set = CellSet::above(size);
        set.0[size as usize + 1] = row_mask(size) | 1;
        set
    }

    /// The border left and right of the board.
    pub fn left_and_right(size: u8) -> CellSet {
        let mut set = CellSet::left(size);
        for row in &mut set.0[..=size as usize] {
            *row |= 2 << size;
        }
        set
    }

    /// Whether a cell of the board is in the set.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.row as usize + 1] >> (cell.column + 1) & 1 != 0
    }

    /// Adds a cell of the board.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.row as usize + 1] |= 2 << cell.column;
    }

    /// Removes a cell of the board.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.row as usize + 1] &= !(2 << cell.column);
    }

    /// The cells of a row of the board: bit `column + 1`.
    #[inline]
    pub fn row(&self, row: usize) -> u32 {
        self.0[row + 1]
    }

    /// Replaces a row of the board.
    #[inline]
    pub fn set_row(&mut self, row: usize, cells: u32) {
        self.0[row + 1] = cells;
    }

    /// The neighbours of a cell that are in the set: one bit for each of [`STEPS`].
    #[inline]
    pub fn around(&self, cell: Cell) -> u32 {
        let row = cell.row as usize;
        let above = self.0[row] >> (cell.column + 1) & 0b11;
        let beside = self.0[row + 1] >> cell.column & 0b101;
        let below = self.0[row + 2] >> cell.column & 0b11;
        above | (beside & 4) | (below & 2) << 2 | (below & 1) << 4 | (beside & 1) << 5
    }

    /// The cells on the board, row by row from the top left.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let set = *self;
        let (mut row, mut bits) = (0, set.0[1]);
        std::iter::from_fn(move || {
            while bits == 0 {
                if row + 1 == MAX_SIZE {
                    return None;
                }
                row += 1;
                bits = set.0[row + 1];
            }
            let column = bits.trailing_zeros() - 1;
            bits &= bits - 1;
            Some(Cell::new(column as u8, row as u8))
        })
    }

    /// Calls `f` for each cell of a board of `size`, in the order of [`CellSet::cells`].
    #[inline]
    pub(crate) fn each(&self, size: u8, mut f: impl FnMut(Cell)) {
        for row in 0..size {
            let mut bits = self.0[row as usize + 1];
            while bits != 0 {
                f(Cell::new(bits.trailing_zeros() as u8 - 1, row));
                bits &= bits - 1;
            }
        }
    }

    /// Combines two sets row by row, border included: `low` in the lower half of a word, `high` in
    /// the upper.
    pub(crate) fn side_by_side(low: &CellSet, high: &CellSet) -> [u64; MAX_SIZE + 2] {
        std::array::from_fn(|row| low.0[row] as u64 | (high.0[row] as u64) << 32)
    }

    /// The set in the lower halves.
    pub(crate) fn lower_half(rows: &[u64; MAX_SIZE + 2]) -> CellSet {
        CellSet(rows.map(|row| row as u32))
    }

    /// Number of cells in the set, which must have no border cells.
    #[inline]
    pub fn count(&self) -> u32 {
        // Two rows per word: counting is slow on machines without a popcount instruction.
        self.0[1..=MAX_SIZE + 1]
            .chunks_exact(2)
            .map(|pair| (pair[0] as u64 | (pair[1] as u64) << 32).count_ones())
            .sum()
    }

    /// The cells of `self` that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(&self, other: &CellSet) -> CellSet {
        CellSet(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The cells of either set.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &CellSet) -> CellSet {
        CellSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// All cells of `self` that are connected within `self` to `seed`, a subset of `self`.
    #[must_use]
    pub fn joined_to(&self, seed: &CellSet, size: u8) -> CellSet {
        let mut reached = *seed;
        loop {
            sweep_down(&self.0, &mut reached.0, size);
            if !sweep_up(&self.0, &mut reached.0, size) {
                return reached;
            }
        }
    }

    /// Whether the set connects the top row to the bottom row.
    #[inline]
    pub fn crosses_down(&self, size: u8) -> bool {
        let mut reached = [0; MAX_SIZE + 2];
        reached[1] = self.0[1];
        loop {
            sweep_down(&self.0, &mut reached, size);
            if reached[size as usize] != 0 {
                return true;
            }
            if !sweep_up(&self.0, &mut reached, size) {
                return false;
            }
        }
    }

    /// Whether the set contains a cell of the bottom row.
    #[inline]
    pub fn touches_bottom(&self, size: u8) -> bool {
        self.0[size as usize] & row_mask(size) != 0
    }

    /// Whether the set contains a cell of the rightmost column.
    #[inline]
    pub fn touches_right(&self, size: u8) -> bool {
        let rightmost = 1 << size;
        self.0[1..=size as usize]
            .iter()
            .any(|row| row & rightmost != 0)
    }
}

/// A full row.
#[inline]
const fn row_mask(size: u8) -> u32 {
    (2 << size) - 2
}

/// Spreads `reached` within `cells` along the rows and downwards, from the top row.
#[inline]
fn sweep_down(cells: &[u32; MAX_SIZE + 2], reached: &mut [u32; MAX_SIZE + 2], size: u8) {
    let mut above = 0;
    for row in 1..=size as usize {
        let seed = reached[row] | (above | above >> 1) & cells[row];
        above = spread_along(seed, cells[row]);
        reached[row] = above;
    }
}

/// As [`sweep_down`], from the bottom row upwards. Returns whether a cell was added.
#[inline]
fn sweep_up(cells: &[u32; MAX_SIZE + 2], reached: &mut [u32; MAX_SIZE + 2], size: u8) -> bool {
    let (mut below, mut new) = (0, 0);
    for row in (1..=size as usize).rev() {
        let seed = reached[row] | (below | below << 1) & cells[row];
        below = spread_along(seed, cells[row]);
        new |= below ^ reached[row];
        reached[row] = below;
    }
    new != 0
}

/// The runs of adjacent `cells` in a row that contain a cell of `seed`, a subset of `cells`.
#[inline]
fn spread_along(seed: u32, mut cells: u32) -> u32 {
    // The carry of an addition spreads upwards from a seed; downwards, the spread doubles.
    let mut reached = seed | cells & !cells.wrapping_add(seed);
    reached |= cells & reached >> 1;
    cells &= cells >> 1;
    reached |= cells & reached >> 2;
    cells &= cells >> 2;
    reached |= cells & reached >> 4;
    cells &= cells >> 4;
    reached |= cells & reached >> 8;
    cells &= cells >> 8;
    reached | cells & reached >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_goes_round() {
        for size in [2u8, 11, 19] {
            for cell in CellSet::board(size).cells() {
                for (bit, (dx, dy)) in STEPS.into_iter().enumerate() {
                    let (column, row) = (cell.column as i8 + dx, cell.row as i8 + dy);
                    let inside = 0..size as i8;
                    if !inside.contains(&column) || !inside.contains(&row) {
                        continue;
                    }
                    let mut set = CellSet::EMPTY;
                    set.insert(Cell::new(column as u8, row as u8));
                    assert_eq!(set.around(cell), 1 << bit, "{cell:?} {dx} {dy}");
                }
            }
        }
    }

    #[test]
    fn borders_touch_the_outer_cells_only() {
        for size in [2u8, 5, 19] {
            let last = size - 1;
            let (vertical, horizontal) = (
                CellSet::above_and_below(size),
                CellSet::left_and_right(size),
            );
            for cell in CellSet::board(size).cells() {
                let touches = |set: &CellSet| set.around(cell) != 0;
                assert_eq!(touches(&CellSet::above(size)), cell.row == 0);
                assert_eq!(touches(&CellSet::left(size)), cell.column == 0);
                assert_eq!(touches(&vertical), cell.row == 0 || cell.row == last);
                assert_eq!(
                    touches(&horizontal),
                    cell.column == 0 || cell.column == last
                );
            }
        }
    }

    #[test]
    fn runs_are_filled_whole() {
        for cells in 0..1u32 << 9 {
            for at in 0..9 {
                let seed = cells & 1 << at;
                let mut slow = seed;
                for _ in 0..9 {
                    slow |= (slow << 1 | slow >> 1) & cells;
                }
                assert_eq!(spread_along(seed, cells), slow);
                assert_eq!(spread_along(seed << 11, cells << 11), slow << 11);
            }
        }
        assert_eq!(spread_along(1 << 19, row_mask(19)), row_mask(19));
    }

    #[test]
    fn cells_are_listed_in_order_and_counted() {
        let board = CellSet::board(19);
        let cells: Vec<Cell> = board.cells().collect();
        assert_eq!(cells.len(), 361);
        assert_eq!(board.count(), 361);
        assert!(
            cells
                .windows(2)
                .all(|pair| pair[0].index() < pair[1].index())
        );
    }
}

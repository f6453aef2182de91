//! Cells, the four lines through each of them, and the windows of six cells on those lines.
//!
//! A cell is `row * 32 + column`: both come out by shifts, and a step off the right edge cannot be
//! taken for a cell of the next row.

/// Columns and rows of the largest board.
pub(crate) const MAX_SIZE: usize = 19;
/// Columns and rows of the smallest board: a line must have room for a six.
pub(crate) const MIN_SIZE: usize = 6;
/// Distance between the numbers of a cell and the cell above it.
pub(crate) const STRIDE: usize = 32;
/// One more than the number of the last cell, rounded up to whole rows.
pub(crate) const CELLS: usize = MAX_SIZE * STRIDE;

/// Lines of the largest board: rows, columns, and diagonals of both directions.
pub(crate) const LINES: usize = 2 * MAX_SIZE + 2 * DIAGONALS;
const DIAGONALS: usize = 2 * MAX_SIZE - 1;
const COLUMNS: usize = MAX_SIZE;
const RISING: usize = 2 * MAX_SIZE;
const FALLING: usize = RISING + DIAGONALS;

/// The row, the column, the rising and the falling diagonal through a cell, each with the bit that
/// the cell has in it: the cell's row in a column, else its column.
#[inline(always)]
pub(crate) const fn lines_through(column: usize, row: usize) -> [(usize, u32); 4] {
    [
        (row, 1 << column),
        (COLUMNS + column, 1 << row),
        (RISING + MAX_SIZE - 1 + column - row, 1 << column),
        (FALLING + column + row, 1 << column),
    ]
}

/// Row of the cell that is bit `bit` of a line.
#[inline]
pub(crate) const fn row_on_line(line: usize, bit: usize) -> usize {
    if line < COLUMNS {
        line
    } else if line < RISING {
        bit
    } else if line < FALLING {
        RISING + MAX_SIZE - 1 + bit - line
    } else {
        line - FALLING - bit
    }
}

/// Column of the cell that is bit `bit` of a line.
#[inline]
pub(crate) const fn column_on_line(line: usize, bit: usize) -> usize {
    if line >= COLUMNS && line < RISING {
        line - COLUMNS
    } else {
        bit
    }
}

/// The cells that each line has on a board of `size`, as bits.
pub(crate) const fn line_masks(size: usize) -> [u32; LINES] {
    let mut masks = [0; LINES];
    let mut cell = 0;
    while cell < size * size {
        let through = lines_through(cell % size, cell / size);
        let mut i = 0;
        while i < through.len() {
            masks[through[i].0] |= through[i].1;
            i += 1;
        }
        cell += 1;
    }
    masks
}

/// [`line_masks`] of every size from [`MIN_SIZE`].
pub(crate) static MASKS: [[u32; LINES]; MAX_SIZE - MIN_SIZE + 1] = {
    let mut all = [[0; LINES]; MAX_SIZE - MIN_SIZE + 1];
    let mut i = 0;
    while i < all.len() {
        all[i] = line_masks(MIN_SIZE + i);
        i += 1;
    }
    all
};

/// The first bits of all runs of six set bits.
#[inline(always)]
pub(crate) const fn sixes(line: u32) -> u32 {
    let twos = line & line >> 1;
    twos & twos >> 2 & twos >> 4
}

/// Distances between neighbours on a row, a column, a rising and a falling diagonal. The falling
/// one is walked upwards, to the left.
pub(crate) const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];
/// A window may begin up to five cells before the board's first one, in number.
pub(crate) const WINDOW_PAD: usize = 5 * (STRIDE + 1);
/// Numbers of windows of one direction. Most of them do not lie on the board.
pub(crate) const WINDOW_PLANE: usize = 768;
/// One more than the largest number of a window.
pub(crate) const WINDOWS: usize = 4 * WINDOW_PLANE;
const _: () = assert!(WINDOW_PAD + CELLS <= WINDOW_PLANE + STRIDE - MAX_SIZE);

/// The number of the window whose `place`-th cell (0 to 5) in this direction is `cell`.
#[inline(always)]
pub(crate) const fn window(direction: usize, cell: usize, place: usize) -> usize {
    direction * WINDOW_PLANE + WINDOW_PAD + cell - place * STEPS[direction]
}

/// The six cells of a window that lies on the board.
#[inline]
pub(crate) fn window_cells(window: usize) -> [usize; 6] {
    let first = window % WINDOW_PLANE - WINDOW_PAD;
    let step = STEPS[window / WINDOW_PLANE];
    std::array::from_fn(|place| first + place * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_give_their_cells_back() {
        for (row, column) in (0..19).flat_map(|row| (0..19).map(move |column| (row, column))) {
            for (line, mask) in lines_through(column, row) {
                let bit = mask.trailing_zeros() as usize;
                assert_eq!(
                    (column_on_line(line, bit), row_on_line(line, bit)),
                    (column, row)
                );
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
    fn sixes_are_found_and_fives_are_not() {
        assert_eq!(sixes(0b111110), 0);
        assert_eq!(sixes(0b11111101111100), 1 << 8);
        assert_eq!(sixes(0b1111111 << 12), 0b11 << 12);
    }

    #[test]
    fn windows_hold_the_cells_that_name_them() {
        for direction in 0..4 {
            for place in 0..6 {
                let cell = 9 * STRIDE + 9;
                assert_eq!(window_cells(window(direction, cell, place))[place], cell);
            }
        }
    }
}

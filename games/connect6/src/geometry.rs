//! Cells, the four lines through each of them, and the windows of six cells on those lines.
//!
//! A cell is `row * 32 + column`. Shifts extract both, and a step off the right edge never reaches
//! a cell of the next row.

use engine_core::rows::Lines;

/// Columns and rows of the largest board.
pub(crate) const MAX_SIZE: usize = 19;
/// Columns and rows of the smallest board: a line must have room for a six.
pub(crate) const MIN_SIZE: usize = 6;
/// Difference between the numbers of a cell and the cell above it.
pub(crate) const STRIDE: usize = 32;
/// One more than the number of the last cell, rounded up to whole rows.
pub(crate) const CELLS: usize = MAX_SIZE * STRIDE;

/// The lines of the largest board.
pub(crate) type OfBoard = Lines<MAX_SIZE>;
/// Number of lines.
pub(crate) const LINES: usize = OfBoard::COUNT;
const COLUMNS: usize = OfBoard::COLUMNS;
const RISING: usize = OfBoard::RISING;
const FALLING: usize = OfBoard::FALLING;

/// The cells of each line, of every size from [`MIN_SIZE`].
pub(crate) static MASKS: [[u32; LINES]; MAX_SIZE - MIN_SIZE + 1] = OfBoard::all_masks();

/// The first bits of all runs of six set bits.
#[inline(always)]
pub(crate) const fn sixes(line: u32) -> u32 {
    let twos = line & line >> 1;
    twos & twos >> 2 & twos >> 4
}

/// Differences between neighbours on a row, a column, a rising and a falling diagonal. The falling
/// diagonal runs upwards to the left.
pub(crate) const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];
/// Number of windows that begin before the first cell of a line and overlap it.
const WINDOW_PAD: usize = 5;
/// One more than the largest window number: `STRIDE` numbers per line. Many of these windows are
/// not on the board.
pub(crate) const WINDOWS: usize = LINES * STRIDE;

/// For the row, column, rising and falling diagonal through a cell, the first of the six windows
/// that contain it. Their numbers are consecutive, upwards or to the right.
#[inline(always)]
pub(crate) const fn windows_through(cell: usize) -> [usize; 4] {
    let (column, row) = (cell % STRIDE, cell / STRIDE);
    [
        row * STRIDE + column,
        (COLUMNS + column) * STRIDE + row,
        (RISING + MAX_SIZE - 1 + column - row) * STRIDE + row,
        (FALLING + column + row) * STRIDE + row,
    ]
}

/// The direction of a window, and the column and row of its first cell, which may be off the board.
#[inline]
const fn window_start(window: usize) -> (usize, isize, isize) {
    let (line, place) = (window / STRIDE, (window % STRIDE) as isize);
    let first = place - WINDOW_PAD as isize;
    if line < COLUMNS {
        (0, first, line as isize)
    } else if line < RISING {
        (1, (line - COLUMNS) as isize, first)
    } else if line < FALLING {
        (
            2,
            line as isize - (RISING + MAX_SIZE - 1) as isize + first,
            first,
        )
    } else {
        (3, (line - FALLING) as isize - first, first)
    }
}

/// The direction and the six cells, in ascending order, of a window on the board.
#[inline]
pub(crate) fn window_cells(window: usize) -> (usize, [usize; 6]) {
    let (direction, column, row) = window_start(window);
    let first = row as usize * STRIDE + column as usize;
    let cells = std::array::from_fn(|place| first + place * STEPS[direction]);
    (direction, cells)
}

/// One more than the largest number of a pair of cells.
pub(crate) const PAIRS: usize = CELLS * DISTANCES;
/// Directions times steps between two cells of a window.
const DISTANCES: usize = 4 * 5;

/// A number for two cells of a window, of which the first is smaller.
#[inline]
pub(crate) fn pair_number(one: usize, other: usize) -> usize {
    /// By the difference of the two cells.
    static DISTANCE: [u8; 5 * (STRIDE + 1) + 1] = {
        let mut numbers = [0; 5 * (STRIDE + 1) + 1];
        let mut number = 0;
        while number < DISTANCES {
            let (direction, steps) = (number / 5, number % 5 + 1);
            numbers[steps * STEPS[direction]] = number as u8;
            number += 1;
        }
        numbers
    };
    DISTANCES * one + DISTANCE[other - one] as usize
}

/// Whether a window is on the board of `size`.
pub(crate) fn is_inside(window: usize, size: usize) -> bool {
    let (direction, column, row) = window_start(window);
    let (right, up) = [(1, 0), (0, 1), (1, 1), (-1, 1)][direction];
    let inside = |place: isize| 0 <= place && place < size as isize;
    [column, column + 5 * right, row, row + 5 * up]
        .into_iter()
        .all(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixes_are_found_and_fives_are_not() {
        assert_eq!(sixes(0b111110), 0);
        assert_eq!(sixes(0b11111101111100), 1 << 8);
        assert_eq!(sixes(0b1111111 << 12), 0b11 << 12);
    }

    #[test]
    fn windows_hold_the_cells_that_name_them() {
        let mut held = [0; WINDOWS];
        for (row, column) in (0..19).flat_map(|row| (0..19).map(move |column| (row, column))) {
            let cell = row * STRIDE + column;
            for (direction, first) in windows_through(cell).into_iter().enumerate() {
                for window in (first..first + 6).filter(|&window| is_inside(window, 19)) {
                    let (found, cells) = window_cells(window);
                    assert_eq!(found, direction);
                    assert!(cells.is_sorted() && cells.contains(&cell));
                    held[window] += 1;
                }
            }
        }
        let inside = (0..WINDOWS).filter(|&window| is_inside(window, 19));
        assert_eq!(inside.clone().count(), 2 * 19 * 14 + 2 * 14 * 14);
        assert!(inside.into_iter().all(|window| held[window] == 6));
    }

    #[test]
    fn pairs_of_a_window_have_their_own_numbers() {
        let mut pairs = std::collections::HashMap::new();
        for window in (0..WINDOWS).filter(|&window| is_inside(window, 19)) {
            let (_, cells) = window_cells(window);
            for (at, &other) in cells.iter().enumerate() {
                for &one in &cells[..at] {
                    let number = pair_number(one, other);
                    assert!(number < PAIRS);
                    assert_eq!(*pairs.entry(number).or_insert((one, other)), (one, other));
                }
            }
        }
        // Pairs one to five steps apart in rows and columns, and on diagonals.
        let straight: usize = (1..=5).map(|steps| 19 * (19 - steps)).sum();
        let diagonal: usize = (1..=5).map(|steps| (19 - steps) * (19 - steps)).sum();
        // On diagonals shorter than six cells lies no window.
        let short: usize = (2..=5).map(|cells| 2 * cells * (cells - 1) / 2).sum();
        assert_eq!(pairs.len(), 2 * straight + 2 * (diagonal - short));
    }
}

//! Squares, the four lines through each, and how far a queen can move along them.
//!
//! The board has two representations. A [`Board`] of 128 bits, eleven per row, serves flood fills:
//! the eleventh bit of a row is always wall, so shifts need no masks. [`Lines`] stores the
//! occupancy of every row, column and diagonal as a small number. A table maps it to the distance
//! that a queen can move: four look-ups for all eight directions.

use std::fmt;

/// A set of squares: bit [`Square::index`] of each.
pub type Board = u128;

/// Maximum number of columns and of rows.
pub const MAX_SIZE: u8 = 10;

/// Bits from one row to the next: one more than [`MAX_SIZE`], for the wall between rows.
pub(crate) const STRIDE: u8 = MAX_SIZE + 1;

/// A square of the largest board. Decoded from arbitrary bits, it may be off the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square at `column` (0 = a) and `row` (0 = row 1), both below [`MAX_SIZE`].
    #[inline]
    pub const fn new(column: u8, row: u8) -> Square {
        debug_assert!(column < MAX_SIZE && row < MAX_SIZE);
        Square(row * STRIDE + column)
    }

    /// The square whose [`Square::index`] is `index` modulo 128.
    #[inline]
    pub const fn from_index(index: u32) -> Square {
        Square((index & 127) as u8)
    }

    /// The index, below 128.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    /// Its column, 0 = a.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 % STRIDE
    }

    /// Its row, 0 = row 1.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 / STRIDE
    }

    /// The one-element set of this square.
    #[inline]
    pub const fn bit(self) -> Board {
        1 << (self.0 & 127)
    }

    /// The square `offset` bits away.
    #[inline]
    pub(crate) const fn shifted(self, offset: i32) -> Square {
        Square((self.0 as i32 + offset) as u8)
    }
}

/// In the usual notation: `d7`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column()) as char, self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The squares of a set, in ascending order.
pub(crate) fn squares(mut set: Board) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = Square(set.trailing_zeros() as u8);
            set &= set - 1;
            square
        })
    })
}

/// All squares of a board of `columns` × `rows`.
pub(crate) fn full_board(columns: u8, rows: u8) -> Board {
    (0..rows)
        .map(|row| ((1 << columns) - 1) << (row * STRIDE))
        .fold(0, |board: Board, squares: Board| board | squares)
}

/// Offsets of the eight directions, in the order of the bytes of a [`Reach`]: down each of the four
/// lines (row, column, rising diagonal, falling diagonal), then up each of them.
pub(crate) const OFFSETS: [i8; 8] = [-1, -11, -12, 10, 1, 11, 12, -10];

/// The index in [`OFFSETS`] of the direction with these signs (−1 to 1) of columns and rows, at 3 ×
/// rows + columns + 4. The 0 in the middle is unused.
const DIRECTIONS: [u8; 9] = [2, 1, 7, 0, 0, 4, 3, 5, 6];

/// The position of a square in [`Lines`].
#[derive(Clone, Copy)]
struct Place {
    /// The numbers of its row, column, rising and falling diagonal.
    lines: [u8; 4],
    /// Its bit in a column; in the other three lines, the bit is the column number.
    row_bit: u16,
    column_bit: u16,
    /// The start of its bit's entries in [`RUNS`].
    row_runs: u16,
    column_runs: u16,
}

static PLACES: [Place; 128] = {
    let off = Place {
        lines: [0; 4],
        row_bit: 0,
        column_bit: 0,
        row_runs: 0,
        column_runs: 0,
    };
    let mut places = [off; 128];
    let mut row = 0;
    while row < MAX_SIZE {
        let mut column = 0;
        while column < MAX_SIZE {
            places[Square::new(column, row).index()] = Place {
                lines: [row, 10 + column, 20 + 9 + row - column, 39 + row + column],
                row_bit: 1 << row,
                column_bit: 1 << column,
                row_runs: (row as u16) << 10,
                column_runs: (column as u16) << 10,
            };
            column += 1;
        }
        row += 1;
    }
    places
};

/// For every bit of a line (times 1024) and occupancy of the line: the number of free squares
/// directly below it in the low four bits, directly above it in the high four. Only ten of the
/// sixteen bits are used; the others make every index valid.
static RUNS: [u8; 16 << 10] = {
    let mut runs = [0; 16 << 10];
    let mut place = 0;
    while place < MAX_SIZE as usize {
        let mut occupancy = 0;
        while occupancy < 1 << MAX_SIZE {
            let below = (occupancy as u32 & ((1 << place) - 1)) << (32 - place as u32 - 1) << 1;
            let down = if place == 0 { 0 } else { below.leading_zeros() };
            let down = if down > place as u32 {
                place as u32
            } else {
                down
            };
            let walled = occupancy as u32 | 1 << MAX_SIZE;
            let up = (walled >> (place + 1)).trailing_zeros();
            runs[place << 10 | occupancy] = (down | up << 4) as u8;
            occupancy += 1;
        }
        place += 1;
    }
    runs
};

/// The occupancy of all rows (10), columns (10), rising and falling diagonals (19 each). A bit is
/// set if its square is occupied or off the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines([u16; 64]);

impl Lines {
    /// The lines of a board on which exactly the squares of `empty` are free.
    pub(crate) fn new(empty: Board) -> Lines {
        let mut lines = Lines([(1 << MAX_SIZE) - 1; 64]);
        squares(empty).for_each(|square| lines.toggle(square));
        lines
    }

    /// Occupies a free square, or frees an occupied one.
    #[inline]
    pub(crate) fn toggle(&mut self, square: Square) {
        let place = &PLACES[square.index()];
        let [row, column, rising, falling] = place.lines.map(|line| (line & 63) as usize);
        self.0[row] ^= place.column_bit;
        self.0[column] ^= place.row_bit;
        self.0[rising] ^= place.column_bit;
        self.0[falling] ^= place.column_bit;
    }

    /// The queen mobility from `square`, which must be on the board.
    #[inline]
    pub(crate) fn reach(&self, square: Square) -> Reach {
        let place = &PLACES[square.index()];
        let [row, column, rising, falling] = place.lines.map(|line| self.0[(line & 63) as usize]);
        let run = |start: u16, line: u16| RUNS[((start | line) & 0x3fff) as usize];
        let runs = u32::from_le_bytes([
            run(place.column_runs, row),
            run(place.row_runs, column),
            run(place.column_runs, rising),
            run(place.column_runs, falling),
        ]);
        let (down, up) = (runs & 0x0f0f_0f0f, runs >> 4 & 0x0f0f_0f0f);
        Reach(down as u64 | (up as u64) << 32)
    }
}

/// The number of squares a queen can move in each direction: one byte each, in the order of
/// [`OFFSETS`].
#[derive(Clone, Copy)]
pub(crate) struct Reach(u64);

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

impl Reach {
    /// Number of reachable squares, at most 35.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        (self.0.wrapping_mul(ONES) >> 56) as u32
    }

    /// Number of steps in the direction with these signs of columns and rows.
    #[inline]
    pub(crate) fn steps(self, columns: i32, rows: i32) -> i32 {
        let direction = DIRECTIONS[(3 * rows + columns + 4) as usize];
        (self.0 >> (8 * direction) & 0xff) as i32
    }

    /// The offset of the `n`-th reachable square, `n` below [`Reach::count`].
    ///
    /// Branch-free: the product holds prefix sums of the steps, and the directions before the
    /// square are those whose sum is at most `n`.
    #[inline]
    pub(crate) fn nth(self, n: u32) -> i32 {
        let sums = self.0.wrapping_mul(ONES);
        let tops = ONES << 7;
        let passed = ((n as u64 * ONES) | tops).wrapping_sub(sums) & tops;
        let direction = ((passed >> 7).wrapping_mul(ONES) >> 56) as u32;
        let before = (sums << 8) >> (8 * direction) & 0xff;
        OFFSETS[(direction & 7) as usize] as i32 * (n as i32 + 1 - before as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Rng;

    fn sign_of(offset: i8) -> (i32, i32) {
        let row = if offset.abs() == 1 {
            0
        } else {
            offset.signum()
        };
        ((offset - row * STRIDE as i8) as i32, row as i32)
    }

    /// Counts the free squares in a direction, one step at a time.
    fn walk(empty: Board, from: Square, offset: i8) -> i32 {
        let free = |step: &i32| {
            let index = from.index() as i32 + offset as i32 * step;
            (0..128).contains(&index) && empty >> index & 1 == 1
        };
        (1..).take_while(free).count() as i32
    }

    #[test]
    fn lines_reach_as_far_as_steps() {
        let mut rng = Rng::new(1);
        for (columns, rows) in [(10, 10), (8, 8), (4, 7), (1, 2), (10, 1)] {
            let board = full_board(columns, rows);
            for round in 0..200 {
                let mut random = || (rng.next_u64() as u128) << 64 | rng.next_u64() as u128;
                let empty = match round {
                    0 => board,
                    1..100 => board & (random() | random()),
                    _ => board & random(),
                };
                let lines = Lines::new(empty);
                for square in squares(board) {
                    let reach = lines.reach(square);
                    let mut reachable = Vec::new();
                    for offset in OFFSETS {
                        let steps = walk(empty, square, offset);
                        let (columns, rows) = sign_of(offset);
                        assert_eq!(reach.steps(columns, rows), steps, "{square} {offset}");
                        reachable.extend((1..=steps).map(|step| step * offset as i32));
                    }
                    let numbered: Vec<i32> = (0..reach.count()).map(|n| reach.nth(n)).collect();
                    assert_eq!(numbered, reachable, "{square}");
                }
            }
        }
    }

    #[test]
    fn toggling_twice_changes_nothing() {
        let lines = Lines::new(full_board(10, 10));
        for square in squares(full_board(10, 10)) {
            let mut toggled = lines.clone();
            toggled.toggle(square);
            assert_ne!(toggled, lines);
            toggled.toggle(square);
            assert_eq!(toggled, lines);
        }
    }

    #[test]
    fn squares_are_named_by_column_and_row() {
        assert_eq!(Square::new(0, 0).to_string(), "a1");
        assert_eq!(Square::new(3, 6).to_string(), "d7");
        assert_eq!(Square::new(9, 9).to_string(), "j10");
        assert_eq!(full_board(10, 10).count_ones(), 100);
    }
}

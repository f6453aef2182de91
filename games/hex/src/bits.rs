//! Whole boards as one number, on which all cells step to a neighbour by one shift.

use std::ops::{BitAnd, BitOr, Not};

use crate::geometry::CellSet;

/// A board packed row after row. Shifts that leave a row are masked by the caller.
pub(crate) trait Bits:
    Copy + PartialEq + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Bits from a row to the next, and the largest board. A constant, because shifts by
    /// constants are several times faster.
    const STRIDE: u32;
    /// No cell.
    const EMPTY: Self;

    /// One row, cells in the lowest bits, moved to its place.
    fn row(cells: u32, row: u32) -> Self;
    /// Every cell moved `by` bits up, 0 < `by` < 64.
    fn up(self, by: u32) -> Self;
    /// Every cell moved `by` bits down, 0 < `by` < 64.
    fn down(self, by: u32) -> Self;
    /// The number of cells.
    fn count(self) -> u32;

    /// The rows of a set on a board of `size`.
    #[inline]
    fn pack(set: &CellSet, size: u8) -> Self {
        (0..size as u32).fold(Self::EMPTY, |bits, row| {
            bits | Self::row(set.row(row as usize) >> 1, row)
        })
    }
}

/// Boards up to 11×11.
impl Bits for u128 {
    const STRIDE: u32 = 11;
    const EMPTY: u128 = 0;

    #[inline(always)]
    fn row(cells: u32, row: u32) -> u128 {
        (cells as u128) << (row * Self::STRIDE)
    }

    #[inline(always)]
    fn up(self, by: u32) -> u128 {
        self << by
    }

    #[inline(always)]
    fn down(self, by: u32) -> u128 {
        self >> by
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }
}

/// Boards up to 19×19: 361 bits, lowest word first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wide([u64; 6]);

impl BitAnd for Wide {
    type Output = Wide;
    #[inline(always)]
    fn bitand(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Wide {
    type Output = Wide;
    #[inline(always)]
    fn bitor(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Not for Wide {
    type Output = Wide;
    #[inline(always)]
    fn not(self) -> Wide {
        Wide(self.0.map(|word| !word))
    }
}

impl Bits for Wide {
    const STRIDE: u32 = 19;
    const EMPTY: Wide = Wide([0; 6]);

    fn row(cells: u32, row: u32) -> Wide {
        let (word, bit) = ((row * Self::STRIDE / 64) as usize, row * Self::STRIDE % 64);
        let placed = (cells as u128) << bit;
        let mut words = [0; 6];
        words[word] = placed as u64;
        if word < 5 {
            words[word + 1] = (placed >> 64) as u64;
        }
        Wide(words)
    }

    #[inline(always)]
    fn up(self, by: u32) -> Wide {
        let carried = |i: usize| {
            if i == 0 {
                0
            } else {
                self.0[i - 1] >> (64 - by)
            }
        };
        Wide(std::array::from_fn(|i| self.0[i] << by | carried(i)))
    }

    #[inline(always)]
    fn down(self, by: u32) -> Wide {
        let carried = |i: usize| {
            if i == 5 {
                0
            } else {
                self.0[i + 1] << (64 - by)
            }
        };
        Wide(std::array::from_fn(|i| self.0[i] >> by | carried(i)))
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

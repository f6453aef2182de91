//! Two boards, processed together; one shift moves all cells to a neighbour.

use std::ops::{BitAnd, BitOr};

use engine_core::pair::Pair;

use crate::geometry::CellSet;

/// A board packed row by row into `W` words, lowest word first.
pub(crate) type Board<const W: usize> = [u64; W];

/// Two boards, one per lane: each operation works on both. The caller masks cells that a shift
/// wraps into another row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes<const W: usize>([Pair; W]);

impl<const W: usize> BitAnd for Lanes<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.with(other, |one, other| one & other)
    }
}

impl<const W: usize> BitOr for Lanes<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.with(other, |one, other| one | other)
    }
}

impl<const W: usize> Lanes<W> {
    /// The same board in both lanes.
    #[inline(always)]
    pub(crate) fn splat(board: Board<W>) -> Self {
        Lanes(board.map(|word| Pair::new([word, word])))
    }

    /// No cell.
    #[inline(always)]
    pub(crate) fn empty() -> Self {
        Lanes::splat([0; W])
    }

    /// The first lane of `self` and the first lane of `other`.
    #[inline(always)]
    pub(crate) fn firsts(self, other: Self) -> Self {
        self.with(other, Pair::firsts)
    }

    /// The board of the first lane.
    #[inline(always)]
    pub(crate) fn first(self) -> Board<W> {
        self.0.map(Pair::first)
    }

    /// The lanes, swapped.
    #[inline(always)]
    pub(crate) fn swapped(self) -> Self {
        Lanes(self.0.map(Pair::swapped))
    }

    /// The cells of `self` that are not in `other`.
    #[inline(always)]
    pub(crate) fn without(self, other: Self) -> Self {
        self.with(other, Pair::without)
    }

    /// Moves every cell `by` bits up, 0 < `by` < 64.
    #[inline(always)]
    pub(crate) fn up(self, by: u32) -> Self {
        Lanes(std::array::from_fn(|word| match word {
            0 => self.0[word].up(by),
            _ => self.0[word].up(by) | self.0[word - 1].down(64 - by),
        }))
    }

    /// Moves every cell `by` bits down, 0 < `by` < 64.
    #[inline(always)]
    pub(crate) fn down(self, by: u32) -> Self {
        Lanes(std::array::from_fn(|word| match word + 1 {
            above if above == W => self.0[word].down(by),
            above => self.0[word].down(by) | self.0[above].up(64 - by),
        }))
    }

    /// Whether both lanes are empty.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        let words = self.0.into_iter();
        words.fold(self.0[0], |any, word| any | word).is_zero()
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(Pair, Pair) -> Pair) -> Self {
        Lanes(std::array::from_fn(|word| f(self.0[word], other.0[word])))
    }
}

/// The rows of a set on a board of `size`, packed with `stride` bits per row.
#[inline(always)]
pub(crate) fn pack<const W: usize>(set: &CellSet, size: u8, stride: u32) -> Board<W> {
    let mut board = [0; W];
    for row in 0..size as u32 {
        let cells = (set.row(row as usize) >> 1) as u64;
        let (word, bit) = ((row * stride / 64) as usize, row * stride % 64);
        board[word] |= cells << bit;
        if bit + stride > 64 && word + 1 < W {
            board[word + 1] |= cells >> (64 - bit);
        }
    }
    board
}

/// The set that [`pack`] packs so.
pub(crate) fn unpack<const W: usize>(board: &Board<W>, size: u8, stride: u32) -> CellSet {
    let mut set = CellSet::EMPTY;
    for row in 0..size as u32 {
        let (word, bit) = ((row * stride / 64) as usize, row * stride % 64);
        let mut cells = board[word] >> bit;
        if bit + stride > 64 && word + 1 < W {
            cells |= board[word + 1] << (64 - bit);
        }
        let cells = cells & ((1 << size) - 1);
        set.set_row(row as usize, (cells as u32) << 1);
    }
    set
}

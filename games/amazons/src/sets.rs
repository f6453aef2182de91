//! Sets of squares in vectors: one set per side, shifted at once, or a single set.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor};

use engine_core::pair::Pair;

use crate::geometry::{Board, MAX_SIZE, STRIDE};

/// A set of squares for each side. The rows of the lower half of the board are in one pair of
/// words, those of the upper half in the other, so steps along a row stay within a half.
///
/// After a step or a growth, a set may include squares off the board.
#[derive(Clone, Copy)]
pub(crate) struct Sets {
    lower: Pair,
    upper: Pair,
}

/// A set of squares: the lower half of the board in one word and the upper half in the other.
#[derive(Clone, Copy)]
pub(crate) struct Area(Pair);

/// The bits of half a board.
const HALF: u32 = MAX_SIZE as u32 / 2 * STRIDE as u32;

impl Sets {
    pub(crate) fn new(boards: [Board; 2]) -> Sets {
        Sets {
            lower: Pair::new(boards.map(|board| board as u64 & ((1 << HALF) - 1))),
            upper: Pair::new(boards.map(|board| (board >> HALF) as u64)),
        }
    }

    /// The boards given to [`Sets::new`], if no square is off the board.
    #[cfg(test)]
    pub(crate) fn boards(self) -> [Board; 2] {
        let (lower, upper) = (self.lower.words(), self.upper.words());
        [0, 1].map(|side| lower[side] as Board | (upper[side] as Board) << HALF)
    }

    #[inline(always)]
    fn zip(self, other: Sets, of: impl Fn(Pair, Pair) -> Pair) -> Sets {
        Sets {
            lower: of(self.lower, other.lower),
            upper: of(self.upper, other.upper),
        }
    }

    #[inline(always)]
    fn map(self, of: impl Fn(Pair) -> Pair) -> Sets {
        Sets {
            lower: of(self.lower),
            upper: of(self.upper),
        }
    }

    /// The squares that are not in `other`.
    #[inline(always)]
    pub(crate) fn without(self, other: Sets) -> Sets {
        self.zip(other, Pair::without)
    }

    /// The set of each side.
    #[inline(always)]
    pub(crate) fn areas(self) -> [Area; 2] {
        let (lower, upper) = (self.lower, self.upper);
        [lower.firsts(upper), lower.seconds(upper)].map(Area)
    }

    /// Whether both sets are empty.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        (self.lower | self.upper).is_zero()
    }

    /// The squares `by` columns to the right; at most one column past the end of the row.
    #[inline(always)]
    pub(crate) fn right(self, by: u32) -> Sets {
        self.map(|half| half.up(by))
    }

    /// The squares `by` columns to the left.
    #[inline(always)]
    pub(crate) fn left(self, by: u32) -> Sets {
        self.map(|half| half.down(by))
    }

    /// The squares `by` bits up, less than half of the board.
    #[inline(always)]
    pub(crate) fn up(self, by: u32) -> Sets {
        Sets {
            lower: self.lower.up(by),
            upper: self.upper.up(by) | self.lower.down(HALF - by),
        }
    }

    /// The squares `by` bits down, less than half of the board.
    #[inline(always)]
    pub(crate) fn down(self, by: u32) -> Sets {
        Sets {
            lower: self.lower.down(by) | self.upper.up(HALF - by),
            upper: self.upper.down(by),
        }
    }

    /// `seeds`, a subset of `self`, extended to the right along runs of `self`: the carry of an
    /// addition runs to the end of a run.
    #[inline(always)]
    pub(crate) fn carried_right(self, seeds: Sets) -> Sets {
        self.without(self.zip(seeds, Pair::plus)) | seeds
    }

    /// The sets and all adjacent squares.
    #[inline(always)]
    pub(crate) fn grown(self) -> Sets {
        let wide = self | self.right(1) | self.left(1);
        wide | wide.up(STRIDE as u32) | wide.down(STRIDE as u32)
    }

    /// The number of squares of each side.
    #[inline(always)]
    pub(crate) fn counts(self) -> Pair {
        // At most 8 per four bits.
        let nibbles = count_nibbles(self.lower).plus_bytes(count_nibbles(self.upper));
        nibbles_summed(nibbles).sum_of_bytes()
    }
}

impl Area {
    /// No squares.
    pub(crate) fn empty() -> Area {
        Area(Pair::new([0; 2]))
    }

    /// The squares that are not in `other`.
    #[inline(always)]
    pub(crate) fn without(self, other: Area) -> Area {
        Area(self.0.without(other.0))
    }

    /// The number of squares.
    #[inline(always)]
    pub(crate) fn count(self) -> Count {
        Count(nibbles_summed(count_nibbles(self.0)))
    }

    /// The set as a board, if no square is off the board.
    #[cfg(test)]
    pub(crate) fn board(self) -> Board {
        let [lower, upper] = self.0.words();
        lower as Board | (upper as Board) << HALF
    }
}

impl BitAnd for Sets {
    type Output = Sets;
    #[inline(always)]
    fn bitand(self, other: Sets) -> Sets {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Sets {
    type Output = Sets;
    #[inline(always)]
    fn bitor(self, other: Sets) -> Sets {
        self.zip(other, |a, b| a | b)
    }
}

impl BitOrAssign for Sets {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Sets) {
        *self = *self | other;
    }
}

impl BitAnd for Area {
    type Output = Area;
    #[inline(always)]
    fn bitand(self, other: Area) -> Area {
        Area(self.0 & other.0)
    }
}

impl BitOr for Area {
    type Output = Area;
    #[inline(always)]
    fn bitor(self, other: Area) -> Area {
        Area(self.0 | other.0)
    }
}

impl BitXor for Area {
    type Output = Area;
    #[inline(always)]
    fn bitxor(self, other: Area) -> Area {
        Area(self.0 ^ other.0)
    }
}

/// A number of squares, split over bytes of at most 255 each.
#[derive(Clone, Copy)]
pub(crate) struct Count(Pair);

impl Count {
    /// Twice this number plus `other`. A byte of one set is at most 8.
    #[inline(always)]
    pub(crate) fn twice_and(self, other: Count) -> Count {
        Count(self.0.plus_bytes(self.0).plus_bytes(other.0))
    }

    /// The total.
    #[inline(always)]
    pub(crate) fn sum(self) -> i32 {
        let [a, b] = self.0.sum_of_bytes().words();
        (a + b) as i32
    }
}

/// The number of set bits in every group of four bits.
#[inline(always)]
fn count_nibbles(words: Pair) -> Pair {
    let (ones, twos) = (Pair::new([u64::MAX / 3; 2]), Pair::new([u64::MAX / 5; 2]));
    let pairs = (words & ones).plus(words.down(1) & ones);
    (pairs & twos).plus(pairs.down(2) & twos)
}

/// The sum of the two halves of every byte.
#[inline(always)]
fn nibbles_summed(words: Pair) -> Pair {
    let low = Pair::new([u64::MAX / 17; 2]);
    (words & low).plus_bytes(words.down(4) & low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::full_board;
    use engine_core::Rng;

    fn random(rng: &mut Rng) -> [Board; 2] {
        let mut word = || rng.next_u64() as Board;
        [(); 2].map(|()| (word() << 64 | word()) & full_board(MAX_SIZE, MAX_SIZE))
    }

    #[test]
    fn sets_are_boards_side_by_side() {
        let board = full_board(MAX_SIZE, MAX_SIZE);
        let mut rng = Rng::new(1);
        for _ in 0..1_000 {
            let (a, b) = (random(&mut rng), random(&mut rng));
            let (x, y) = (Sets::new(a), Sets::new(b));
            let on_board = |sets: Sets| (sets & Sets::new([board; 2])).boards();
            assert_eq!(x.boards(), a);
            assert_eq!(x.areas().map(Area::board), a);
            assert_eq!(x.without(y).boards(), [a[0] & !b[0], a[1] & !b[1]]);
            let counts = a.map(|a| a.count_ones());
            assert_eq!(x.counts().words(), counts.map(u64::from));
            let [first, second] = x.areas();
            assert_eq!((first & second).board(), a[0] & a[1]);
            assert_eq!((first | second).board(), a[0] | a[1]);
            assert_eq!((first ^ second).board(), a[0] ^ a[1]);
            assert_eq!(first.without(second).board(), a[0] & !a[1]);
            let twice = first.count().twice_and(second.count()).sum();
            assert_eq!(twice as u32, 2 * counts[0] + counts[1]);
            for by in [10, 11, 12, 20, 22, 24, 40, 44, 48] {
                assert_eq!(on_board(x.up(by)), a.map(|a| a << by & board));
                assert_eq!(on_board(x.down(by)), a.map(|a| a >> by & board));
            }
            assert_eq!(on_board(x.right(1)), a.map(|a| a << 1 & board));
            assert_eq!(on_board(x.left(1)), a.map(|a| a >> 1 & board));
            assert_eq!(
                on_board(x.grown()),
                a.map(|a| crate::board::grown(a) & board)
            );
        }
        assert!(Sets::new([0; 2]).is_empty());
        assert!(!Sets::new([0, 1 << 60]).is_empty());
    }

    #[test]
    fn carries_fill_rows_to_the_right() {
        let mut rng = Rng::new(2);
        for _ in 0..1_000 {
            let a = random(&mut rng);
            let mut seeds = random(&mut rng);
            (0..2).for_each(|side| seeds[side] &= a[side]);
            let mut filled = seeds;
            for _ in 0..MAX_SIZE {
                (0..2).for_each(|side| filled[side] |= filled[side] << 1 & a[side]);
            }
            let carried = Sets::new(a).carried_right(Sets::new(seeds));
            assert_eq!(carried.boards(), filled);
        }
    }
}

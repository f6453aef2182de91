//! Two 64-bit words on any machine; the safe twin of the SSE2 version in tests.

use std::ops::{BitAnd, BitOr};

/// Two words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair([u64; 2]);

impl Pair {
    #[inline(always)]
    pub(crate) fn new(first: u64, second: u64) -> Pair {
        Pair([first, second])
    }

    /// The first word of `self` and the first word of `other`.
    #[inline(always)]
    pub(crate) fn firsts(self, other: Pair) -> Pair {
        Pair([self.0[0], other.0[0]])
    }

    #[inline(always)]
    pub(crate) fn first(self) -> u64 {
        self.0[0]
    }

    #[inline(always)]
    pub(crate) fn swapped(self) -> Pair {
        Pair([self.0[1], self.0[0]])
    }

    #[inline(always)]
    pub(crate) fn is_zero(self) -> bool {
        self.0 == [0; 2]
    }

    #[inline(always)]
    pub(crate) fn without(self, other: Pair) -> Pair {
        Pair([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    /// Shifts both words by `by` < 64.
    #[inline(always)]
    pub(crate) fn up(self, by: u32) -> Pair {
        Pair(self.0.map(|word| word << by))
    }

    /// Shifts both words by `by` < 64.
    #[inline(always)]
    pub(crate) fn down(self, by: u32) -> Pair {
        Pair(self.0.map(|word| word >> by))
    }
}

impl BitAnd for Pair {
    type Output = Pair;
    #[inline(always)]
    fn bitand(self, other: Pair) -> Pair {
        Pair([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Pair {
    type Output = Pair;
    #[inline(always)]
    fn bitor(self, other: Pair) -> Pair {
        Pair([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

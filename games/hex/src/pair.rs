//! Two 64-bit words in one SSE2 register.
//!
//! Arrays of two words are too slow: the compiler emits scalar shifts, and the evaluation ran at a
//! quarter of the speed. `plain` has the same operations for other machines.

#[cfg(any(test, not(target_arch = "x86_64")))]
pub(crate) mod plain;

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use plain::Pair;
#[cfg(target_arch = "x86_64")]
pub(crate) use vector::Pair;

#[cfg(target_arch = "x86_64")]
mod vector {
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr};

    /// Two words.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Pair(__m128i);

    /// SSE2 instructions that use only registers.
    macro_rules! sse2 {
        ($instructions:expr) => {
            // SAFETY: every x86-64 machine has SSE2, and no instruction here accesses memory.
            unsafe { $instructions }
        };
    }

    impl Pair {
        #[inline(always)]
        pub(crate) fn new(first: u64, second: u64) -> Pair {
            Pair(sse2!(_mm_set_epi64x(second as i64, first as i64)))
        }

        /// The first word of `self` and the first word of `other`.
        #[inline(always)]
        pub(crate) fn firsts(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_unpacklo_epi64(self.0, other.0)))
        }

        #[inline(always)]
        pub(crate) fn first(self) -> u64 {
            sse2!(_mm_cvtsi128_si64(self.0)) as u64
        }

        #[inline(always)]
        pub(crate) fn swapped(self) -> Pair {
            Pair(sse2!(_mm_shuffle_epi32::<0b01_00_11_10>(self.0)))
        }

        #[inline(always)]
        pub(crate) fn is_zero(self) -> bool {
            let zeros = sse2!(_mm_cmpeq_epi8(self.0, _mm_setzero_si128()));
            sse2!(_mm_movemask_epi8(zeros)) == 0xffff
        }

        #[inline(always)]
        pub(crate) fn without(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_andnot_si128(other.0, self.0)))
        }

        /// Shifts both words by `by` < 64.
        #[inline(always)]
        pub(crate) fn up(self, by: u32) -> Pair {
            Pair(sse2!(_mm_sll_epi64(self.0, _mm_cvtsi32_si128(by as i32))))
        }

        /// Shifts both words by `by` < 64.
        #[inline(always)]
        pub(crate) fn down(self, by: u32) -> Pair {
            Pair(sse2!(_mm_srl_epi64(self.0, _mm_cvtsi32_si128(by as i32))))
        }
    }

    impl BitAnd for Pair {
        type Output = Pair;
        #[inline(always)]
        fn bitand(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_and_si128(self.0, other.0)))
        }
    }

    impl BitOr for Pair {
        type Output = Pair;
        #[inline(always)]
        fn bitor(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_or_si128(self.0, other.0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pair, plain};
    use engine_core::Rng;

    /// The words of both implementations.
    fn words(pair: Pair, plain: plain::Pair) -> [[u64; 2]; 2] {
        [
            [pair.first(), pair.swapped().first()],
            [plain.first(), plain.swapped().first()],
        ]
    }

    #[test]
    fn vector_registers_do_what_plain_words_do() {
        let mut rng = Rng::new(1);
        for round in 0..2_000 {
            // Also covers zeros and single bits.
            let mut word = || rng.next_u64() & rng.next_u64().wrapping_shl(round % 64);
            let (a, b, c, d) = (word(), word(), word(), word());
            let (one, other) = (Pair::new(a, b), Pair::new(c, d));
            let (plain, others) = (plain::Pair::new(a, b), plain::Pair::new(c, d));
            let by = 1 + round % 63;
            for [found, expected] in [
                words(one, plain),
                words(one & other, plain & others),
                words(one | other, plain | others),
                words(one.without(other), plain.without(others)),
                words(one.firsts(other), plain.firsts(others)),
                words(one.up(by), plain.up(by)),
                words(one.down(by), plain.down(by)),
            ] {
                assert_eq!(found, expected, "{a:x} {b:x} {c:x} {d:x} {by}");
            }
            assert_eq!(one.is_zero(), plain.is_zero());
            let single = Pair::new(a & 1, 0);
            assert_eq!(single.is_zero(), a & 1 == 0);
            assert_eq!(single.swapped().is_zero(), a & 1 == 0);
        }
    }
}

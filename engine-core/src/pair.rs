//! Two 64-bit words in one SSE2 register, for boards of bits.
//!
//! Shifting a board of two words takes three word instructions, one of them `shld`, which takes six
//! steps on many AMD processors; and the compiler makes scalar shifts of arrays of two words. Vectors
//! have no such instruction: the boards of both sides are shifted at once. Other machines compute with
//! plain words.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use sse2::Pair;
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub use words::Pair;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2 {
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor};

    /// Calls an SSE2 intrinsic.
    macro_rules! sse2 {
        ($call:expr) => {
            // SAFETY: this module is compiled only for targets that all have SSE2, and the
            // intrinsics used operate only on registers.
            unsafe { $call }
        };
    }

    /// Two 64-bit words.
    #[derive(Clone, Copy, Debug)]
    pub struct Pair(__m128i);

    impl Pair {
        /// Two words.
        #[inline(always)]
        pub fn new([a, b]: [u64; 2]) -> Pair {
            Pair(sse2!(_mm_set_epi64x(b as i64, a as i64)))
        }

        /// The first word.
        #[inline(always)]
        pub fn first(self) -> u64 {
            sse2!(_mm_cvtsi128_si64(self.0)) as u64
        }

        /// The words the other way round.
        #[inline(always)]
        pub fn swapped(self) -> Pair {
            Pair(sse2!(_mm_shuffle_epi32::<0b01_00_11_10>(self.0)))
        }

        /// Both words.
        #[inline(always)]
        pub fn words(self) -> [u64; 2] {
            let b = sse2!(_mm_unpackhi_epi64(self.0, self.0));
            [self.0, b].map(|word| sse2!(_mm_cvtsi128_si64(word)) as u64)
        }

        /// Shifts both words to higher bits, by less than 64.
        #[inline(always)]
        pub fn up(self, by: u32) -> Pair {
            Pair(sse2!(_mm_sll_epi64(self.0, _mm_cvtsi32_si128(by as i32))))
        }

        /// Shifts both words to lower bits, by less than 64.
        #[inline(always)]
        pub fn down(self, by: u32) -> Pair {
            Pair(sse2!(_mm_srl_epi64(self.0, _mm_cvtsi32_si128(by as i32))))
        }

        /// Adds the words, modulo 2⁶⁴.
        #[inline(always)]
        pub fn plus(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_add_epi64(self.0, other.0)))
        }

        /// Adds the bytes, modulo 2⁸.
        #[inline(always)]
        pub fn plus_bytes(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_add_epi8(self.0, other.0)))
        }

        /// For each word, the sum of its bytes.
        #[inline(always)]
        pub fn sum_of_bytes(self) -> Pair {
            Pair(sse2!(_mm_sad_epu8(self.0, _mm_setzero_si128())))
        }

        /// The bits that are not in `other`.
        #[inline(always)]
        pub fn without(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_andnot_si128(other.0, self.0)))
        }

        /// The first word of `self` and the first word of `other`.
        #[inline(always)]
        pub fn firsts(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_unpacklo_epi64(self.0, other.0)))
        }

        /// The second word of `self` and the second word of `other`.
        #[inline(always)]
        pub fn seconds(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_unpackhi_epi64(self.0, other.0)))
        }

        /// Whether both words are 0.
        #[inline(always)]
        pub fn is_zero(self) -> bool {
            let equal = sse2!(_mm_cmpeq_epi8(self.0, _mm_setzero_si128()));
            sse2!(_mm_movemask_epi8(equal)) == 0xffff
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

    impl BitXor for Pair {
        type Output = Pair;
        #[inline(always)]
        fn bitxor(self, other: Pair) -> Pair {
            Pair(sse2!(_mm_xor_si128(self.0, other.0)))
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod words {
    use std::ops::{BitAnd, BitOr, BitXor};

    /// Two 64-bit words.
    #[derive(Clone, Copy, Debug)]
    pub struct Pair([u64; 2]);

    impl Pair {
        /// Two words.
        #[inline(always)]
        pub fn new(words: [u64; 2]) -> Pair {
            Pair(words)
        }

        /// The first word.
        #[inline(always)]
        pub fn first(self) -> u64 {
            self.0[0]
        }

        /// The words the other way round.
        #[inline(always)]
        pub fn swapped(self) -> Pair {
            Pair([self.0[1], self.0[0]])
        }

        /// Both words.
        #[inline(always)]
        pub fn words(self) -> [u64; 2] {
            self.0
        }

        /// Shifts both words to higher bits, by less than 64.
        #[inline(always)]
        pub fn up(self, by: u32) -> Pair {
            Pair(self.0.map(|word| word << by))
        }

        /// Shifts both words to lower bits, by less than 64.
        #[inline(always)]
        pub fn down(self, by: u32) -> Pair {
            Pair(self.0.map(|word| word >> by))
        }

        #[inline(always)]
        fn zip(self, other: Pair, of: impl Fn(u64, u64) -> u64) -> Pair {
            Pair([of(self.0[0], other.0[0]), of(self.0[1], other.0[1])])
        }

        /// Adds the words, modulo 2⁶⁴.
        #[inline(always)]
        pub fn plus(self, other: Pair) -> Pair {
            self.zip(other, u64::wrapping_add)
        }

        /// Adds the bytes, modulo 2⁸.
        #[inline(always)]
        pub fn plus_bytes(self, other: Pair) -> Pair {
            const TOPS: u64 = 0x8080_8080_8080_8080;
            self.zip(other, |a, b| ((a & !TOPS) + (b & !TOPS)) ^ ((a ^ b) & TOPS))
        }

        /// For each word, the sum of its bytes.
        #[inline(always)]
        pub fn sum_of_bytes(self) -> Pair {
            let sum = |word: u64| word.to_le_bytes().map(u64::from).iter().sum();
            Pair(self.0.map(sum))
        }

        /// The bits that are not in `other`.
        #[inline(always)]
        pub fn without(self, other: Pair) -> Pair {
            self.zip(other, |a, b| a & !b)
        }

        /// The first word of `self` and the first word of `other`.
        #[inline(always)]
        pub fn firsts(self, other: Pair) -> Pair {
            Pair([self.0[0], other.0[0]])
        }

        /// The second word of `self` and the second word of `other`.
        #[inline(always)]
        pub fn seconds(self, other: Pair) -> Pair {
            Pair([self.0[1], other.0[1]])
        }

        /// Whether both words are 0.
        #[inline(always)]
        pub fn is_zero(self) -> bool {
            self.0[0] | self.0[1] == 0
        }
    }

    impl BitAnd for Pair {
        type Output = Pair;
        #[inline(always)]
        fn bitand(self, other: Pair) -> Pair {
            self.zip(other, |a, b| a & b)
        }
    }

    impl BitOr for Pair {
        type Output = Pair;
        #[inline(always)]
        fn bitor(self, other: Pair) -> Pair {
            self.zip(other, |a, b| a | b)
        }
    }

    impl BitXor for Pair {
        type Output = Pair;
        #[inline(always)]
        fn bitxor(self, other: Pair) -> Pair {
            self.zip(other, |a, b| a ^ b)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pair, words};
    use crate::rng::Rng;

    /// Random words; many have long runs of ones, so that sums carry.
    fn random(rng: &mut Rng) -> [u64; 2] {
        [(); 2].map(|()| match rng.below(4) {
            0 => 0,
            1 => u64::MAX << rng.below(64),
            _ => rng.next_u64(),
        })
    }

    #[test]
    fn vectors_and_words_agree() {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            let (a, b, by) = (random(&mut rng), random(&mut rng), rng.below(64));
            let (x, y) = (Pair::new(a), Pair::new(b));
            let (v, w) = (words::Pair::new(a), words::Pair::new(b));
            assert_eq!(x.words(), a);
            assert_eq!(v.words(), a);
            assert_eq!([x.first(), v.first()], [a[0]; 2]);
            assert_eq!([x.is_zero(), v.is_zero()], [a == [0, 0]; 2]);
            for (found, expected) in [
                (x.up(by), v.up(by)),
                (x.down(by), v.down(by)),
                (x.plus(y), v.plus(w)),
                (x.plus_bytes(y), v.plus_bytes(w)),
                (x.sum_of_bytes(), v.sum_of_bytes()),
                (x.without(y), v.without(w)),
                (x.firsts(y), v.firsts(w)),
                (x.seconds(y), v.seconds(w)),
                (x.swapped(), v.swapped()),
                (x & y, v & w),
                (x | y, v | w),
                (x ^ y, v ^ w),
            ] {
                assert_eq!(found.words(), expected.words(), "{a:x?} {b:x?} {by}");
            }
        }
    }

    #[test]
    fn bytes_are_added_each_for_itself() {
        let sum = words::Pair::new([0xff01, 0x80]).plus_bytes(words::Pair::new([0x02ff, 0x81]));
        assert_eq!(sum.words(), [0x0100, 0x01]);
        assert_eq!(sum.sum_of_bytes().words(), [1, 1]);
    }
}

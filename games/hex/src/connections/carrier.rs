//! Sets of empty cells.

/// A set of empty cells, by their number row by row, in `W` words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Carrier<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> Carrier<W> {
    pub(crate) const EMPTY: Carrier<W> = Carrier([0; W]);

    pub(crate) fn contains(&self, end: usize) -> bool {
        end < 64 * W && self.0[end / 64] >> (end % 64) & 1 != 0
    }

    pub(crate) fn with(mut self, cell: usize) -> Carrier<W> {
        self.0[cell / 64] |= 1 << (cell % 64);
        self
    }

    pub(crate) fn without(mut self, cell: usize) -> Carrier<W> {
        self.0[cell / 64] &= !(1 << (cell % 64));
        self
    }

    /// The cells, in the order of their numbers.
    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> + use<W> {
        let mut words = self.0;
        let mut word = 0;
        std::iter::from_fn(move || {
            while word < W && words[word] == 0 {
                word += 1;
            }
            (word < W).then(|| {
                let bit = words[word].trailing_zeros() as usize;
                words[word] &= words[word] - 1;
                64 * word + bit
            })
        })
    }

    pub(crate) fn union(&self, other: &Carrier<W>) -> Carrier<W> {
        Carrier(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(crate) fn intersection(&self, other: &Carrier<W>) -> Carrier<W> {
        Carrier(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(crate) fn meets(&self, other: &Carrier<W>) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(crate) fn is_within(&self, other: &Carrier<W>) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; W]
    }

    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

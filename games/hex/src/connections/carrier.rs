//! Sets of empty cells.

/// A set of empty cells, by their number row by row, in `W` words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Carrier<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> Carrier<W> {
    pub(super) const EMPTY: Carrier<W> = Carrier([0; W]);

    pub(super) fn contains(&self, end: usize) -> bool {
        end < 64 * W && self.0[end / 64] >> (end % 64) & 1 != 0
    }

    pub(super) fn with(mut self, cell: usize) -> Carrier<W> {
        self.0[cell / 64] |= 1 << (cell % 64);
        self
    }

    pub(super) fn union(&self, other: &Carrier<W>) -> Carrier<W> {
        Carrier(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(super) fn intersection(&self, other: &Carrier<W>) -> Carrier<W> {
        Carrier(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(super) fn meets(&self, other: &Carrier<W>) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(super) fn is_within(&self, other: &Carrier<W>) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; W]
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

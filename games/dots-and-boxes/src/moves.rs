//! An edge as a move.

use engine_core::Move;

/// One edge, by its number on its board (see [`crate::geometry`]), 0 to 63.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge(pub(crate) u8);

impl Edge {
    /// The edge as a one-element set.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }
}

impl Move for Edge {
    #[inline]
    fn to_bits(self) -> u32 {
        self.0 as u32 + 1
    }

    #[inline]
    fn from_bits(bits: u32) -> Edge {
        Edge((bits.wrapping_sub(1) & 63) as u8)
    }
}

/// The edges of a set, from the lowest bit.
#[derive(Clone, Debug)]
pub(crate) struct Edges(pub(crate) u64);

impl Iterator for Edges {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        if self.0 == 0 {
            return None;
        }
        let edge = Edge(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(edge)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

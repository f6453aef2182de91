//! Node statistics that only some methods need, stored outside the nodes.

use crate::position::Side;
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// Additional statistics of a node for RAVE, UCB1-tuned and implicit minimax.
#[derive(Default, Debug)]
pub(super) struct Extra {
    /// AMAF (all moves as first): playouts 24 bits | points of `First` in units of 2⁻¹⁶, 40 bits.
    amaf: AtomicU64,
    /// Sum of the squares of the points of `First`, in units of 2⁻²⁴.
    squares: AtomicU64,
    /// Implicit minimax value: win probability of `First`, as the bits of an `f32`.
    implicit: AtomicU32,
}

#[cfg(not(loom))]
// SAFETY: atomics are valid as zero, and all-zero is what `default()` gives.
unsafe impl crate::memory::Zeroable for Extra {}

const AMAF_SHIFT: u32 = 40;
const AMAF_ONE: f32 = 65_536.0;
/// AMAF playouts above this number are not added, so that 24 bits cannot overflow.
const AMAF_MOST: u64 = 1 << 23;
const SQUARE_ONE: f32 = 16_777_216.0;

impl Extra {
    /// Resets to a new node with this win probability of `First` by evaluation.
    pub(super) fn reset(&self, first: f32) {
        self.amaf.store(0, Ordering::Relaxed);
        self.squares.store(0, Ordering::Relaxed);
        self.set_implicit(first);
    }

    /// Copies `other`.
    pub(super) fn copy_from(&self, other: &Extra) {
        let relaxed = Ordering::Relaxed;
        self.amaf.store(other.amaf.load(relaxed), relaxed);
        self.squares.store(other.squares.load(relaxed), relaxed);
        self.implicit.store(other.implicit.load(relaxed), relaxed);
    }

    /// Adds a playout in which the move of this node was played later.
    #[inline]
    pub(super) fn add_amaf(&self, first: f32) {
        if self.amaf.load(Ordering::Relaxed) >> AMAF_SHIFT < AMAF_MOST {
            let points = (first * AMAF_ONE) as u64;
            self.amaf
                .fetch_add(1 << AMAF_SHIFT | points, Ordering::Relaxed);
        }
    }

    /// Number of AMAF playouts, and the mean points of `side` in them; `None` without playouts.
    #[inline]
    pub(super) fn amaf(&self, side: Side) -> Option<(f32, f32)> {
        let word = self.amaf.load(Ordering::Relaxed);
        let visits = (word >> AMAF_SHIFT) as f32;
        if visits == 0.0 {
            return None;
        }
        let points = (word & ((1 << AMAF_SHIFT) - 1)) as f32 / AMAF_ONE;
        let mean = points / visits;
        Some((visits, of(side, mean)))
    }

    /// Adds the squared points of a playout through this node.
    pub(super) fn add_square(&self, first: f32) {
        self.squares
            .fetch_add((first * first * SQUARE_ONE) as u64, Ordering::Relaxed);
    }

    /// Sum of the squares of the points of `First`.
    #[inline]
    pub(super) fn squares(&self) -> f32 {
        self.squares.load(Ordering::Relaxed) as f32 / SQUARE_ONE
    }

    /// The implicit minimax value: win probability of `First`.
    #[inline]
    pub(super) fn implicit(&self) -> f32 {
        f32::from_bits(self.implicit.load(Ordering::Relaxed))
    }

    pub(super) fn set_implicit(&self, first: f32) {
        self.implicit.store(first.to_bits(), Ordering::Relaxed);
    }
}

/// Converts a win probability of `First` to that of `side`, and back.
#[inline]
pub(super) fn of(side: Side, first: f32) -> f32 {
    match side {
        Side::First => first,
        Side::Second => 1.0 - first,
    }
}

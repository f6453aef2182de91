//! A node of the tree: 32 bytes of atomics, two nodes in a cache line.

use crate::mcts::bounds::Bounds;
use crate::mcts::link::Link;
use crate::position::Side;
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// Shared statistics of a node. The children of a node are adjacent.
#[derive(Default, Debug)]
pub(super) struct Node {
    /// Sum of the points of `First` over the playouts, in units of 2⁻²⁴. Always for `First`,
    /// whichever side acts. An integer sum does not depend on the order in which threads add.
    points: AtomicU64,
    /// Playouts through this node, including prior playouts and virtual losses.
    visits: AtomicU32,
    /// Move or face of the roll that leads here, 24 bits | weight of the roll, 8 bits, 0 for a
    /// move.
    edge: AtomicU32,
    /// The children.
    pub(super) link: Link,
    /// Bounds 42 bits | prior 16 bits.
    known: AtomicU64,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Node>() == 32);
#[cfg(not(loom))]
// SAFETY: atomics are valid as zero, and all-zero is what `default()` gives.
unsafe impl crate::memory::Zeroable for Node {}

/// Initial values of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewNode {
    /// Bits of the move, or the face, that leads here.
    pub(super) edge: u32,
    /// Weight of the roll, 0 for a move.
    pub(super) weight: u8,
    /// Number of playouts that the prior counts as.
    pub(super) visits: u32,
    /// Win probability of `First` by evaluation; ½ without one.
    pub(super) first: f32,
    /// Prior of the edge for the side that chooses it, 0 to 1.
    pub(super) prior: f32,
    /// Proven bounds.
    pub(super) bounds: Bounds,
}

impl NewNode {
    /// A node without prior and bounds.
    pub(super) fn new(edge: u32, weight: u8) -> NewNode {
        NewNode {
            edge,
            weight,
            visits: 0,
            first: 0.5,
            prior: 0.0,
            bounds: Bounds::UNKNOWN,
        }
    }
}

const MASK: u64 = (1 << Bounds::BITS) - 1;

impl Node {
    /// One point.
    pub(super) const ONE: u64 = 1 << 24;

    /// Converts points, 0 to 1, to the fixed-point units of a node.
    #[inline]
    pub(super) fn fixed(points: f32) -> u64 {
        (points * Self::ONE as f32) as u64
    }

    /// Resets this node to a new leaf. No other thread can see it yet.
    #[inline]
    pub(super) fn reset(&self, fresh: &NewNode) {
        let points = Self::fixed(fresh.first) * fresh.visits as u64;
        let prior = (fresh.prior * u16::MAX as f32) as u64;
        self.points.store(points, Ordering::Relaxed);
        self.visits.store(fresh.visits, Ordering::Relaxed);
        self.edge
            .store(fresh.edge | (fresh.weight as u32) << 24, Ordering::Relaxed);
        self.link.set(None);
        let known = fresh.bounds.to_bits() | prior << Bounds::BITS;
        self.known.store(known, Ordering::Relaxed);
    }

    /// Copies `other` except for the link, while no other thread runs.
    pub(super) fn copy_from(&self, other: &Node) {
        let relaxed = Ordering::Relaxed;
        self.points.store(other.points.load(relaxed), relaxed);
        self.visits.store(other.visits.load(relaxed), relaxed);
        self.edge.store(other.edge.load(relaxed), relaxed);
        self.known.store(other.known.load(relaxed), relaxed);
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Sum of the points of `First`.
    #[inline]
    pub(super) fn points(&self) -> f32 {
        // A signed conversion is one instruction, and no sum reaches 2⁶³.
        self.points.load(Ordering::Relaxed) as i64 as f32 * (1.0 / Self::ONE as f32)
    }

    /// Mean points of `side`, ½ before the first playout.
    #[inline]
    pub(super) fn mean(&self, side: Side) -> f32 {
        let visits = self.visits();
        if visits == 0 {
            return 0.5;
        }
        let mean = self.points() / visits as f32;
        match side {
            Side::First => mean,
            Side::Second => 1.0 - mean,
        }
    }

    /// Bits of the move, or the face, that leads here.
    #[inline]
    pub(super) fn edge(&self) -> u32 {
        self.edge.load(Ordering::Relaxed) & 0xff_ffff
    }

    /// Weight of the roll that leads here; 0 if it was a move.
    #[inline]
    pub(super) fn weight(&self) -> u32 {
        self.edge.load(Ordering::Relaxed) >> 24
    }

    /// Prior of the edge for the side that chooses it, 0 to 1.
    #[inline]
    pub(super) fn prior(&self) -> f32 {
        (self.known.load(Ordering::Relaxed) >> Bounds::BITS) as f32 * (1.0 / u16::MAX as f32)
    }

    /// The proven bounds.
    #[inline]
    pub(super) fn bounds(&self) -> Bounds {
        Bounds::from_bits(self.known.load(Ordering::Relaxed))
    }

    /// The exact value, if it is proven.
    #[inline]
    pub(super) fn value(&self) -> Option<i32> {
        let known = self.known.load(Ordering::Relaxed);
        if known & MASK == 0 {
            return None;
        }
        Bounds::from_bits(known).value()
    }

    /// Whether anything is proven.
    #[inline]
    pub(super) fn is_bounded(&self) -> bool {
        self.known.load(Ordering::Relaxed) & MASK != 0
    }

    /// Intersects the bounds with newly proven ones; returns whether they changed. Bounds only
    /// tighten, so concurrent updates lose nothing. Two threads that prove two children at the same
    /// time may each miss the other's result when they update the parent; the next thread that
    /// finds no child to choose updates it again.
    pub(super) fn tighten(&self, bounds: Bounds) -> bool {
        let news = |known: u64| {
            let both = Bounds::from_bits(known).intersect(bounds).to_bits() | (known & !MASK);
            (both != known).then_some(both)
        };
        let relaxed = Ordering::Relaxed;
        self.known.fetch_update(relaxed, relaxed, news).is_ok()
    }

    /// Forgets what is proven, while no other thread searches; returns true.
    pub(super) fn forget_bounds(&self) -> bool {
        let unknown = |known: u64| Some(Bounds::UNKNOWN.to_bits() | (known & !MASK));
        let relaxed = Ordering::Relaxed;
        self.known.fetch_update(relaxed, relaxed, unknown).is_ok()
    }

    /// Adds a playout, in a tree that only one thread uses.
    #[inline]
    pub(super) fn add_playout(&self, points: u64) {
        let relaxed = Ordering::Relaxed;
        self.points
            .store(self.points.load(relaxed) + points, relaxed);
        self.visits.store(self.visits.load(relaxed) + 1, relaxed);
    }

    /// Adds a visit with `virtual_loss` points, until [`Node::replace_virtual_loss`].
    #[inline]
    pub(super) fn add_virtual_loss(&self, virtual_loss: u64) {
        self.add(1, virtual_loss);
    }

    /// Replaces the virtual loss by the result: adds `difference` points (modulo 2⁶⁴).
    #[inline]
    pub(super) fn replace_virtual_loss(&self, difference: u64) {
        self.add(0, difference);
    }

    /// Adds visits, and points modulo 2⁶⁴.
    #[inline]
    pub(super) fn add(&self, visits: u32, points: u64) {
        if visits != 0 {
            self.visits.fetch_add(visits, Ordering::Relaxed);
        }
        if points != 0 {
            self.points.fetch_add(points, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_node_keeps_what_it_is_given() {
        let node = Node::default();
        node.reset(&NewNode {
            visits: 4,
            first: 0.25,
            prior: 0.5,
            bounds: Bounds::exact(-7),
            ..NewNode::new(0xab_cdef, 3)
        });
        assert_eq!(
            (node.edge(), node.weight(), node.visits()),
            (0xab_cdef, 3, 4)
        );
        assert_eq!(node.mean(Side::First), 0.25);
        assert_eq!(node.mean(Side::Second), 0.75);
        assert!((node.prior() - 0.5).abs() < 1e-4);
        assert_eq!(node.value(), Some(-7));
    }

    #[test]
    fn a_virtual_loss_is_replaced_by_the_result() {
        let (alone, shared) = (Node::default(), Node::default());
        for (virtual_loss, points) in [(0, 1.0), (Node::ONE, 0.0), (Node::ONE, 0.3)] {
            let points = Node::fixed(points);
            alone.add_playout(points);
            shared.add_virtual_loss(virtual_loss);
            shared.replace_virtual_loss(points.wrapping_sub(virtual_loss));
        }
        assert_eq!(alone.points(), shared.points());
        assert_eq!(alone.visits(), shared.visits());
    }
}

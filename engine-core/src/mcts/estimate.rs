//! What UCB1 compares of a node, outside the nodes: the estimates of siblings are adjacent, and a
//! selection needs no division, root or logarithm. A playout updates one estimate at each level but
//! compares all of them.

use crate::mcts::link::Block;
use crate::mcts::node::Node;
use crate::memory::Zeroed;
use crate::sync::{AtomicU32, Ordering};

/// The functions of fewer visits than this are in a table.
const TABULATED: usize = 1024;

/// The estimates of all nodes of a tree.
#[derive(Debug)]
pub(super) struct Estimates {
    items: Zeroed<Estimate>,
    /// By visits.
    table: Box<[OfVisits; TABULATED]>,
    /// The width of a new node with a prior.
    fresh_width: f32,
}

/// The mean of a node and two functions of its visits. Another thread may read words that belong to
/// different playouts.
#[derive(Default, Debug)]
pub(super) struct Estimate {
    /// Mean points of `First` as the bits of an `f32`; not a number if bounds are proven, which
    /// makes each comparison with it false.
    mean: AtomicU32,
    /// [`OfVisits::width`] as the bits of an `f32`.
    width: AtomicU32,
    /// [`OfVisits::reach`] as the bits of an `f32`.
    reach: AtomicU32,
}

#[cfg(not(loom))]
// SAFETY: atomics are valid as zero, and all-zero is what `default()` gives.
unsafe impl crate::memory::Zeroable for Estimate {}

impl Estimate {
    /// Mean points of `First`, 0 without visits; not a number if bounds are proven.
    #[inline(always)]
    pub(super) fn mean(&self) -> f32 {
        f32::from_bits(self.mean.load(Ordering::Relaxed))
    }

    /// [`OfVisits::width`].
    #[inline(always)]
    pub(super) fn width(&self) -> f32 {
        f32::from_bits(self.width.load(Ordering::Relaxed))
    }
}

/// The functions of visits in UCB1.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfVisits {
    /// 1 / √visits: the width of the confidence interval of a child. Infinite without visits.
    pub(super) width: f32,
    /// √ln(visits): the factor of the widths of a node's children. 0 without visits.
    pub(super) reach: f32,
}

impl OfVisits {
    pub(super) fn new(visits: u32) -> OfVisits {
        OfVisits {
            width: 1.0 / (visits as f32).sqrt(),
            reach: ln(visits).sqrt(),
        }
    }
}

/// The children of a node as a selection sees them.
#[derive(Clone, Copy)]
pub(super) struct Family<'a> {
    /// [`OfVisits::reach`] of the node.
    pub(super) reach: f32,
    /// The estimates of its children.
    pub(super) children: &'a [Estimate],
    /// The width of a child without playouts, which has the visits of its prior. Without a prior it
    /// is infinite, and such children come before all others; with one they are stored in its
    /// order, and none is better than the first.
    pub(super) fresh_width: f32,
}

impl Estimates {
    /// Estimates of `count` nodes, whose priors count as `prior_playouts`; `None` if the memory
    /// cannot be allocated.
    pub(super) fn new(count: usize, prior_playouts: u32) -> Option<Estimates> {
        Some(Estimates {
            items: Zeroed::new(count)?,
            table: Box::new(std::array::from_fn(|visits| OfVisits::new(visits as u32))),
            fresh_width: OfVisits::new(prior_playouts).width,
        })
    }

    /// Touches all memory.
    pub(super) fn touch(&self) {
        const PAGE: usize = 4096;
        for item in self.items.iter().step_by(PAGE / size_of::<Estimate>()) {
            item.mean.store(0, Ordering::Relaxed);
        }
    }

    /// Updates the estimate of a node after a change of the node.
    #[inline]
    pub(super) fn update(&self, index: u32, node: &Node) {
        let (mean, of_visits) = self.estimate(node);
        let item = &self.items[index as usize];
        item.mean.store(mean.to_bits(), Ordering::Relaxed);
        item.width
            .store(of_visits.width.to_bits(), Ordering::Relaxed);
        item.reach
            .store(of_visits.reach.to_bits(), Ordering::Relaxed);
    }

    /// The words of an estimate.
    #[inline]
    fn estimate(&self, node: &Node) -> (f32, OfVisits) {
        let visits = node.visits();
        let of_visits = match self.table.get(visits as usize) {
            Some(&of_visits) => of_visits,
            None => OfVisits::new(visits),
        };
        let mean = match visits {
            _ if node.is_bounded() => f32::NAN,
            0 => 0.0,
            _ => node.points() * (of_visits.width * of_visits.width),
        };
        (mean, of_visits)
    }

    /// Whether the estimate of a node has been updated after the last change of the node.
    pub(super) fn is_current(&self, index: u32, node: &Node) -> bool {
        let (mean, OfVisits { width, reach }) = self.estimate(node);
        let item = &self.items[index as usize];
        [
            (&item.mean, mean),
            (&item.width, width),
            (&item.reach, reach),
        ]
        .into_iter()
        .all(|(word, expected)| word.load(Ordering::Relaxed) == expected.to_bits())
    }

    /// A node and its children.
    #[inline]
    pub(super) fn family(&self, index: u32, block: Block) -> Family<'_> {
        let reach = self.items[index as usize].reach.load(Ordering::Relaxed);
        Family {
            reach: f32::from_bits(reach),
            children: &self.items[block.range()],
            fresh_width: self.fresh_width,
        }
    }
}

/// ln n with an error of about 10⁻⁴, by arithmetic that gives the same result on every machine; a
/// library's logarithm may not. 0 for n = 0.
#[inline]
pub(super) fn ln(n: u32) -> f32 {
    let bits = (n.max(1) as f32).to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let m = f32::from_bits((bits & 0x7f_ffff) | 0x3f80_0000);
    // A polynomial for ln m, 1 ≤ m < 2, summed in pairs for a shorter dependency chain.
    let (low, middle) = (
        -1.741_793_9 + 2.821_202_6 * m,
        -1.469_956_8 + 0.447_179_55 * m,
    );
    let square = m * m;
    let p = (low + middle * square) - 0.056_570_85 * square * square;
    exponent as f32 * std::f32::consts::LN_2 + p.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_near() {
        for n in (1..100_000).chain([u32::MAX]) {
            assert!((ln(n) - (n as f32).ln()).abs() < 2e-4, "{n}");
        }
        assert!(ln(1) >= 0.0);
    }
}

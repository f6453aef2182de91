//! A buffer, one for each thread, of visits to busy nodes. If threads wrote the nodes near the root
//! after every playout, they would wait for each other's cache lines most of the time.

use crate::mcts::node::Node;
use crate::mcts::tree::Tree;

/// Number of visits from which a node is busy.
const BUSY: u32 = 256;

/// A thread buffers at most 1 / `SHARE` of the visits of a node.
const SHARE: u32 = 16;

/// Number of nodes that a thread can buffer.
const SLOTS: usize = 256;

/// Whether visits to this node are buffered.
#[inline]
pub(super) fn is_busy(node: &Node) -> bool {
    node.visits() >= BUSY
}

/// Buffered visits and points of one node.
#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    index: u32,
    visits: u32,
    points: u64,
}

impl Slot {
    fn flush(&mut self, tree: &Tree) {
        if self.visits != 0 {
            tree.node(self.index).add(self.visits, self.points);
            tree.refresh(self.index);
        }
        (self.visits, self.points) = (0, 0);
    }
}

/// The buffered visits of one thread. Direct-mapped by node index.
#[derive(Debug)]
pub(super) struct VisitBuffer(Box<[Slot; SLOTS]>);

impl Default for VisitBuffer {
    fn default() -> VisitBuffer {
        VisitBuffer(Box::new([Slot::default(); SLOTS]))
    }
}

impl VisitBuffer {
    /// Adds a finished playout through a busy node; flushes its slot if that is large enough.
    #[inline]
    pub(super) fn add(&mut self, tree: &Tree, index: u32, points: u64) {
        let slot = &mut self.0[index as usize % SLOTS];
        if slot.index != index {
            slot.flush(tree);
            slot.index = index;
        }
        slot.visits += 1;
        slot.points += points;
        if slot.visits >= tree.node(index).visits() / SHARE {
            slot.flush(tree);
        }
    }

    /// Adds all buffered visits to the tree.
    pub(super) fn flush(&mut self, tree: &Tree) {
        self.0.iter_mut().for_each(|slot| slot.flush(tree));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::mcts::settings::TreeSettings;

    #[test]
    fn no_playout_is_lost() {
        let tree = Tree::new(0, &TreeSettings::default()).expect("there is room");
        let mut visit_buffer = VisitBuffer::default();
        // Two nodes share a slot; the third has its own.
        let indices = [5, 5 + SLOTS as u32, 6];
        let mut behind = 0;
        for i in 0..10_000 {
            visit_buffer.add(&tree, indices[i % 7 % 3], Node::ONE);
            let known: u32 = indices.iter().map(|&i| tree.node(i).visits()).sum();
            behind = behind.max(i as u32 + 1 - known);
        }
        visit_buffer.flush(&tree);
        let sums = indices.map(|i| (tree.node(i).visits(), tree.node(i).points()));
        assert_eq!(sums, [(4286, 4286.0), (2857, 2857.0), (2857, 2857.0)]);
        assert!((1..=3 * 4286 / SHARE).contains(&behind), "{behind}");
    }
}

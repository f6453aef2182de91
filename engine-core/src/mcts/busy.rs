//! Playouts through busy nodes, which a thread keeps to itself for a while. Threads that wrote the
//! nodes near the root at every playout would wait for each other's cache lines most of the time.

use crate::mcts::node::Node;
use crate::mcts::tree::Tree;

/// Visits from which a node is busy.
const BUSY: u32 = 256;

/// A thread keeps at most one part in so many of a node's visits to itself.
const SHARE: u32 = 64;

/// Nodes that a thread keeps playouts of.
const SLOTS: usize = 256;

/// Whether a node is busy.
#[inline]
pub(super) fn is_busy(node: &Node) -> bool {
    node.visits() >= BUSY
}

/// Playouts that the tree does not know of yet.
#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    index: u32,
    visits: u32,
    points: u64,
}

impl Slot {
    fn empty(&mut self, tree: &Tree) {
        if self.visits != 0 {
            tree.node(self.index).add(self.visits, self.points);
        }
        (self.visits, self.points) = (0, 0);
    }
}

/// What one thread keeps to itself.
#[derive(Debug)]
pub(super) struct Kept(Box<[Slot; SLOTS]>);

impl Default for Kept {
    fn default() -> Kept {
        Kept(Box::new([Slot::default(); SLOTS]))
    }
}

impl Kept {
    /// A playout through a busy node has ended.
    #[inline]
    pub(super) fn add(&mut self, tree: &Tree, index: u32, points: u64) {
        let slot = &mut self.0[index as usize % SLOTS];
        if slot.index != index {
            slot.empty(tree);
            slot.index = index;
        }
        slot.visits += 1;
        slot.points += points;
        if slot.visits >= tree.node(index).visits() / SHARE {
            slot.empty(tree);
        }
    }

    /// Tells the tree all.
    pub(super) fn empty(&mut self, tree: &Tree) {
        self.0.iter_mut().for_each(|slot| slot.empty(tree));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::mcts::settings::TreeSettings;

    #[test]
    fn no_playout_is_lost() {
        let tree = Tree::new(0, &TreeSettings::default()).expect("there is room");
        let mut kept = Kept::default();
        // Two nodes of one slot, and one of another.
        let indices = [5, 5 + SLOTS as u32, 6];
        let mut behind = 0;
        for i in 0..10_000 {
            kept.add(&tree, indices[i % 7 % 3], Node::ONE);
            let known: u32 = indices.iter().map(|&i| tree.node(i).visits()).sum();
            behind = behind.max(i as u32 + 1 - known);
        }
        kept.empty(&tree);
        let sums = indices.map(|i| (tree.node(i).visits(), tree.node(i).points()));
        assert_eq!(sums, [(4286, 4286.0), (2857, 2857.0), (2857, 2857.0)]);
        assert!((1..=3 * 4286 / SHARE).contains(&behind), "{behind}");
    }
}

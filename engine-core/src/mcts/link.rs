//! The link from a node to its children, and the protocol by which threads grow the tree without
//! locks.
//!
//! One thread *claims* a leaf, writes the children and then *publishes* them by one store. A thread
//! that reads the link sees either no children or complete ones; until publication the node is a
//! leaf for all other threads (Enzenberger and Müller, *A Lock-free Multithreaded Monte-Carlo Tree
//! Search Algorithm*, 2009). `loom` checks this in the tests below.

use crate::sync::{AtomicU64, Ordering};

/// The children of a node: adjacent nodes of the tree. One word that is neither 0 nor 1: index of the
/// first child 32 bits | number of children, at least one, 16 | unused | incomplete 1 | 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block(u64);

const LEAF: u64 = 0;
const CLAIMED: u64 = 1;
const INCOMPLETE: u64 = 2;

impl Block {
    /// `count` children from `first`. `incomplete` if moves are missing, so that these children
    /// cannot prove a loss.
    pub(super) fn new(first: u32, count: u16, incomplete: bool) -> Block {
        let incomplete = if incomplete { INCOMPLETE } else { 0 };
        Block((first as u64) << 32 | (count as u64) << 16 | incomplete)
    }

    /// The word of a block.
    pub(super) fn to_bits(self) -> u64 {
        self.0
    }

    /// The inverse of [`Block::to_bits`]; `None` for a leaf.
    #[inline]
    pub(super) fn from_bits(bits: u64) -> Option<Block> {
        (bits > CLAIMED).then_some(Block(bits))
    }

    /// Index of the first child.
    #[inline]
    pub(super) fn first(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Number of children, at least one.
    #[inline]
    pub(super) fn count(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Whether moves are missing, so that these children cannot prove a loss.
    #[inline]
    pub(super) fn is_incomplete(self) -> bool {
        self.0 & INCOMPLETE != 0
    }

    /// These children at another place.
    pub(super) fn moved_to(self, first: u32) -> Block {
        Block::new(first, self.count(), self.is_incomplete())
    }

    /// The indices of the children.
    #[inline]
    pub(super) fn indices(self) -> std::ops::Range<u32> {
        self.first()..self.first() + self.count() as u32
    }

    /// The indices of the children in a slice of all nodes.
    #[inline]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.first() as usize..self.first() as usize + self.count() as usize
    }
}

/// The atomic link of a node.
#[derive(Default, Debug)]
pub(super) struct Link(AtomicU64);

impl Link {
    /// The published children; `None` at a leaf, claimed or not.
    #[inline]
    pub(super) fn block(&self) -> Option<Block> {
        Block::from_bits(self.0.load(Ordering::Acquire))
    }

    /// Claims a leaf; the caller must then publish or give up. False if another thread has claimed
    /// it.
    pub(super) fn claim(&self) -> bool {
        let (success, failure) = (Ordering::Acquire, Ordering::Relaxed);
        (self.0)
            .compare_exchange(LEAF, CLAIMED, success, failure)
            .is_ok()
    }

    /// Publishes the written children to all threads.
    pub(super) fn publish(&self, block: Block) {
        self.0.store(block.to_bits(), Ordering::Release);
    }

    /// Releases the claim; the node stays a leaf.
    pub(super) fn give_up(&self) {
        self.0.store(LEAF, Ordering::Release);
    }

    /// Sets the link of a node that no other thread can see.
    pub(super) fn set(&self, block: Option<Block>) {
        self.0
            .store(block.map_or(LEAF, Block::to_bits), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_its_bits() {
        for (first, count, incomplete) in [(0, 1, false), (1, 7, true), (u32::MAX, u16::MAX, true)]
        {
            let block = Block::new(first, count, incomplete);
            assert_eq!(Block::from_bits(block.to_bits()), Some(block));
        }
    }

    #[test]
    fn a_leaf_is_claimed_once_and_shows_no_children_before_they_are_published() {
        let link = Link::default();
        assert!(link.block().is_none() && link.claim());
        assert!(link.block().is_none() && !link.claim());
        link.give_up();
        assert!(link.claim());
        let block = Block::new(5, 3, false);
        link.publish(block);
        assert!(link.block() == Some(block) && !link.claim());
    }
}

/// `RUSTFLAGS="--cfg loom" cargo test -p engine-core --release --lib loom`
#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;
    use crate::mcts::node::{NewNode, Node};

    /// One playout at node 0: expands it if it is a leaf, and adds a result to the path.
    fn visit(nodes: &[Node]) -> bool {
        let expanded = nodes[0].link.claim();
        if expanded {
            for (place, child) in nodes[1..].iter().enumerate() {
                child.reset(&NewNode::new(10 + place as u32, 0));
            }
            nodes[0].link.publish(Block::new(1, 2, false));
        }
        let mut path = vec![0];
        if let Some(block) = nodes[0].link.block() {
            for (place, child) in nodes[block.range()].iter().enumerate() {
                assert_eq!(child.edge(), 10 + place as u32, "children are complete");
            }
            path.push(1);
        }
        for index in path {
            nodes[index].add_virtual_loss(0);
            nodes[index].replace_virtual_loss(Node::ONE);
        }
        expanded
    }

    #[test]
    fn loom_one_thread_expands_a_leaf_and_no_playout_is_lost() {
        loom::model(|| {
            let nodes: Arc<Vec<Node>> = Arc::new((0..3).map(|_| Node::default()).collect());
            let twin = nodes.clone();
            let other = thread::spawn(move || visit(&twin));
            let expanded = [visit(&nodes), other.join().unwrap()];
            assert_eq!(expanded.iter().filter(|&&expanded| expanded).count(), 1);
            assert_eq!(nodes[0].visits(), 2);
            assert_eq!(nodes[0].points(), 2.0);
            assert!((1..=2).contains(&nodes[1].visits()));
        });
    }

    #[test]
    fn loom_bounds_of_two_threads_are_both_kept() {
        use crate::mcts::bounds::Bounds;
        loom::model(|| {
            let node = Arc::new(Node::default());
            let twin = node.clone();
            let other = thread::spawn(move || {
                twin.tighten(Bounds {
                    low: 3,
                    ..Bounds::UNKNOWN
                })
            });
            node.tighten(Bounds {
                high: 5,
                ..Bounds::UNKNOWN
            });
            other.join().unwrap();
            assert_eq!(node.bounds(), Bounds { low: 3, high: 5 });
        });
    }
}

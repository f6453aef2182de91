//! Bounded memory: when the tree is full, the least visited subtrees are removed. The other nodes
//! are compacted, so the tree can continue to grow.
//!
//! The idea is from Powley, Cowling and Whitehouse, *Memory Bounded Monte Carlo Tree Search*, 2017.
//! Here many nodes are removed at a time, which needs no list of nodes.
//!
//! All threads pause meanwhile. Nodes outside the root's subtree, left over from an earlier root,
//! are removed first.

use crate::mcts::link::Block;
use crate::mcts::tree::Tree;

/// A bitmap of the nodes that stay, and for each word the number of nodes that stay before it.
struct Marks {
    words: Vec<u64>,
    before: Vec<u32>,
    live: u32,
    /// Live nodes by the bit length of their parent's visits.
    by_visits: [u32; 33],
}

impl Marks {
    fn has(&self, index: u32) -> bool {
        self.words[index as usize / 64] >> (index % 64) & 1 != 0
    }

    fn set(&mut self, index: u32) {
        self.words[index as usize / 64] |= 1 << (index % 64);
        self.live += 1;
    }

    fn count(&mut self) {
        let mut sum = 0;
        self.before.clear();
        for word in &self.words {
            self.before.push(sum);
            sum += word.count_ones();
        }
    }

    /// The new index of a node that stays: the number of nodes before it that stay.
    fn new_index(&self, index: u32) -> u32 {
        let word = self.words[index as usize / 64];
        let below = word & ((1 << (index % 64)) - 1);
        self.before[index as usize / 64] + below.count_ones()
    }

    fn moved(&self, block: Block) -> Option<Block> {
        self.has(block.first())
            .then(|| block.moved_to(self.new_index(block.first())))
    }
}

impl Tree {
    /// Recycles the tree: keeps at most half of the nodes, the children of the most visited ones.
    /// `affordable` returns whether there is time to touch that many more nodes. If there is not,
    /// or if hardly any node could be removed, the tree is unchanged and the result is false.
    pub(super) fn collect(&self, affordable: impl Fn(u32) -> bool) -> bool {
        let Some(mut marks) = self.mark(0, &affordable) else {
            return false;
        };
        if marks.live > self.capacity() / 2 {
            let least = least_visits(&marks.by_visits, self.capacity() / 2);
            match self.mark(least, &affordable) {
                Some(fewer) => marks = fewer,
                None => return false,
            }
        }
        if !affordable(marks.live) || marks.live > self.capacity() / 4 * 3 {
            return false;
        }
        marks.count();
        self.compact(&marks);
        true
    }

    /// Marks the root, and the children of every reachable node with at least `least` visits.
    fn mark(&self, least: u32, affordable: &impl Fn(u32) -> bool) -> Option<Marks> {
        let mut marks = Marks {
            words: vec![0; self.used().div_ceil(64) as usize],
            before: Vec::new(),
            live: 0,
            by_visits: [0; 33],
        };
        let root = self.root();
        marks.set(root);
        let mut open = vec![root];
        let mut steps = 0u32;
        while let Some(index) = open.pop() {
            let node = self.node(index);
            let Some(block) = node.link.block() else {
                continue;
            };
            let kept = index == root || node.visits() >= least;
            if !kept || marks.has(block.first()) {
                continue;
            }
            steps += 1;
            if steps.is_multiple_of(1024) && !affordable(marks.live) {
                return None;
            }
            let length = u32::BITS - node.visits().leading_zeros();
            marks.by_visits[length as usize] += block.count() as u32;
            for child in block.indices() {
                marks.set(child);
                if self.node(child).link.block().is_some() {
                    open.push(child);
                }
            }
        }
        Some(marks)
    }

    /// Compacts the marked nodes in their order, and adjusts their links.
    fn compact(&self, marks: &Marks) {
        let mut to = 0;
        for (i, &word) in marks.words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let from = i as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                let link = self.node(from).link.block();
                self.node(to).copy_from(self.node(from));
                self.node(to)
                    .link
                    .set(link.and_then(|block| marks.moved(block)));
                self.refresh(to);
                if let (Some(new), Some(old)) = (self.extra(to), self.extra(from)) {
                    new.copy_from(old);
                }
                to += 1;
            }
        }
        if let Some(map) = &self.map {
            map.relocate(|block| marks.moved(block));
        }
        self.set_root(marks.new_index(self.root()));
        self.set_used(to);
    }
}

/// The number of visits that a node needs to keep its children, so that at most `most` nodes stay.
fn least_visits(by_visits: &[u32; 33], most: u32) -> u32 {
    let mut sum = 0;
    for (length, &count) in by_visits.iter().enumerate().rev() {
        sum += count;
        if sum >= most {
            return 1u32.checked_shl(length as u32).unwrap_or(u32::MAX);
        }
    }
    0
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::mcts::node::NewNode;
    use crate::mcts::settings::TreeSettings;
    use crate::mcts::tree::Chunk;

    /// Expands a leaf with `count` children of `visits` each; edges are numbered from `edge`.
    fn open(tree: &Tree, chunk: &mut Chunk, index: u32, count: u16, visits: u32, edge: u32) {
        let first = tree.take(chunk, count as u32).expect("there is room");
        for i in 0..count as u32 {
            let mut fresh = NewNode::new(edge + i, 0);
            fresh.visits = visits;
            tree.node(first + i).reset(&fresh);
        }
        assert!(tree.node(index).link.claim());
        tree.node(index)
            .link
            .publish(Block::new(first, count, false));
    }

    fn first_child(tree: &Tree, index: u32) -> u32 {
        tree.node(index).link.block().expect("it is open").first()
    }

    #[test]
    fn nodes_outside_the_new_root_are_removed() {
        let tree = Tree::new(0, &TreeSettings::default()).unwrap();
        let mut chunk = Chunk::default();
        open(&tree, &mut chunk, 0, 3, 10, 100);
        let second = first_child(&tree, 0) + 1;
        open(&tree, &mut chunk, first_child(&tree, 0), 4, 1, 200);
        open(&tree, &mut chunk, second, 5, 1, 300);
        tree.set_root(second);
        assert!(tree.collect(|_| true));
        assert_eq!((tree.root(), tree.used()), (0, 6));
        assert_eq!(tree.node(0).edge(), 101);
        let edges: Vec<u32> = tree.root_children().iter().map(|n| n.edge()).collect();
        assert_eq!(edges, [300, 301, 302, 303, 304]);
    }

    #[test]
    fn a_full_tree_loses_its_least_visited_half() {
        let tree = Tree::new(0, &TreeSettings::default()).unwrap();
        let mut chunk = Chunk::default();
        open(&tree, &mut chunk, 0, 3, 10, 100);
        let first = first_child(&tree, 0);
        open(&tree, &mut chunk, first, 1500, 2, 1000);
        open(&tree, &mut chunk, first + 1, 1500, 2, 3000);
        for child in first_child(&tree, first)..first_child(&tree, first) + 200 {
            open(&tree, &mut chunk, child, 4, 1, 5000);
        }
        tree.node(first + 1).add_playout(0);
        for _ in 0..20 {
            tree.node(first + 1).add_playout(0);
        }
        assert!(tree.collect(|_| true));
        assert_eq!(tree.used(), 1 + 3 + 1500);
        assert!(tree.node(1).link.block().is_none());
        let block = tree.node(2).link.block().unwrap();
        assert_eq!(tree.children(block)[1499].edge(), 4499);
    }

    #[test]
    fn without_time_the_tree_is_unchanged() {
        let tree = Tree::new(0, &TreeSettings::default()).unwrap();
        open(&tree, &mut Chunk::default(), 0, 3, 10, 100);
        let used = tree.used();
        assert!(!tree.collect(|_| false));
        assert_eq!((tree.used(), tree.root_children().len()), (used, 3));
    }
}

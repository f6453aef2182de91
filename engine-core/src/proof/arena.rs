//! The tree of proof-number search: nodes in one bounded block of memory, with recycling.

use super::budget::Budget;
use super::numbers::Numbers;

/// The null index. Index 0 is the root, which is no node's child.
pub(super) const NONE: u32 = 0;

/// A node of the tree. Children form a linked list, so all nodes have the same size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) numbers: Numbers,
    /// Bits of the move that leads here.
    pub(super) mv: u32,
    /// The first child, or [`NONE`].
    pub(super) child: u32,
    /// The next child of the same parent, or [`NONE`]; in a free node, the next free node.
    pub(super) next: u32,
}

const _: () = assert!(size_of::<Node>() == 20);

impl Node {
    fn new(mv: u32, numbers: Numbers) -> Node {
        Node {
            numbers,
            mv,
            child: NONE,
            next: NONE,
        }
    }
}

/// All nodes of a search.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    /// Head of the list of free nodes.
    free: u32,
    used: usize,
    capacity: usize,
    /// Released lists of nodes that are not in the free list yet. They are freed little by little,
    /// because the clock is not read while nodes are freed.
    pending: Vec<u32>,
}

/// Number of nodes freed at a time.
const SWEEP: usize = 4096;

/// When memory is full, subtrees of at most this many nodes are removed first, then those of up to
/// four times as many, and so on.
const SMALLEST_TREE: usize = 8;

impl Arena {
    /// A tree of at most `bytes` bytes, but at least the root. `None` if the memory cannot be
    /// allocated.
    pub(super) fn new(bytes: usize) -> Option<Arena> {
        let capacity = (bytes / size_of::<Node>()).clamp(1, u32::MAX as usize);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(capacity).ok()?;
        let mut arena = Arena {
            nodes,
            free: NONE,
            used: 0,
            capacity,
            pending: Vec::new(),
        };
        arena.clear();
        Some(arena)
    }

    /// Resets the tree to a single new root.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.pending.clear();
        self.nodes.push(Node::new(0, Numbers::UNKNOWN));
        (self.free, self.used) = (NONE, 1);
    }

    pub(super) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    pub(super) fn node_mut(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    /// Nodes in the tree, the root included.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Maximum number of nodes in the tree.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether `wanted` more nodes can be added.
    pub(super) fn has_room(&mut self, wanted: usize) -> bool {
        while self.capacity - self.used < wanted && !self.pending.is_empty() {
            self.sweep();
        }
        self.capacity - self.used >= wanted
    }

    /// How full the tree is, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.used as u64 * 1000 / self.capacity as u64) as u32
    }

    /// Adds a node that is in no list yet; there must be room.
    pub(super) fn add(&mut self, mv: u32, numbers: Numbers) -> u32 {
        debug_assert!(self.used < self.capacity);
        self.used += 1;
        let node = Node::new(mv, numbers);
        if self.free == NONE {
            self.nodes.push(node);
            return (self.nodes.len() - 1) as u32;
        }
        let index = self.free;
        self.free = self.node(index).next;
        *self.node_mut(index) = node;
        index
    }

    /// The children of a node, in the order of their creation.
    pub(super) fn children(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.node(index).child;
        let some = |index: u32| (index != NONE).then_some(index);
        std::iter::successors(some(first), move |&child| some(self.node(child).next))
    }

    /// Releases all nodes below a node, which keeps its numbers.
    pub(super) fn release_below(&mut self, index: u32) {
        let first = std::mem::replace(&mut self.node_mut(index).child, NONE);
        self.release_list(first);
    }

    /// Releases the siblings of the child `keep`, and all nodes below them.
    pub(super) fn keep_only(&mut self, parent: u32, keep: u32) {
        let first = self.node(parent).child;
        let mut last = NONE;
        // Unlinks `keep` from the list of its siblings.
        let others = if first == keep {
            self.node(keep).next
        } else {
            let before = self.children(parent).take_while(|&child| child != keep);
            last = before.last().expect("the child is in the list");
            first
        };
        if last != NONE {
            self.node_mut(last).next = self.node(keep).next;
        }
        self.node_mut(keep).next = NONE;
        self.node_mut(parent).child = keep;
        self.release_list(others);
    }

    fn release_list(&mut self, first: u32) {
        self.pending.push(first);
        self.sweep();
    }

    /// Frees some of the pending nodes.
    fn sweep(&mut self) {
        for _ in 0..SWEEP {
            let Some(index) = self.pending.pop() else {
                return;
            };
            if index != NONE {
                let Node { child, next, .. } = *self.node(index);
                self.pending.extend([next, child]);
                self.node_mut(index).next = self.free;
                self.free = index;
                self.used -= 1;
            }
        }
    }

    /// Frees memory until half of the capacity is free: removes the smallest subtrees first, and
    /// solved ones only if nothing else is left (after Nagai's SmallTreeGC, 2002). The node above a
    /// removed subtree keeps its numbers. Must not be called during a descent.
    pub(super) fn recycle(&mut self, budget: &mut Budget<'_>) {
        for solved_too in [false, true] {
            let mut limit = SMALLEST_TREE;
            while limit < self.capacity {
                if self.has_room(self.capacity / 2) {
                    return;
                }
                self.shrink(0, limit, solved_too, budget);
                limit *= 4;
            }
        }
    }

    /// Removes the maximal subtrees of at most `limit` nodes; returns the number of nodes below.
    fn shrink(
        &mut self,
        index: u32,
        limit: usize,
        solved_too: bool,
        budget: &mut Budget<'_>,
    ) -> usize {
        let mut below = 0;
        let mut child = self.node(index).child;
        while child != NONE && budget.has_time_for(1) {
            below += 1 + self.shrink(child, limit, solved_too, budget);
            child = self.node(child).next;
        }
        let whole = child == NONE;
        let kept = index == 0 || (!solved_too && self.node(index).numbers.is_solved());
        if whole && below <= limit && !kept {
            self.release_below(index);
        }
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    /// Adds `count` children to `parent`.
    fn grow(arena: &mut Arena, parent: u32, count: u32) -> Vec<u32> {
        let children: Vec<u32> = (1..=count)
            .map(|mv| arena.add(mv, Numbers::UNKNOWN))
            .collect();
        arena.node_mut(parent).child = children[0];
        for pair in children.windows(2) {
            arena.node_mut(pair[0]).next = pair[1];
        }
        children
    }

    #[test]
    fn released_nodes_are_used_again() {
        let mut arena = Arena::new(20 * size_of::<Node>()).unwrap();
        let children = grow(&mut arena, 0, 5);
        grow(&mut arena, children[1], 6);
        grow(&mut arena, children[3], 8);
        assert!(!arena.has_room(1));
        arena.keep_only(0, children[3]);
        assert_eq!(arena.used(), 1 + 1 + 8);
        assert_eq!(arena.children(0).collect::<Vec<_>>(), [children[3]]);
        let leaf = arena.node(children[3]).child;
        grow(&mut arena, leaf, 10);
        assert!(!arena.has_room(1));
        arena.release_below(0);
        assert_eq!(arena.used(), 1);
        assert_eq!(arena.nodes.len(), 20);
    }

    #[test]
    fn the_smallest_subtrees_are_forgotten_first() {
        let mut arena = Arena::new(70 * size_of::<Node>()).unwrap();
        let children = grow(&mut arena, 0, 4);
        grow(&mut arena, children[0], 6);
        let large = grow(&mut arena, children[1], 10);
        grow(&mut arena, large[0], 20);
        grow(&mut arena, children[3], 8);
        arena.recycle(&mut Budget::new(&Limits::default()));
        assert!(arena.has_room(35));
        assert_eq!(arena.node(children[0]).child, NONE);
        assert_eq!(arena.node(children[3]).child, NONE);
        assert_ne!(arena.node(children[1]).child, NONE);
    }
}

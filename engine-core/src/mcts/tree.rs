//! All nodes of a search tree in one block of memory of fixed size.

use crossbeam_utils::CachePadded;

use crate::mcts::estimate::{Estimate, Estimates};
use crate::mcts::extra::Extra;
use crate::mcts::link::Block;
use crate::mcts::node::{NewNode, Node};
use crate::mcts::settings::TreeSettings;
use crate::mcts::transpositions::Map;
use crate::memory::Zeroed;
use crate::sync::{AtomicU32, Ordering};

/// Nodes of the smallest tree (128 KiB), which has room for the moves of any root. A size of 0 MiB
/// gives this tree.
pub(super) const MIN_NODES: usize = 4096;

/// Number of nodes that a thread takes at once, so that threads rarely contend for the counter and
/// write different cache lines.
const CHUNK: u32 = 256;

/// A tree, shared by threads.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Zeroed<Node>,
    /// What plain UCB1 compares; `None` for other selections.
    pub(super) estimates: Option<Estimates>,
    extras: Option<Zeroed<Extra>>,
    pub(super) map: Option<Map>,
    /// Number of nodes taken. On its own cache line: the other fields are read by all threads.
    used: CachePadded<AtomicU32>,
    root: AtomicU32,
}

/// Nodes that a thread has taken but not used yet.
#[derive(Default, Debug)]
pub(super) struct Chunk {
    next: u32,
    end: u32,
}

impl Tree {
    /// A tree of at most `bytes` (but see [`MIN_NODES`]); `None` if the memory cannot be allocated.
    pub(super) fn new(bytes: usize, settings: &TreeSettings) -> Option<Tree> {
        let (estimates, extras) = (settings.is_plain(), settings.needs_extras());
        let map = settings.transpositions;
        // One more byte for the marks of recycling.
        let node_size = size_of::<Node>()
            + size_of::<Estimate>() * estimates as usize
            + size_of::<Extra>() * extras as usize
            + Map::BYTES_A_NODE * map as usize
            + 1;
        let nodes = (bytes / node_size).clamp(MIN_NODES, u32::MAX as usize);
        let tree = Tree {
            nodes: Zeroed::new(nodes)?,
            estimates: optional(estimates, || Estimates::new(nodes, settings.prior_playouts))?,
            extras: optional(extras, || Zeroed::new(nodes))?,
            map: optional(map, || Map::new(nodes))?,
            used: CachePadded::new(AtomicU32::new(0)),
            root: AtomicU32::new(0),
        };
        tree.reset();
        Some(tree)
    }

    /// Resets the tree to a single new root.
    pub(super) fn reset(&self) {
        self.node(0).reset(&NewNode::new(0, 0));
        if let Some(extra) = self.extra(0) {
            extra.reset(0.5);
        }
        self.refresh(0);
        if let Some(map) = &self.map {
            map.clear();
        }
        self.set_used(1);
        self.set_root(0);
    }

    /// Resets the tree and touches all its memory, so that page faults do not slow a search.
    pub(super) fn forget(&self) {
        const PAGE: usize = 4096;
        for node in self.nodes.iter().step_by(PAGE / size_of::<Node>()) {
            node.link.set(None);
        }
        if let Some(estimates) = &self.estimates {
            estimates.touch();
        }
        for extra in self
            .extras
            .iter()
            .flat_map(|extras| extras.iter().step_by(64))
        {
            extra.set_implicit(0.0);
        }
        self.reset();
    }

    pub(super) fn root(&self) -> u32 {
        self.root.load(Ordering::Relaxed)
    }

    pub(super) fn set_root(&self, index: u32) {
        self.root.store(index, Ordering::Relaxed);
    }

    pub(super) fn used(&self) -> u32 {
        self.used.load(Ordering::Relaxed)
    }

    pub(super) fn set_used(&self, used: u32) {
        self.used.store(used, Ordering::Relaxed);
    }

    pub(super) fn capacity(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// How full the tree is, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.used() as u64 * 1000 / self.capacity() as u64) as u32
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    #[inline]
    pub(super) fn children(&self, block: Block) -> &[Node] {
        &self.nodes[block.range()]
    }

    /// The children of the root; empty before it is expanded.
    pub(super) fn root_children(&self) -> &[Node] {
        self.children_of(self.root())
    }

    /// The children of a node; empty for a leaf.
    pub(super) fn children_of(&self, index: u32) -> &[Node] {
        let block = self.node(index).link.block();
        block.map_or(&[], |block| self.children(block))
    }

    /// The extras of one node, if nodes have them.
    #[inline]
    pub(super) fn extra(&self, index: u32) -> Option<&Extra> {
        self.extras.as_ref().map(|extras| &extras[index as usize])
    }

    /// The extras of a node's children; empty if nodes have none.
    #[inline]
    pub(super) fn extras(&self, block: Block) -> &[Extra] {
        self.extras
            .as_ref()
            .map_or(&[], |extras| &extras[block.range()])
    }

    /// Updates the estimate of a node, if nodes have one. Whoever changes a node does this next.
    #[inline]
    pub(super) fn refresh(&self, index: u32) {
        if let Some(estimates) = &self.estimates {
            estimates.update(index, self.node(index));
        }
    }

    /// Whether the estimate of a node, if it has one, is that of its statistics.
    pub(super) fn is_refreshed(&self, index: u32) -> bool {
        (self.estimates.as_ref()).is_none_or(|all| all.is_current(index, self.node(index)))
    }

    /// Takes `count` adjacent nodes for a thread; `None` if the tree is full.
    pub(super) fn take(&self, chunk: &mut Chunk, count: u32) -> Option<u32> {
        if chunk.end - chunk.next < count {
            self.refill(chunk, count)?;
        }
        let first = chunk.next;
        chunk.next += count;
        Some(first)
    }

    /// Gets a thread a new chunk of at least `count` nodes, or extends its current chunk.
    fn refill(&self, chunk: &mut Chunk, count: u32) -> Option<()> {
        let wanted = |used: u32| {
            let size = count.max(CHUNK).min(self.capacity() - used);
            (size >= count).then_some(used + size)
        };
        let relaxed = Ordering::Relaxed;
        let start = self.used.fetch_update(relaxed, relaxed, wanted).ok()?;
        if start != chunk.end {
            chunk.next = start;
        }
        chunk.end = wanted(start)?;
        Some(())
    }
}

/// A part of a tree if it is wanted; `None` if the memory for it cannot be allocated.
fn optional<T>(wanted: bool, new: impl FnOnce() -> Option<T>) -> Option<Option<T>> {
    if wanted { new().map(Some) } else { Some(None) }
}

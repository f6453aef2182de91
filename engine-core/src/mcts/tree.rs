//! All nodes of a search in one block of memory of fixed size.

use crossbeam_utils::CachePadded;

use crate::mcts::bounds::Bounds;
use crate::mcts::extra::Extra;
use crate::mcts::link::Block;
use crate::mcts::node::{Fresh, Node};
use crate::mcts::settings::TreeSettings;
use crate::mcts::transpositions::Map;
use crate::memory::Zeroed;
use crate::position::Position;
use crate::sync::{AtomicU32, Ordering};

/// The smallest tree: 128 KiB, room for the moves of any root. It is what 0 MiB gives.
pub(super) const LEAST_NODES: usize = 4096;

/// Nodes that a thread takes at once, so that threads seldom meet at the counter and grow the tree
/// in different cache lines.
const PIECE: u32 = 256;

/// The nodes, shared by threads.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Zeroed<Node>,
    extras: Option<Zeroed<Extra>>,
    pub(super) map: Option<Map>,
    /// Nodes handed out.
    /// Apart from what all threads read all the time.
    used: CachePadded<AtomicU32>,
    root: AtomicU32,
    /// Whether ends with a margin were met.
    margins: AtomicU32,
}

/// Nodes that a thread has taken and not yet used.
#[derive(Default, Debug)]
pub(super) struct Piece {
    next: u32,
    end: u32,
}

impl Tree {
    /// A tree that takes at most `bytes` (but see [`LEAST_NODES`]); `None` if the system does not
    /// have them.
    pub(super) fn new(bytes: usize, settings: &TreeSettings) -> Option<Tree> {
        let (extras, map) = (settings.needs_extras(), settings.transpositions);
        let extra_size = size_of::<Extra>() * extras as usize;
        // One byte more for the marks of a collection.
        let node_size = size_of::<Node>() + extra_size + Map::BYTES_A_NODE * map as usize + 1;
        let nodes = (bytes / node_size).clamp(LEAST_NODES, u32::MAX as usize);
        let tree = Tree {
            nodes: Zeroed::new(nodes)?,
            extras: if extras {
                Some(Zeroed::new(nodes)?)
            } else {
                None
            },
            map: if map { Some(Map::new(nodes)?) } else { None },
            used: CachePadded::new(AtomicU32::new(0)),
            root: AtomicU32::new(0),
            margins: AtomicU32::new(0),
        };
        tree.reset();
        Some(tree)
    }

    /// Leaves only a new root.
    pub(super) fn reset(&self) {
        self.node(0).reset(&Fresh::new(0, 0));
        if let Some(extra) = self.extra(0) {
            extra.reset(0.5);
        }
        if let Some(map) = &self.map {
            map.clear();
        }
        self.set_used(1);
        self.set_root(0);
    }

    /// Forgets all, and touches all memory, so that no search pays for the system's zeroing it.
    pub(super) fn forget(&self) {
        const PAGE: usize = 4096;
        for node in self.nodes.iter().step_by(PAGE / size_of::<Node>()) {
            node.link.set(None);
        }
        for extra in self
            .extras
            .iter()
            .flat_map(|extras| extras.iter().step_by(64))
        {
            extra.set_implicit(0.0);
        }
        self.margins.store(0, Ordering::Relaxed);
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

    /// The children of the root; none before it is opened.
    pub(super) fn root_children(&self) -> &[Node] {
        self.children_of(self.root())
    }

    /// The children of a node; none of a leaf.
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

    /// Takes `count` nodes side by side for one thread; `None` if the tree is full.
    pub(super) fn take(&self, piece: &mut Piece, count: u32) -> Option<u32> {
        if piece.end - piece.next < count {
            self.refill(piece, count)?;
        }
        let first = piece.next;
        piece.next += count;
        Some(first)
    }

    /// Gets a thread a new piece of at least `count` nodes, or more of the one it has.
    fn refill(&self, piece: &mut Piece, count: u32) -> Option<()> {
        let wanted = |used: u32| {
            let size = count.max(PIECE).min(self.capacity() - used);
            (size >= count).then_some(used + size)
        };
        let relaxed = Ordering::Relaxed;
        let start = self.used.fetch_update(relaxed, relaxed, wanted).ok()?;
        if start != piece.end {
            piece.next = start;
        }
        piece.end = wanted(start)?;
        Some(())
    }

    /// The bounds of a position that is over.
    pub(super) fn end<P: Position>(&self, position: &P) -> Option<Bounds> {
        let bounds = Bounds::of_end(position)?;
        if bounds.low != 0 && bounds.low.abs() != Bounds::WIN {
            self.margins.store(1, Ordering::Relaxed);
        }
        Some(bounds)
    }

    /// Whether ends with a margin were met.
    pub(super) fn has_margins(&self) -> bool {
        self.margins.load(Ordering::Relaxed) != 0
    }
}

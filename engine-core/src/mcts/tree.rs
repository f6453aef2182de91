//! The tree of a Monte-Carlo search: nodes side by side in one block of memory, bounded in size.

use crate::position::{Outcome, Side};

/// One position of the tree. A node's children stand side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Sum of the points of `First` over the playouts: an absolute fact, whoever acts here.
    pub(super) points: f64,
    /// Playouts through this node, the prior's included.
    pub(super) visits: u32,
    /// Bits of the move, or face of the roll, that leads here.
    pub(super) edge: u32,
    first_child: u32,
    children: u16,
    /// Weight of the roll that leads here; 0 if it was a move.
    pub(super) weight: u8,
    proof: Proof,
}

const _: () = assert!(size_of::<Node>() == 24);

/// What is proven of a node: absolute, since it outlives the search that found it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Proof {
    Unknown,
    First,
    Second,
    Draw,
}

impl From<Outcome> for Proof {
    fn from(outcome: Outcome) -> Proof {
        match outcome {
            Outcome::Win(Side::First) => Proof::First,
            Outcome::Win(Side::Second) => Proof::Second,
            Outcome::Draw => Proof::Draw,
        }
    }
}

impl Proof {
    pub(super) fn outcome(self) -> Option<Outcome> {
        match self {
            Proof::Unknown => None,
            Proof::First => Some(Outcome::Win(Side::First)),
            Proof::Second => Some(Outcome::Win(Side::Second)),
            Proof::Draw => Some(Outcome::Draw),
        }
    }

    pub(super) fn is_win_of(self, side: Side) -> bool {
        self == Proof::from(Outcome::Win(side))
    }
}

impl Node {
    /// A node that a move (`weight` 0) or a roll leads to.
    pub(super) fn new(edge: u32, weight: u8) -> Node {
        Node {
            points: 0.0,
            visits: 0,
            edge,
            first_child: 0,
            children: 0,
            weight,
            proof: Proof::Unknown,
        }
    }

    pub(super) fn proof(&self) -> Proof {
        self.proof
    }

    pub(super) fn prove(&mut self, outcome: Outcome) {
        self.proof = outcome.into();
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.children == 0
    }

    /// Mean points of `side`, ½ before the first playout.
    #[inline]
    pub(super) fn mean(&self, side: Side) -> f64 {
        if self.visits == 0 {
            return 0.5;
        }
        let mean = self.points / self.visits as f64;
        match side {
            Side::First => mean,
            Side::Second => 1.0 - mean,
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.first_child as usize..self.first_child as usize + self.children as usize
    }
}

/// All nodes of a search; number 0 is the root.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    capacity: usize,
}

impl Tree {
    /// A tree of at most `capacity` nodes, at least the root.
    pub(super) fn new(capacity: usize) -> Tree {
        Tree {
            nodes: vec![Node::new(0, 0)],
            capacity: capacity.clamp(1, u32::MAX as usize),
        }
    }

    /// Leaves only a new root.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(0, 0));
    }

    pub(super) fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    pub(super) fn node_mut(&mut self, index: usize) -> &mut Node {
        &mut self.nodes[index]
    }

    pub(super) fn children(&self, index: usize) -> &[Node] {
        &self.nodes[self.nodes[index].range()]
    }

    /// The index of a node's child, by its place among the children.
    pub(super) fn child(&self, index: usize, place: usize) -> usize {
        self.nodes[index].first_child as usize + place
    }

    /// Gives a leaf its children, at most 65 535; false if there is no room for them. The root's
    /// are always taken.
    pub(super) fn expand(&mut self, index: usize, children: &[Node]) -> bool {
        if index != 0 && self.nodes.len() + children.len() > self.capacity {
            return false;
        }
        debug_assert!(children.len() <= u16::MAX as usize);
        self.nodes[index].first_child = self.nodes.len() as u32;
        self.nodes[index].children = children.len() as u16;
        self.nodes.extend_from_slice(children);
        true
    }

    /// Draws the conclusion from proven children (MCTS-Solver, Winands, Björnsson and Saito 2008):
    /// a side wins where one of its moves does, and where none is left unproven it has the best of
    /// them; dice prove only what all of their rolls agree on. In a `narrow` tree, where moves are
    /// missing, only a move that wins proves anything. Returns whether `index` is proven.
    pub(super) fn conclude(&mut self, index: usize, side: Side, narrow: bool) -> bool {
        let children = self.children(index);
        let Some(first) = children.first() else {
            return self.nodes[index].proof != Proof::Unknown;
        };
        let all = |proof: Proof| children.iter().all(|child| child.proof == proof);
        let proof = if first.weight > 0 {
            if all(first.proof) {
                first.proof
            } else {
                Proof::Unknown
            }
        } else if children.iter().any(|child| child.proof.is_win_of(side)) {
            Outcome::Win(side).into()
        } else if narrow || children.iter().any(|child| child.proof == Proof::Unknown) {
            Proof::Unknown
        } else if children.iter().any(|child| child.proof == Proof::Draw) {
            Proof::Draw
        } else {
            Outcome::Win(side.opponent()).into()
        };
        self.nodes[index].proof = proof;
        proof != Proof::Unknown
    }

    /// How full the tree is, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.nodes.len() as u64 * 1000 / self.capacity as u64) as u32
    }
}

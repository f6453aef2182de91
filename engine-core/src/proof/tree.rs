//! The proof tree: why an answer is true, in a form that needs no trust.

use std::collections::HashMap;

use super::goal::Goal;
use crate::position::Move;

/// A strategy that reaches a goal: one move wherever its side acts, an answer to every legal move
/// wherever the other side does, and ends that meet the goal.
///
/// Positions that play alike share a node, so it is a graph with one root, the last node. A node's
/// children stand before it, so that no path goes round in a circle.
/// [`check`](super::check::check) verifies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofTree<M> {
    /// What is proven.
    pub goal: Goal,
    /// The nodes, children before parents.
    pub nodes: Vec<ProofNode<M>>,
}

/// A position of a proof tree: the moves that are answered, and the nodes that they lead to. None
/// at an end of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofNode<M> {
    /// Moves with the indices of the nodes after them.
    pub moves: Vec<(M, u32)>,
}

/// Puts a proof tree together from the ends upwards.
#[derive(Debug)]
pub(super) struct Builder<M> {
    nodes: Vec<ProofNode<M>>,
    /// Where the position of a key stands; unused where a key does not tell all of the game.
    known: Option<HashMap<u64, u32>>,
}

impl<M: Move> Builder<M> {
    /// An empty tree, in which positions of one key share a node if `share`.
    pub(super) fn new(share: bool) -> Builder<M> {
        Builder {
            nodes: Vec::new(),
            known: share.then(HashMap::new),
        }
    }

    /// The node of a position that has been added.
    pub(super) fn known(&self, key: u64) -> Option<u32> {
        self.known.as_ref()?.get(&key).copied()
    }

    /// Adds a position whose moves lead to nodes added before.
    pub(super) fn add(&mut self, key: u64, moves: Vec<(M, u32)>) -> u32 {
        let index = self.nodes.len() as u32;
        self.nodes.push(ProofNode { moves });
        if let Some(known) = &mut self.known {
            known.insert(key, index);
        }
        index
    }

    /// The tree, whose root is the node added last.
    pub(super) fn finish(self, goal: Goal) -> ProofTree<M> {
        ProofTree {
            goal,
            nodes: self.nodes,
        }
    }
}

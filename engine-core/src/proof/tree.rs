//! The proof tree: a proof that can be verified independently of the search.

use std::collections::HashMap;

use super::goal::Goal;
use crate::position::{Move, Position};

/// A strategy that reaches a goal: one move where the goal's side acts, a reply to every legal move
/// where the other side acts, and final positions that meet the goal.
///
/// Equivalent positions share a node, so it is a directed acyclic graph whose root is the last
/// node. Children come before their parents, so there are no cycles. [`check`](super::check::check)
/// verifies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofTree<M> {
    /// What is proven.
    pub goal: Goal,
    /// The nodes, children before parents.
    pub nodes: Vec<ProofNode<M>>,
}

/// A node of a proof tree: its moves, and the nodes after them. No moves at the end of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofNode<M> {
    /// Moves with the indices of the nodes after them.
    pub moves: Vec<(M, u32)>,
}

/// Builds a proof tree from the leaves upwards.
#[derive(Debug)]
pub(super) struct Builder<M> {
    nodes: Vec<ProofNode<M>>,
    /// Node index by position key; `None` if a key does not identify a position, because history
    /// counts.
    known: Option<HashMap<u64, u32>>,
}

impl<M: Move> Builder<M> {
    /// An empty tree. If `share`, positions with the same key share a node.
    pub(super) fn new(share: bool) -> Builder<M> {
        Builder {
            nodes: Vec::new(),
            known: share.then(HashMap::new),
        }
    }

    /// The node of a position that needs no moves: it was added before, or the game is over there,
    /// and then it is added.
    pub(super) fn without_moves<P: Position>(&mut self, position: &P) -> Option<u32> {
        let key = position.key();
        if position.outcome().is_some() {
            return Some(self.add(key, Vec::new()));
        }
        self.known.as_ref()?.get(&key).copied()
    }

    /// Adds a position with these moves. `extract` adds the position after each, or finds no proof of
    /// it; then there is none of this one.
    pub(super) fn with_moves<P: Position<Move = M>>(
        &mut self,
        position: &mut P,
        moves: impl IntoIterator<Item = M>,
        mut extract: impl FnMut(&mut Self, &mut P) -> Option<u32>,
    ) -> Option<u32> {
        let mut answered = Vec::new();
        for mv in moves {
            let undo = position.play(mv);
            let found = extract(self, position);
            position.undo(mv, undo);
            answered.push((mv, found?));
        }
        Some(self.add(position.key(), answered))
    }

    /// Adds a position; its moves must lead to nodes added before.
    fn add(&mut self, key: u64, moves: Vec<(M, u32)>) -> u32 {
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

//! Tree reuse: finds the position of a new search below the last root, and keeps its subtree.

use std::cmp::Reverse;

use crate::mcts::link::Block;
use crate::mcts::tree::Tree;
use crate::position::{Move, Position};

/// Maximum distance of the new root from the last root, in plies, rolls included.
const DEPTH: u32 = 6;

/// Maximum number of nodes visited to find the new root.
const MOST_STEPS: u32 = 4096;

/// Makes the node of `target` the root of the tree that was grown from `last`; false if it is not
/// found or has no children. Compares whole positions, including the history that a key leaves out
/// (repetitions). With dice it compares keys, because one roll represents all equivalent ones.
pub(super) fn reroot<P: Position>(tree: &Tree, last: &P, target: &P) -> bool {
    let mut finder = Finder {
        tree,
        target,
        key: target.key(),
        steps: 0,
    };
    let mut position = last.clone();
    let found = (0..=DEPTH).find_map(|depth| finder.find(&mut position, tree.root(), depth));
    if let Some(index) = found {
        tree.set_root(index);
    }
    found.is_some()
}

struct Finder<'a, P> {
    tree: &'a Tree,
    target: &'a P,
    key: u64,
    steps: u32,
}

impl<P: Position> Finder<'_, P> {
    /// The expanded node of the target, exactly `depth` plies below node `index`.
    fn find(&mut self, position: &mut P, index: u32, depth: u32) -> Option<u32> {
        let block = self.tree.node(index).link.block()?;
        if depth == 0 {
            let same = P::HAS_CHANCE || position == self.target;
            return (position.key() == self.key && same).then_some(index);
        }
        for child in self.by_visits(block) {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            let edge = self.tree.node(child).edge();
            let found = if P::HAS_CHANCE && position.is_chance() {
                self.find_after_roll(position, child, edge as u8, depth)
            } else {
                let mv = P::Move::from_bits(edge);
                let undo = position.play(mv);
                let found = self.find(position, child, depth - 1);
                position.undo(mv, undo);
                found
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The expanded children of a block, most visited first: the moves that were played are most
    /// often the expected ones.
    fn by_visits(&self, block: Block) -> Vec<u32> {
        let children = block.indices();
        let is_expanded = |&child: &u32| self.tree.node(child).link.block().is_some();
        let mut expanded: Vec<u32> = children.filter(is_expanded).collect();
        expanded.sort_by_key(|&child| Reverse(self.tree.node(child).visits()));
        expanded
    }

    /// As [`Finder::find`] after a roll. The actual face may differ from the equivalent face in the
    /// tree.
    fn find_after_roll(
        &mut self,
        position: &mut P,
        child: u32,
        face: u8,
        depth: u32,
    ) -> Option<u32> {
        position.play_roll(face);
        let found = self.find(position, child, depth - 1);
        position.undo_roll(face);
        found
    }
}

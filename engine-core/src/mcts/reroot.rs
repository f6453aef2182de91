//! Tree reuse: the position of a new search is looked for below that of the last one, and what is
//! known below it is kept.

use crate::mcts::tree::Tree;
use crate::position::{Move, Position};

/// Plies below the last root, rolls included, within which the new one is looked for.
const DEPTH: u32 = 6;

/// Nodes that are looked at before the search gives up.
const MOST_STEPS: u32 = 4096;

/// Makes the node of `target` the root of the tree grown from `last`; false if it is not found, or
/// has no children that could be kept. Positions are compared as a whole, with what a key leaves out
/// (repetitions); where there are dice by key, since a roll stands for all that are alike.
pub(super) fn reroot<P: Position>(tree: &Tree, last: &P, target: &P) -> bool {
    let mut hunt = Hunt {
        tree,
        target,
        key: target.key(),
        steps: 0,
    };
    let mut position = last.clone();
    let found = (0..=DEPTH).find_map(|depth| hunt.find(&mut position, tree.root(), depth));
    if let Some(index) = found {
        tree.set_root(index);
    }
    found.is_some()
}

struct Hunt<'a, P> {
    tree: &'a Tree,
    target: &'a P,
    key: u64,
    steps: u32,
}

impl<P: Position> Hunt<'_, P> {
    /// The opened node of the target, exactly `depth` plies below one.
    fn find(&mut self, position: &mut P, index: u32, depth: u32) -> Option<u32> {
        let block = self.tree.node(index).link.block()?;
        if depth == 0 {
            let same = P::HAS_CHANCE || position == self.target;
            return (position.key() == self.key && same).then_some(index);
        }
        for child in block.first..block.first + block.count as u32 {
            if self.tree.node(child).link.block().is_none() {
                continue;
            }
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

    /// The face cast may be another than the one that stands for it in the tree.
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

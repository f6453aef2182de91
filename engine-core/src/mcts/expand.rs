//! Expansion: adds the children of a leaf.

use crate::evaluate::{Candidates, Evaluator, Playout};
use crate::mcts::bounds::Bounds;
use crate::mcts::early::win_probability_incremental;
use crate::mcts::extra::of;
use crate::mcts::link::Block;
use crate::mcts::node::NewNode;
use crate::mcts::puct;
use crate::mcts::settings::Selection;
use crate::mcts::thread::TreeThread;
use crate::position::{Move, Position};

impl<P: Position, E: Evaluator<P>, L: Playout<P>> TreeThread<P, E, L> {
    /// Expands a leaf that is not the end of the game; `None` if another thread does, or if the
    /// tree is full.
    pub(super) fn expand(&mut self, position: &mut P, index: u32) -> Option<Block> {
        if !self.tree.node(index).link.claim() {
            return None;
        }
        let map = self.tree.map.as_ref();
        let known = map.and_then(|map| map.find(position.key()));
        let block = known.or_else(|| self.write_children(position, index));
        let link = &self.tree.node(index).link;
        match block {
            Some(block) => link.publish(block),
            None => {
                link.give_up();
                self.tree_full = true;
                return None;
            }
        }
        if let (Some(map), None, Some(block)) = (&self.tree.map, known, block) {
            map.insert(position.key(), block);
        }
        block
    }

    /// Writes the children of a claimed leaf to adjacent nodes; `None` if there is no room.
    fn write_children(&mut self, position: &mut P, index: u32) -> Option<Block> {
        self.fresh.clear();
        let mut incomplete = false;
        if P::HAS_CHANCE && position.is_chance() {
            self.rolls.clear();
            position.rolls(&mut self.rolls);
            let rolls = self.rolls.iter();
            let implicit = self.tree.extra(index).map_or(0.5, |e| e.implicit());
            self.fresh.extend(rolls.map(|&(face, weight)| NewNode {
                first: implicit,
                ..NewNode::new(face as u32, weight as u8)
            }));
        } else {
            incomplete = self.list_moves(position);
            self.evaluate_moves(position);
        }
        if index == self.tree.root() {
            // The root always gets children, even if there is not room for all.
            let room = (self.tree.capacity() - self.tree.used()) as usize;
            incomplete |= self.fresh.len() > room;
            self.fresh.truncate(room);
        }
        debug_assert!(self.fresh.len() <= u16::MAX as usize);
        let count = self.fresh.len() as u32;
        let first = self.tree.take(&mut self.chunk, count)?;
        for (child, fresh) in (first..).zip(&self.fresh) {
            self.tree.node(child).reset(fresh);
            self.tree.refresh(child);
            if let Some(extra) = self.tree.extra(child) {
                extra.reset(fresh.first);
            }
        }
        Some(Block::new(first, count as u16, incomplete))
    }

    /// Lists the moves of a new node: the evaluator's candidates, or all. Returns whether moves are
    /// left out that may be better.
    fn list_moves(&mut self, position: &P) -> bool {
        self.evaluator.reset(position);
        let candidates = match self.candidate_limit {
            Some(limit) => (self.evaluator).candidates(position, limit, &mut self.moves),
            None => Candidates::All,
        };
        if candidates != Candidates::All {
            return candidates == Candidates::Selected;
        }
        self.moves.clear();
        for stage in 0..P::STAGES {
            position.generate(stage, &mut self.moves);
        }
        false
    }

    /// Creates the children; sorted by evaluation, or by priors, if the settings need these.
    fn evaluate_moves(&mut self, position: &mut P) {
        if !self.settings.evaluates_children() {
            let node = |mv: &P::Move| NewNode::new(mv.to_bits(), 0);
            self.fresh.extend(self.moves.iter().map(node));
            return;
        }
        if self.settings.prefers_priors() && self.take_priors(position) {
            return;
        }
        for i in 0..self.moves.len() {
            let child = self.evaluate_child(position, self.moves[i]);
            self.fresh.push(child);
        }
        self.fresh.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        if self.settings.selection == Selection::Puct {
            puct::normalise(&mut self.fresh);
        }
    }

    /// Creates the children with the evaluator's priors, the likeliest first; false if it has none.
    fn take_priors(&mut self, position: &P) -> bool {
        let known = (self.evaluator).priors(position, &self.moves, &mut self.priors);
        if known {
            let node = |(mv, &prior): (&P::Move, &f32)| NewNode {
                prior,
                ..NewNode::new(mv.to_bits(), 0)
            };
            let children = self.moves.iter().zip(&self.priors).map(node);
            self.fresh.extend(children);
            self.fresh.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        }
        known
    }

    /// The child after `mv`, with its evaluation, or with proven bounds if `mv` ends the game.
    fn evaluate_child(&mut self, position: &mut P, mv: P::Move) -> NewNode {
        let side = position.side();
        let mut child = NewNode {
            visits: self.settings.prior_playouts,
            ..NewNode::new(mv.to_bits(), 0)
        };
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        child.first = match Bounds::of_end(position) {
            Some(bounds) => {
                child.bounds = bounds;
                Bounds::points_of::<P>(bounds.low)
            }
            None => win_probability_incremental(&mut self.evaluator, position),
        };
        position.undo(mv, undo);
        self.evaluator.pop();
        child.prior = of(side, child.first);
        child
    }
}

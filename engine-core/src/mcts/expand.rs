//! Giving a leaf its children.

use crate::evaluate::{Evaluator, Playout};
use crate::mcts::bounds::Bounds;
use crate::mcts::early::judge_in_step;
use crate::mcts::extra::of;
use crate::mcts::link::Block;
use crate::mcts::node::Fresh;
use crate::mcts::puct;
use crate::mcts::settings::Selection;
use crate::mcts::worker::Worker;
use crate::position::{Move, Position};

impl<P: Position, E: Evaluator<P>, L: Playout<P>> Worker<P, E, L> {
    /// Opens a leaf whose game goes on; `None` if another thread does, or the tree is full.
    pub(super) fn open(&mut self, position: &mut P, index: u32) -> Option<Block> {
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
                self.starved = true;
                return None;
            }
        }
        if let (Some(map), None, Some(block)) = (&self.tree.map, known, block) {
            map.insert(position.key(), block);
        }
        block
    }

    /// Writes the children of a claimed leaf side by side; `None` if there is no room.
    fn write_children(&mut self, position: &mut P, index: u32) -> Option<Block> {
        self.fresh.clear();
        let mut narrow = false;
        if P::HAS_CHANCE && position.is_chance() {
            self.rolls.clear();
            position.rolls(&mut self.rolls);
            let rolls = self.rolls.iter();
            let implicit = self.tree.extra(index).map_or(0.5, |e| e.implicit());
            self.fresh.extend(rolls.map(|&(face, weight)| Fresh {
                first: implicit,
                ..Fresh::new(face as u32, weight as u8)
            }));
        } else {
            narrow = self.list_moves(position);
            self.judge_moves(position);
        }
        if index == self.tree.root() {
            // The root always gets children, if not all of them.
            let room = (self.tree.capacity() - self.tree.used()) as usize;
            narrow |= self.fresh.len() > room;
            self.fresh.truncate(room);
        }
        debug_assert!(self.fresh.len() <= u16::MAX as usize);
        let count = self.fresh.len() as u32;
        let first = self.tree.take(&mut self.piece, count)?;
        for (child, fresh) in (first..).zip(&self.fresh) {
            self.tree.node(child).reset(fresh);
            if let Some(extra) = self.tree.extra(child) {
                extra.reset(fresh.first);
            }
        }
        Some(Block {
            first,
            count: count as u16,
            narrow,
        })
    }

    /// Lists the moves of a new node, the evaluator's candidates or all; returns whether some are
    /// missing.
    fn list_moves(&mut self, position: &P) -> bool {
        self.evaluator.reset(position);
        if let Some(limit) = self.width
            && (self.evaluator).candidates(position, limit, &mut self.moves)
            && !self.moves.is_empty()
        {
            return true;
        }
        self.moves.clear();
        for stage in 0..P::STAGES {
            position.generate(stage, &mut self.moves);
        }
        false
    }

    /// Makes nodes of the moves, ordered by evaluation where that is asked for.
    fn judge_moves(&mut self, position: &mut P) {
        if !self.settings.judges() {
            let node = |mv: &P::Move| Fresh::new(mv.to_bits(), 0);
            self.fresh.extend(self.moves.iter().map(node));
            return;
        }
        for i in 0..self.moves.len() {
            let child = self.judge(position, self.moves[i]);
            self.fresh.push(child);
        }
        self.fresh.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        if self.settings.selection == Selection::Puct {
            puct::normalise(&mut self.fresh, self.settings.temperature);
        }
    }

    /// A child with the evaluation after `mv`, or with the proof if the game then ends.
    fn judge(&mut self, position: &mut P, mv: P::Move) -> Fresh {
        let side = position.side();
        let mut child = Fresh {
            visits: self.settings.prior_playouts,
            ..Fresh::new(mv.to_bits(), 0)
        };
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        child.first = match self.tree.end(position) {
            Some(bounds) => {
                child.bounds = bounds;
                Bounds::points_of::<P>(bounds.low)
            }
            None => judge_in_step(&mut self.evaluator, position),
        };
        position.undo(mv, undo);
        self.evaluator.pop();
        child.prior = of(side, child.first);
        child
    }
}

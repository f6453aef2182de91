//! Negamax: minimax by one function with a sign change (Knuth and Moore 1975). Visits every node,
//! chance nodes included.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::counter::{NodeCounter, Value};
use crate::search::seen_by;

/// A search of every node.
pub(super) struct Negamax<'a, E> {
    pub(super) evaluator: &'a mut E,
    pub(super) node_counter: &'a mut NodeCounter,
}

impl<E> Negamax<'_, E> {
    /// The value of a position for its side to act, at `ply` plies below the root.
    pub(super) fn value<P: Position>(&mut self, position: &mut P, depth: u32, ply: u32) -> Value
    where
        E: Evaluator<P>,
    {
        self.node_counter.count()?;
        if let Some(score) = position.terminal(ply) {
            return Ok(score);
        }
        if (depth == 0 && !position.mid_turn()) || ply >= Score::MAX_PLY {
            self.node_counter.evaluated += 1;
            return Ok(self.evaluator.evaluate(position));
        }
        if P::HAS_CHANCE && position.is_chance() {
            return self.expectation(position, depth, ply);
        }
        let side = position.side();
        let mut best = -Score::INFINITY;
        for mv in position.legal_moves() {
            self.evaluator.push(position, mv);
            let undo = position.play(mv);
            let value = self.value(position, depth.saturating_sub(1), ply + 1);
            let value = value.map(|value| seen_by(side, position, value));
            position.undo(mv, undo);
            self.evaluator.pop();
            best = best.max(value?);
        }
        Ok(best)
    }

    /// The mean over the rolls, rounded toward zero. A roll does not change the side to act.
    fn expectation<P: Position>(&mut self, position: &mut P, depth: u32, ply: u32) -> Value
    where
        E: Evaluator<P>,
    {
        let mut rolls = Vec::new();
        position.rolls(&mut rolls);
        let mut sum = 0;
        for (face, weight) in rolls {
            position.play_roll(face);
            let value = self.value(position, depth, ply);
            position.undo_roll(face);
            sum += value?.value() as i64 * weight as i64;
        }
        Ok(Score::from_value((sum / P::FACES as i64) as i32))
    }
}

//! Plain minimax and expectiminimax: the reference for every other search. No windows, no table, no
//! ordering and no sign changes: values are absolute, from the view of `First`.

use crate::evaluate::Evaluator;
use crate::position::{Position, Side};
use crate::score::Score;
use crate::search::counter::{NodeCounter, Stopped};

/// The value of `position` for its side to move, searched `depth` actions deep (Shannon 1950;
/// chance nodes after Michie 1966).
///
/// Rolls do not count as depth. If the depth runs out within a turn ([`Position::mid_turn`]), the
/// search continues to the end of the turn. `position` is unchanged afterwards.
pub fn minimax<P: Position>(
    position: &mut P,
    evaluator: &mut impl Evaluator<P>,
    depth: u32,
) -> Score {
    evaluator.reset(position);
    let node_counter = &mut NodeCounter::default();
    let mut minimax = Minimax::<_, false> {
        evaluator,
        node_counter,
    };
    let value = minimax.value(position, depth, 0);
    let value = value.expect("a search without limits is not stopped");
    Score::from_value(relative(position.side(), value))
}

/// Converts between a value for `First` and a value for `side`.
fn relative(side: Side, value: i32) -> i32 {
    match side {
        Side::First => value,
        Side::Second => -value,
    }
}

/// A search of every node: by two mutually recursive functions if `TWO`, as in textbooks, or by one
/// function that checks whose turn it is.
pub(super) struct Minimax<'a, E, const TWO: bool> {
    pub(super) evaluator: &'a mut E,
    pub(super) node_counter: &'a mut NodeCounter,
}

impl<E, const TWO: bool> Minimax<'_, E, TWO> {
    /// The value of a position for its side to act, at `ply` plies below the root.
    pub(super) fn relative_value<P: Position>(
        &mut self,
        position: &mut P,
        depth: u32,
        ply: u32,
    ) -> Result<Score, Stopped>
    where
        E: Evaluator<P>,
    {
        let value = self.value(position, depth, ply)?;
        Ok(Score::from_value(relative(position.side(), value)))
    }

    fn value<P: Position>(&mut self, position: &mut P, depth: u32, ply: u32) -> Result<i32, Stopped>
    where
        E: Evaluator<P>,
    {
        self.node_counter.count()?;
        if let Some(score) = position.terminal(ply) {
            return Ok(relative(position.side(), score.value()));
        }
        if (depth == 0 && !position.mid_turn()) || ply >= Score::MAX_PLY {
            self.node_counter.evaluated += 1;
            let score = self.evaluator.evaluate(position);
            return Ok(relative(position.side(), score.value()));
        }
        if P::HAS_CHANCE && position.is_chance() {
            return self.expectation(position, depth, ply);
        }
        match position.side() {
            Side::First if TWO => self.max_value(position, depth, ply),
            Side::Second if TWO => self.min_value(position, depth, ply),
            side => self.best_value(position, depth, ply, side),
        }
    }

    fn max_value<P: Position>(
        &mut self,
        position: &mut P,
        depth: u32,
        ply: u32,
    ) -> Result<i32, Stopped>
    where
        E: Evaluator<P>,
    {
        let mut max = i32::MIN;
        for mv in position.legal_moves() {
            max = max.max(self.value_after(position, mv, depth, ply)?);
        }
        Ok(max)
    }

    fn min_value<P: Position>(
        &mut self,
        position: &mut P,
        depth: u32,
        ply: u32,
    ) -> Result<i32, Stopped>
    where
        E: Evaluator<P>,
    {
        let mut min = i32::MAX;
        for mv in position.legal_moves() {
            min = min.min(self.value_after(position, mv, depth, ply)?);
        }
        Ok(min)
    }

    fn best_value<P: Position>(
        &mut self,
        position: &mut P,
        depth: u32,
        ply: u32,
        side: Side,
    ) -> Result<i32, Stopped>
    where
        E: Evaluator<P>,
    {
        let mut best = None;
        for mv in position.legal_moves() {
            let value = self.value_after(position, mv, depth, ply)?;
            let better = match side {
                Side::First => best.is_none_or(|best| value > best),
                Side::Second => best.is_none_or(|best| value < best),
            };
            if better {
                best = Some(value);
            }
        }
        Ok(best.expect("a position that is not over has a move"))
    }

    fn value_after<P: Position>(
        &mut self,
        position: &mut P,
        mv: P::Move,
        depth: u32,
        ply: u32,
    ) -> Result<i32, Stopped>
    where
        E: Evaluator<P>,
    {
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        let value = self.value(position, depth.saturating_sub(1), ply + 1);
        position.undo(mv, undo);
        self.evaluator.pop();
        value
    }

    /// The mean over the rolls, rounded toward zero: symmetric for both sides.
    fn expectation<P: Position>(
        &mut self,
        position: &mut P,
        depth: u32,
        ply: u32,
    ) -> Result<i32, Stopped>
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
            sum += value? as i64 * weight as i64;
        }
        Ok((sum / P::FACES as i64) as i32)
    }
}

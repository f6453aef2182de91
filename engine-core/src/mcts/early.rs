//! Early termination of playouts (Lorentz, *Early Playout Termination in MCTS*, 2015): after a few
//! plies the evaluation says how likely each side is to win.

use crate::evaluate::Evaluator;
use crate::mcts::extra::of;
use crate::position::Position;

/// The chance of `First` in a position that is not over.
pub(super) fn judge<P: Position>(evaluator: &mut impl Evaluator<P>, position: &P) -> f32 {
    evaluator.reset(position);
    judge_in_step(evaluator, position)
}

/// The same for an evaluator that has followed the moves.
#[inline]
pub(super) fn judge_in_step<P: Position>(evaluator: &mut impl Evaluator<P>, position: &P) -> f32 {
    let score = evaluator.evaluate(position);
    of(position.side(), evaluator.probability(score))
}

//! Early playout termination (Lorentz, *Early Playout Termination in MCTS*, 2015): after a few
//! plies a playout ends with the win probability of the evaluation.

use crate::evaluate::Evaluator;
use crate::mcts::extra::of;
use crate::position::Position;

/// The win probability of `First` in an unfinished position.
pub(super) fn win_probability<P: Position>(evaluator: &mut impl Evaluator<P>, position: &P) -> f32 {
    evaluator.reset(position);
    win_probability_incremental(evaluator, position)
}

/// The same, for an evaluator that has followed the moves by `push` and `pop`.
#[inline]
pub(super) fn win_probability_incremental<P: Position>(
    evaluator: &mut impl Evaluator<P>,
    position: &P,
) -> f32 {
    let score = evaluator.evaluate(position);
    of(position.side(), evaluator.probability(score))
}

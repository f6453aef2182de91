//! Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant, *Monte Carlo Tree Search with
//! Heuristic Evaluations using Implicit Minimax Backups*, 2014): a node also stores the minimax
//! value of the evaluations below it, and selection uses a weighted mean of that value and the
//! playout mean.

use crate::mcts::extra::{Extra, of};
use crate::mcts::node::Node;
use crate::position::Side;

/// Weighted mean of a playout mean and an implicit value, which has weight `alpha`.
#[inline]
pub(super) fn mix(mean: f32, implicit: f32, alpha: f32) -> f32 {
    (1.0 - alpha) * mean + alpha * implicit
}

/// The implicit value of a node for `First`, from its children: the best for the side that chooses,
/// or the expectation over rolls.
pub(super) fn minimax(children: &[Node], extras: &[Extra], side: Side) -> f32 {
    let rolls = children.first().is_some_and(|child| child.weight() > 0);
    if rolls {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (child, extra) in children.iter().zip(extras) {
            sum += child.weight() as f32 * extra.implicit();
            weights += child.weight() as f32;
        }
        return sum / weights;
    }
    let values = extras.iter().map(|extra| of(side, extra.implicit()));
    of(side, values.fold(0.0, f32::max))
}

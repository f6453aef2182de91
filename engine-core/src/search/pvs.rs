//! Principal variation search (Marsland and Campbell 1982; Reinefeld's NegaScout 1983), fail-soft:
//! the first move in the node's window, the others in a null window, and again where they turn out
//! better.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::meter::Value;
use crate::search::worker::{Child, Strategy};

/// The strategy.
pub(super) struct PrincipalVariation;

impl Strategy for PrincipalVariation {
    #[inline]
    fn child<P: Position, E: Evaluator<P>>(
        child: &mut Child<'_, P, E, Self>,
        depth: u32,
        window: (Score, Score),
        first: bool,
    ) -> Value {
        scout(child, depth, window, first)
    }
}

/// The value of a child: a null window first, unless it is the `first`.
#[inline]
pub(super) fn scout<P: Position, E: Evaluator<P>, S: Strategy>(
    child: &mut Child<'_, P, E, S>,
    depth: u32,
    (alpha, beta): (Score, Score),
    first: bool,
) -> Value {
    if first {
        return child.search(depth, alpha, beta);
    }
    let score = child.search(depth, alpha, alpha + 1)?;
    if score > alpha && score < beta && beta.value() - alpha.value() > 1 {
        child.search(depth, alpha, beta)
    } else {
        Ok(score)
    }
}

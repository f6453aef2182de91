//! Principal variation search (Marsland and Campbell 1982; Reinefeld's NegaScout 1983), fail-soft:
//! the first move in the node's window, the others in a null window, and again where they turn out
//! better.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::search::meter::Value;
use crate::search::node::Window;
use crate::search::worker::{Child, Strategy};

/// The strategy.
pub(super) struct PrincipalVariation;

impl Strategy for PrincipalVariation {}

/// The value of a child that is not the first: a null window, and the whole one if it falls within.
#[inline]
pub(super) fn scout<P: Position, E: Evaluator<P>, S: Strategy>(
    child: &mut Child<'_, P, E, S>,
    depth: u32,
    window: Window,
) -> Value {
    let score = child.search(depth, Window::above(window.alpha))?;
    if window.holds(score) && window.is_open() {
        child.search(depth, window)
    } else {
        Ok(score)
    }
}

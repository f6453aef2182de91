//! Principal variation search (Marsland and Campbell 1982; Reinefeld's NegaScout 1983), fail-soft:
//! the first move is searched in the window of the node, the others in a null window, and
//! re-searched if they fail high.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::search::counter::Value;
use crate::search::node::Window;
use crate::search::searcher::{Child, Strategy};

/// The strategy.
pub(super) struct PrincipalVariation;

impl Strategy for PrincipalVariation {}

/// The value of a child after the first: a null window, then the full window if the value falls
/// inside it.
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

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

impl<P: Position, E: Evaluator<P>, S: Strategy> Child<'_, P, E, S> {
    /// The value for the side that moved. After the first child, a null window comes first, and the
    /// full window only if the value falls inside it.
    #[inline(always)]
    pub(super) fn search_move(&mut self, depth: u32, window: Window, is_first: bool) -> Value {
        if is_first {
            return self.search(depth, window);
        }
        let score = self.search(depth, Window::above(window.alpha))?;
        if window.holds(score) && window.is_open() {
            self.search(depth, window)
        } else {
            Ok(score)
        }
    }
}

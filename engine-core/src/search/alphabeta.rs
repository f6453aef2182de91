//! Alpha-beta (Knuth and Moore 1975): every move in the window that is left. Fail-hard keeps values
//! within the window; fail-soft (Fishburn 1983) returns the best bound that it knows.

use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::meter::Value;
use crate::search::worker::{Child, Strategy};

/// The strategy, fail-hard or fail-soft.
pub(super) struct AlphaBeta<const HARD: bool>;

impl<const HARD: bool> Strategy for AlphaBeta<HARD> {
    const HARD: bool = HARD;

    fn child<P: Position, E: Evaluator<P>>(
        child: &mut Child<'_, P, E, Self>,
        depth: u32,
        (alpha, beta): (Score, Score),
        _first: bool,
    ) -> Value {
        child.search(depth, alpha, beta)
    }
}

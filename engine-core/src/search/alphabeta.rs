//! Alpha-beta (Knuth and Moore 1975): every move is searched in the current window. Fail-hard
//! clamps values to the window; fail-soft (Fishburn 1983) returns the tightest bound found.

use crate::search::searcher::Strategy;

/// The strategy, fail-hard or fail-soft.
pub(super) struct AlphaBeta<const HARD: bool>;

impl<const HARD: bool> Strategy for AlphaBeta<HARD> {
    const HARD: bool = HARD;
    const SCOUT: bool = false;
}

//! Alpha-beta (Knuth and Moore 1975): every move in the window that is left. Fail-hard keeps values
//! within the window; fail-soft (Fishburn 1983) returns the best bound that it knows.

use crate::search::worker::Strategy;

/// The strategy, fail-hard or fail-soft.
pub(super) struct AlphaBeta<const HARD: bool>;

impl<const HARD: bool> Strategy for AlphaBeta<HARD> {
    const HARD: bool = HARD;
    const SCOUT: bool = false;
}

//! Tree search: minimax, principal variation search, and the simplest players.

mod chance;
pub mod deepening;
pub mod greedy;
pub mod minimax;
pub mod pvs;
pub mod random;

use crate::limits::{Limits, Report};
use crate::position::Position;

/// Which depth-first search plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Principal variation search.
    Pvs,
}

/// A player of a game: any algorithm, behind one object-safe interface.
pub trait Search<P: Position>: Send {
    /// Finds a move for `root` within `limits`; `progress` gets a report after every step forward,
    /// the last of which is also returned.
    ///
    /// At a root that is over, or at chance, the report has no principal variation.
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move>;

    /// A new game begins: forget the last one, so that equal games are searched equally.
    fn new_game(&mut self) {}
}

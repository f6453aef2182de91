//! Tree search: the fixed-depth family, iterative deepening over it, and the simplest players.
//!
//! | file | what it is |
//! |---|---|
//! | `minimax`, `negamax` | every node of the tree: the yardsticks |
//! | `plain` | alpha-beta and nothing else |
//! | `alphabeta`, `pvs` | how a node's moves get their windows: fail-hard, fail-soft, null windows |
//! | `selective` | principal variation search that cuts where a game says it may |
//! | `aspiration`, `mtdf` | how the root's value is closed in on |
//! | `chance` | windows through dice: Star1, Star2 |
//! | `pace` | longer or shorter than planned, as the reports advise |
//! | `node` | a node's place, its window, and what its search has found |
//! | `worker` | what all of these share: counting, the table, ordering, signs, lines |
//! | `moves` | a node's moves, one by one |
//! | `deepening` | one ply deeper at a time, on any number of threads |
//! | `underway` | what the threads leave to each other |

mod alphabeta;
mod aspiration;
mod chance;
pub mod deepening;
pub mod greedy;
mod line;
mod meter;
pub mod minimax;
mod moves;
mod mtdf;
pub mod negamax;
mod node;
pub mod pace;
mod plain;
mod pvs;
pub mod random;
mod root;
mod selective;
mod settings;
mod star;
mod underway;
mod worker;

pub use settings::{Method, SearchSettings, Selectivity};

use crate::limits::{Limits, Report};
use crate::position::{Position, Side};
use crate::score::Score;

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

/// A value of `position`, relative to its side to act, as `side` sees it. Nothing else in this module
/// turns a value round.
#[inline(always)]
fn seen_by<P: Position>(side: Side, position: &P, value: Score) -> Score {
    if !P::ALTERNATES && position.side() == side {
        value
    } else {
        -value
    }
}

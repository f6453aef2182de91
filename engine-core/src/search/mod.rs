//! Tree search: the fixed-depth family, iterative deepening over it, and the simplest players.
//!
//! | file | what it is |
//! |---|---|
//! | `minimax`, `negamax` | visit every node: the references |
//! | `plain` | alpha-beta without table and move ordering |
//! | `alphabeta`, `pvs` | the windows of a node's moves: fail-hard, fail-soft, null windows |
//! | `selective` | principal variation search with pruning, reductions and quiescence |
//! | `aspiration`, `mtdf` | the windows at the root |
//! | `chance`, `star` | chance nodes: Star1 and Star2 |
//! | `pace` | time management: scales the soft limit by the reports of a search |
//! | `root` | the root moves, one iteration, and the root's table entry |
//! | `node` | depth, ply, window and result of a node |
//! | `searcher` | one thread of search: what all methods share (node counts, table, ordering, signs, lines) |
//! | `evaluations` | a cache of static evaluations |
//! | `moves` | the moves of a node, one by one |
//! | `deepening` | iterative deepening on one or more threads |
//! | `exhaustive` | iterative deepening of the searches without windows |
//! | `counter` | counts nodes and checks limits |
//! | `line` | principal variations |
//! | `greedy`, `random` | one-ply search, random moves |
//! | `settings` | the methods, and the parameters of a game |
//! | `abdada` | simplified ABDADA: threads defer moves that other threads are searching |

mod abdada;
mod alphabeta;
mod aspiration;
mod chance;
mod counter;
pub mod deepening;
mod evaluations;
mod exhaustive;
pub mod greedy;
mod line;
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
mod searcher;
mod selective;
mod settings;
mod star;

pub use settings::{Method, SearchSettings, Selectivity};

use crate::limits::{Limits, Report};
use crate::position::{Position, Side};
use crate::score::Score;

/// A player of a game: any algorithm, behind one object-safe interface.
pub trait Search<P: Position>: Send {
    /// Finds a move for `root` within `limits`. `progress` is called after every improvement; the
    /// last report is also returned.
    ///
    /// If `root` is finished or a chance position, the principal variation is empty.
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move>;

    /// Starts a new game: clears everything learnt, so that the same game is searched the same way
    /// again.
    fn new_game(&mut self) {}
}

/// Converts a value of `position`, relative to its side to act, to the view of `side`. The only
/// sign change of the searches without windows.
#[inline(always)]
fn seen_by<P: Position>(side: Side, position: &P, value: Score) -> Score {
    if !P::ALTERNATES && position.side() == side {
        value
    } else {
        -value
    }
}

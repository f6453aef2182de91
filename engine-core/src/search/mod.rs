//! Depth-first search that plays: principal variation search, the windows and pruning around it, and
//! the simplest players. The crate `textbook` has the searches that lead to it, made of the same [`parts`].
//!
//! | file | what it is |
//! |---|---|
//! | `pvs` | the windows of a node's moves: principal variation search |
//! | `selective` | principal variation search with pruning, reductions and quiescence |
//! | `cuts` | nodes that `selective` ends before it has searched their moves |
//! | `correction` | by how much searches differ from static evaluations |
//! | `singular` | moves that `selective` extends |
//! | `trail` | what `selective` knows of the nodes on its path |
//! | `aspiration`, `mtdf` | the windows at the root |
//! | `chance`, `star` | chance nodes: Star1 and Star2 |
//! | `pace` | time management: scales the soft limit by the reports of a search |
//! | `root` | the root moves, one iteration, and the root's table entry |
//! | `node` | depth, ply, window and result of a node |
//! | `searcher` | one thread of search: what all methods share (node counts, table, ordering, signs, lines) |
//! | `evaluations` | a cache of static evaluations |
//! | `wins` | wins that the evaluator finds by a search of its own |
//! | `moves` | the moves of a node, one by one |
//! | `deepening` | iterative deepening on one or more threads |
//! | `counter` | counts nodes and checks limits |
//! | `parts` | what searches in other crates are made of, too |
//! | `line` | principal variations |
//! | `at_once` | a win in one, for searches that end before they have seen every move |
//! | `ponder` | searches in the opponent's turn, of each roll in turn |
//! | `greedy`, `random`, `noisy` | one-ply search, random moves, and random moves now and then |
//! | `settings` | the methods, and the parameters of a game |
//! | `abdada` | simplified ABDADA: threads defer moves that other threads are searching |

mod abdada;
mod aspiration;
pub(crate) mod at_once;
mod chance;
mod correction;
mod counter;
mod cuts;
pub mod deepening;
mod evaluations;
pub mod greedy;
mod line;
mod moves;
mod mtdf;
mod node;
pub mod noisy;
pub mod pace;
pub mod parts;
mod ponder;
mod pvs;
pub mod random;
mod root;
mod searcher;
mod selective;
mod settings;
mod singular;
mod star;
mod trail;
mod wins;

pub use settings::{Method, SearchSettings, Selectivity};

use crate::limits::{Limits, Report, StopFlag};
use crate::position::Position;

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

    /// Moves of the next root that are not searched, as if they were not legal. Not all moves. The
    /// default takes no notice.
    fn exclude(&mut self, moves: Vec<P::Move>) {
        let _ = moves;
    }

    /// Searches while the opponent thinks, until `stop`, or until nothing is left to find. `root` is the
    /// position after the own turn, also one whose die is due, and `line` what is expected from there.
    ///
    /// By default it searches the position after the expected reply, or those after each roll: for players
    /// that keep a table of positions.
    fn ponder(&mut self, root: &P, line: &[P::Move], stop: &StopFlag) {
        ponder::after_reply(self, root, line, stop);
    }

    /// Starts a new game: clears everything learnt, so that the same game is searched the same way
    /// again.
    fn new_game(&mut self) {}
}

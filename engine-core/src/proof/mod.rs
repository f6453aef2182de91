//! Proof searches: they decide whether a side wins, and return a proof.
//!
//! A [`Goal`] is a yes-or-no question; a game with draws needs two goals. All three searches use
//! proof and disproof numbers ([`Numbers`]), and expand the most-proving node. The side to act at a
//! node, not the ply, decides how the children's numbers are combined, so extra turns need no
//! special case. Dice are not supported.
//!
//! | search | memory | positions with several paths |
//! |---|---|---|
//! | [`pns`] | a tree | one node for each path: correct if history counts |
//! | [`pns`] with a second level, PN² | a smaller tree, for more time | the same |
//! | [`dfpn`] | a table | one entry: wrong if history counts, so such games are refused |
//!
//! Every answer has a [`ProofTree`], which [`check()`] verifies by the rules alone.

mod arena;
mod budget;
pub mod check;
pub mod dfpn;
mod goal;
pub mod guided;
mod numbers;
mod player;
pub mod pns;
mod tree;
mod with_prover;
mod work;
mod zone;

use crate::limits::Limits;
use crate::position::Position;
pub use check::{Fault, check};
pub(crate) use dfpn::Step;
pub use goal::{Answer, Goal};
pub use numbers::{INFINITE, Numbers};
pub use player::ProofPlayer;
pub use tree::{ProofNode, ProofTree};
pub use with_prover::WithProver;
pub use zone::Zone;

/// A proof search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofMethod {
    /// Proof-number search.
    Pns,
    /// PN²: proof-number search with a second-level search at its leaves.
    Pn2,
    /// Depth-first proof-number search.
    Dfpn,
}

/// The result of a proof search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The answer.
    pub answer: Answer,
    /// Number of expanded positions.
    pub nodes: u64,
}

/// A root move with its proof and disproof number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The numbers of the position after it.
    pub numbers: Numbers,
}

/// A search for proofs.
pub trait Prover<P: Position>: Send {
    /// Searches for a proof or disproof of `goal` from `root`. Ends with an answer, at a limit (a
    /// depth limit is ignored), or when memory does not suffice even with recycling.
    fn prove(&mut self, root: &P, goal: Goal, limits: &Limits) -> Finding;

    /// The root moves of the last search. Once the root is solved some may be missing.
    fn root_moves(&self) -> Vec<RootMove<P::Move>>;

    /// The moves of the last root that matter: in a solved position those in the cells that the winner
    /// needs, otherwise those that may still win; if any move wins, one of them does. Empty if nothing
    /// is known. The default knows nothing.
    fn region(&self) -> Vec<P::Move> {
        Vec::new()
    }

    /// A line from the root in the last proof: the proving moves, and some replies. Empty while the
    /// answer is unknown; may end before the end of the game. Positions that memory has lost may be
    /// searched again, until a limit of time.
    fn line(&mut self, limits: &Limits) -> Vec<P::Move>;

    /// The proof tree of the last answer: of its goal or of the negated goal. Positions that memory
    /// has lost are searched again within `limits`. `None` if nothing is proven, or if the limits
    /// or the memory do not suffice.
    fn proof_tree(&mut self, limits: &Limits) -> Option<ProofTree<P::Move>>;

    /// Forgets everything.
    fn forget(&mut self);

    /// How full the memory is, in thousandths.
    fn fullness(&self) -> u32;
}

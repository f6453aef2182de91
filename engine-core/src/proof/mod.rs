//! Proof: does a side win? Searches that look for a certain answer, and give it with its reasons.
//!
//! A [`Goal`] is a question with the answer yes or no; a game with draws takes two of them. All
//! three searches count the work left to prove and to disprove it ([`Numbers`]), and look where
//! least is left. Which side acts in a node decides how its children's numbers are combined, never
//! the ply, so extra turns are nothing special. Dice are not handled.
//!
//! | search | memory | a position reached in two ways |
//! |---|---|---|
//! | [`pns`] | a tree | two nodes: right where history counts |
//! | [`pns`] with a second level, PN² | a smaller tree, for more time | the same |
//! | [`dfpn`] | a table | one entry: wrong where history counts, so refused there |
//!
//! Every answer can be asked for its [`ProofTree`], which [`check()`] verifies by the rules alone.

mod arena;
mod budget;
pub mod check;
pub mod dfpn;
mod goal;
mod numbers;
mod player;
pub mod pns;
mod tree;
mod work;

use crate::limits::Limits;
use crate::position::Position;
pub use check::{Fault, check};
pub use goal::{Answer, Goal};
pub use numbers::{INFINITE, Numbers};
pub use player::ProofPlayer;
pub use tree::{ProofNode, ProofTree};

/// Which proof search plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Proof-number search.
    Pns,
    /// Proof-number search with a second search at its leaves.
    Pn2,
    /// Depth-first proof-number search.
    Dfpn,
}

/// What became of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is known now.
    pub answer: Answer,
    /// Positions whose moves were looked at.
    pub nodes: u64,
}

/// A move at the root of a question, and the work left after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The numbers of the position after it.
    pub numbers: Numbers,
}

/// A search for proofs.
pub trait Prover<P: Position>: Send {
    /// Asks whether `goal` is reached from `root`. It ends with an answer, at a limit (of depth it
    /// knows none), or where even recycled memory does not suffice.
    fn prove(&mut self, root: &P, goal: Goal, limits: &Limits) -> Finding;

    /// The moves of the last question's root. Once it is solved these need not be all.
    fn root_moves(&self) -> Vec<RootMove<P::Move>>;

    /// A line of the last question's proof from its root: the moves that prove, and some answers.
    /// It is empty while the answer is unknown, and may stop before the end of the game.
    fn line(&mut self) -> Vec<P::Move>;

    /// The tree of the last question's answer: of its goal, or of the denial of that. What was
    /// forgotten meanwhile is searched again within `limits`. `None` if nothing is proven, or if
    /// the limits or the memory do not suffice.
    fn proof_tree(&mut self, limits: &Limits) -> Option<ProofTree<P::Move>>;

    /// Forgets everything.
    fn forget(&mut self);

    /// How full the memory is, in thousandths.
    fn fullness(&self) -> u32;
}

//! The checker of proof trees. It uses the rules of the game only, and no code of the searches.

use std::error::Error;
use std::fmt;

use super::tree::ProofTree;
use crate::position::{Outcome, Position};

/// Why a proof tree is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault<M> {
    /// The tree is empty.
    Empty,
    /// The game has dice, which proof trees do not support.
    Chance,
    /// A node has moves, but its position is finished.
    MovesAfterTheEnd,
    /// The game has ended with an outcome that does not meet the goal.
    WrongEnd(Outcome),
    /// A node has no moves, but its position is not finished.
    NoEnd,
    /// A node of the proving side has several moves, where a strategy has one.
    NoChoice,
    /// A move is not legal.
    Illegal(M),
    /// A legal move of the other side is missing.
    Unanswered(M),
    /// A move of the other side is listed twice.
    Repeated(M),
    /// The index of a child is not smaller than that of its parent.
    WrongNode(u32),
}

impl<M: fmt::Debug> fmt::Display for Fault<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Empty => write!(f, "a tree without nodes"),
            Fault::Chance => write!(f, "a game with dice"),
            Fault::MovesAfterTheEnd => write!(f, "moves after the end of the game"),
            Fault::WrongEnd(outcome) => write!(f, "an end that misses the goal: {outcome:?}"),
            Fault::NoEnd => write!(f, "a node without moves before the end of the game"),
            Fault::NoChoice => write!(f, "several moves of the proving side"),
            Fault::Illegal(mv) => write!(f, "the illegal move {mv:?}"),
            Fault::Unanswered(mv) => write!(f, "no answer to {mv:?}"),
            Fault::Repeated(mv) => write!(f, "{mv:?} answered twice"),
            Fault::WrongNode(index) => write!(f, "node {index} after its parent"),
        }
    }
}

impl<M: fmt::Debug> Error for Fault<M> {}

/// Checks that `tree` proves its goal from `root`, by playing it through.
///
/// A node with several parents is checked once for every different position, so a tree that
/// confuses two positions with the same key is rejected.
///
/// # Errors
/// The first fault.
pub fn check<P: Position>(root: &P, tree: &ProofTree<P::Move>) -> Result<(), Fault<P::Move>> {
    if P::HAS_CHANCE {
        return Err(Fault::Chance);
    }
    let last = tree.nodes.len().checked_sub(1).ok_or(Fault::Empty)?;
    let mut checker = Checker {
        tree,
        verified: vec![Vec::new(); tree.nodes.len()],
    };
    checker.node(&mut root.clone(), last)
}

struct Checker<'a, P: Position> {
    tree: &'a ProofTree<P::Move>,
    /// For each node, the positions for which it has been verified.
    verified: Vec<Vec<P>>,
}

impl<P: Position> Checker<'_, P> {
    fn node(&mut self, position: &mut P, index: usize) -> Result<(), Fault<P::Move>> {
        let moves = &self.tree.nodes[index].moves;
        if let Some(outcome) = position.outcome() {
            return match self.tree.goal.is_met_by(outcome) {
                _ if !moves.is_empty() => Err(Fault::MovesAfterTheEnd),
                true => Ok(()),
                false => Err(Fault::WrongEnd(outcome)),
            };
        }
        if self.verified[index].contains(position) {
            return Ok(());
        }
        self.check_moves(position, moves)?;
        for &(mv, child) in moves {
            // Child indices are smaller than their parent's, so the recursion ends.
            if child as usize >= index {
                return Err(Fault::WrongNode(child));
            }
            let undo = position.play(mv);
            let found = self.node(position, child as usize);
            position.undo(mv, undo);
            found?;
        }
        self.verified[index].push(position.clone());
        Ok(())
    }

    /// Checks that the moves of a node are legal and complete.
    fn check_moves(&self, position: &P, moves: &[(P::Move, u32)]) -> Result<(), Fault<P::Move>> {
        if moves.is_empty() {
            return Err(Fault::NoEnd);
        }
        let legal = position.legal_moves();
        if let Some(&(mv, _)) = moves.iter().find(|(mv, _)| !legal.contains(mv)) {
            return Err(Fault::Illegal(mv));
        }
        if position.side() == self.tree.goal.side {
            return if moves.len() == 1 {
                Ok(())
            } else {
                Err(Fault::NoChoice)
            };
        }
        for mv in legal {
            match moves.iter().filter(|(known, _)| *known == mv).count() {
                0 => return Err(Fault::Unanswered(mv)),
                1 => {}
                _ => return Err(Fault::Repeated(mv)),
            }
        }
        Ok(())
    }
}

//! The checker of proof trees: it knows the rules of the game, and nothing of the searches.

use std::error::Error;
use std::fmt;

use super::tree::ProofTree;
use crate::position::{Outcome, Position};

/// Why a proof tree proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault<M> {
    /// There is no node.
    Empty,
    /// The game has dice, for which a proof tree has no nodes.
    Chance,
    /// A node has moves, but the game is over in its position.
    MovesAfterTheEnd,
    /// The game has ended otherwise than the goal wants.
    WrongEnd(Outcome),
    /// A node has no moves, but the game goes on.
    NoEnd,
    /// The side that tries to reach the goal has several moves where one is its strategy.
    NoChoice,
    /// A move is not legal.
    Illegal(M),
    /// A legal move of the other side has no answer.
    Unanswered(M),
    /// A move of the other side stands in its node twice.
    Repeated(M),
    /// A move leads to a node that does not stand before its own.
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
/// A node that several paths lead to is played through once for every different position, so a
/// tree that rests on two positions of one key is found out.
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
    /// The positions in which each node has been found right.
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
            // Children before parents: this ends.
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

    /// Whether the moves of a node are legal, and all that it needs.
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

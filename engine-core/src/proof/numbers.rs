//! Proof and disproof numbers, and how a node's follow from its children's.

use super::goal::{Answer, Goal};
use crate::position::Outcome;

/// The number of something that cannot be done any more.
pub const INFINITE: u32 = u32::MAX;

/// The least numbers of unknown positions below a node that must be proven to prove it, and
/// disproven to disprove it (Allis 1994).
///
/// They belong to the goal and not to the side that acts, so they are the same facts wherever a
/// node is met. Who acts decides only how they are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Work to prove the goal; 0 if it is proven, [`INFINITE`] if it is disproven.
    pub proof: u32,
    /// Work to disprove it, likewise.
    pub disproof: u32,
}

impl Numbers {
    /// A position of which nothing is known.
    pub const UNKNOWN: Numbers = Numbers {
        proof: 1,
        disproof: 1,
    };
    /// A position where the goal is reached.
    pub const PROVEN: Numbers = Numbers {
        proof: 0,
        disproof: INFINITE,
    };
    /// A position where it is not.
    pub const DISPROVEN: Numbers = Numbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// The numbers of a finished game, or of a position not looked at yet.
    #[inline]
    pub(super) fn of(outcome: Option<Outcome>, goal: Goal) -> Numbers {
        match outcome {
            None => Numbers::UNKNOWN,
            Some(outcome) if goal.is_met_by(outcome) => Numbers::PROVEN,
            Some(_) => Numbers::DISPROVEN,
        }
    }

    /// What is known.
    pub fn answer(self) -> Answer {
        match self {
            Numbers { proof: 0, .. } => Answer::Proven,
            Numbers { disproof: 0, .. } => Answer::Disproven,
            _ => Answer::Unknown,
        }
    }

    /// Whether the node is proven or disproven.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// φ and δ (Nagai 2002): the work to reach, and to be denied, what the side that acts wants.
    /// `prover` says whether that side is the goal's. Where the same side acts in a node and its
    /// child, nothing is exchanged between them.
    #[inline]
    pub(super) fn seen(self, prover: bool) -> (u32, u32) {
        if prover {
            (self.proof, self.disproof)
        } else {
            (self.disproof, self.proof)
        }
    }

    /// The inverse of [`Numbers::seen`].
    #[inline]
    pub(super) fn from_seen((phi, delta): (u32, u32), prover: bool) -> Numbers {
        let (proof, disproof) = if prover { (phi, delta) } else { (delta, phi) };
        Numbers { proof, disproof }
    }

    /// The part of the work that a proof takes, of 2³²: 0 for proven, 2³² for disproven.
    pub fn share_of_proof(self) -> u64 {
        match self.answer() {
            Answer::Proven => 0,
            Answer::Disproven => 1 << 32,
            Answer::Unknown => {
                ((self.proof as u64) << 32) / (self.proof as u64 + self.disproof as u64)
            }
        }
    }
}

/// A node's numbers from its children's: the side that acts needs one child, the other all of
/// them. The sum stops short of [`INFINITE`], which is kept for what is certain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    prover: bool,
    phi: u32,
    delta: u64,
    /// The largest δ, and how many children have one.
    most: u32,
    open: u32,
}

impl Sum {
    /// A node without children, where the goal's side acts or the other one.
    #[inline]
    pub(super) fn new(prover: bool) -> Sum {
        Sum {
            prover,
            phi: INFINITE,
            delta: 0,
            most: 0,
            open: 0,
        }
    }

    #[inline]
    pub(super) fn add(&mut self, child: Numbers) {
        let (phi, delta) = child.seen(self.prover);
        self.phi = self.phi.min(phi);
        self.delta = self.delta.saturating_add(delta as u64);
        self.most = self.most.max(delta);
        self.open += (delta > 0) as u32;
    }

    /// Children that the other side has still to deal with.
    #[inline]
    pub(super) fn open(self) -> u32 {
        self.open
    }

    /// The numbers of weak proof-number search (Ueda, Hashimoto, Hashimoto and Iida, *Weak
    /// Proof-Number Search*, 2008): in place of the sum, the most that one child costs, and one for
    /// every other. Where children share positions, a sum counts those many times over.
    #[inline]
    pub(super) fn weak_numbers(self) -> Numbers {
        let others = self.open.saturating_sub(1) as u64;
        Sum {
            delta: self.most as u64 + others,
            ..self
        }
        .numbers()
    }

    #[inline]
    pub(super) fn numbers(self) -> Numbers {
        let delta = if self.phi == 0 {
            INFINITE
        } else {
            self.delta.min(INFINITE as u64 - 1) as u32
        };
        Numbers::from_seen((self.phi, delta), self.prover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> Numbers {
        Numbers { proof, disproof }
    }

    fn sum(prover: bool, children: &[Numbers]) -> Numbers {
        let mut sum = Sum::new(prover);
        children.iter().for_each(|&child| sum.add(child));
        sum.numbers()
    }

    #[test]
    fn the_prover_needs_one_child_and_the_other_side_all() {
        let children = [numbers(3, 1), numbers(2, 5)];
        assert_eq!(sum(true, &children), numbers(2, 6));
        assert_eq!(sum(false, &children), numbers(5, 1));
    }

    #[test]
    fn solved_children_solve_their_parent() {
        let (won, lost, open) = (Numbers::PROVEN, Numbers::DISPROVEN, Numbers::UNKNOWN);
        assert_eq!(sum(true, &[open, won, lost]), won);
        assert_eq!(sum(false, &[open, won, lost]), lost);
        assert_eq!(sum(true, &[lost, lost]), lost);
        assert_eq!(sum(false, &[won, won]), won);
        assert_eq!(sum(true, &[lost, open]), open);
    }

    #[test]
    fn sums_never_become_certain() {
        let large = numbers(INFINITE - 1, INFINITE - 1);
        assert_eq!(sum(true, &[large; 5]), large);
        assert!(!sum(false, &[large; 5]).is_solved());
    }

    #[test]
    fn shares_order_from_proven_to_disproven() {
        let shares = [
            Numbers::PROVEN,
            numbers(1, 9),
            numbers(5, 5),
            numbers(9, 1),
            Numbers::DISPROVEN,
        ]
        .map(Numbers::share_of_proof);
        assert!(shares.is_sorted_by(|a, b| a < b));
    }
}

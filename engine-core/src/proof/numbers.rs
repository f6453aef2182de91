//! Proof and disproof numbers, and their backup from children to parent.

use super::goal::{Answer, Goal};
use crate::position::Outcome;

/// The proof number of a disproven node, and the disproof number of a proven one.
pub const INFINITE: u32 = u32::MAX;

/// Proof and disproof number: the smallest number of unknown positions below a node that must be
/// proven to prove it, or disproven to disprove it (Allis 1994).
///
/// They refer to the goal, not to the side to act. The side to act only decides how children are
/// combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Proof number; 0 if the goal is proven, [`INFINITE`] if it is disproven.
    pub proof: u32,
    /// Disproof number; 0 if the goal is disproven, [`INFINITE`] if it is proven.
    pub disproof: u32,
}

impl Numbers {
    /// An unexpanded position.
    pub const UNKNOWN: Numbers = Numbers {
        proof: 1,
        disproof: 1,
    };
    /// A position where the goal is reached.
    pub const PROVEN: Numbers = Numbers {
        proof: 0,
        disproof: INFINITE,
    };
    /// A position where the goal can no longer be reached.
    pub const DISPROVEN: Numbers = Numbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// The numbers of a finished game, or of an unexpanded position.
    #[inline]
    pub(super) fn of(outcome: Option<Outcome>, goal: Goal) -> Numbers {
        match outcome {
            None => Numbers::UNKNOWN,
            Some(outcome) if goal.is_met_by(outcome) => Numbers::PROVEN,
            Some(_) => Numbers::DISPROVEN,
        }
    }

    /// The answer that the numbers give.
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

    /// φ and δ (Nagai 2002): the numbers to prove and to disprove what the side to act wants.
    /// `prover` is true if the goal's side acts. If the same side acts at a node and its child, φ
    /// and δ are not swapped.
    #[inline]
    pub(super) fn phi_delta(self, prover: bool) -> (u32, u32) {
        if prover {
            (self.proof, self.disproof)
        } else {
            (self.disproof, self.proof)
        }
    }

    /// The inverse of [`Numbers::phi_delta`].
    #[inline]
    pub(super) fn from_phi_delta((phi, delta): (u32, u32), prover: bool) -> Numbers {
        let (proof, disproof) = if prover { (phi, delta) } else { (delta, phi) };
        Numbers { proof, disproof }
    }

    /// Proof number as a fraction of proof plus disproof number, in units of 2⁻³²: 0 for proven,
    /// 2³² for disproven.
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

/// Computes the numbers of a node from its children: the side to act needs one child, the other
/// side needs all. Sums saturate below [`INFINITE`], which means solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    prover: bool,
    phi: u32,
    delta: u64,
    /// The largest δ, and the number of children with a δ above 0.
    most: u32,
    open: u32,
}

impl Sum {
    /// A node without children; `prover` is true if the goal's side acts.
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
        let (phi, delta) = child.phi_delta(self.prover);
        self.phi = self.phi.min(phi);
        self.delta = self.delta.saturating_add(delta as u64);
        self.most = self.most.max(delta);
        self.open += (delta > 0) as u32;
    }

    /// Number of children that the other side has not refuted yet.
    #[inline]
    pub(super) fn open(self) -> u32 {
        self.open
    }

    /// The numbers of weak proof-number search (Ueda, Hashimoto, Hashimoto and Iida, *Weak
    /// Proof-Number Search*, 2008): the largest δ plus one for every other child, in place of the
    /// sum. With transpositions a sum counts shared positions many times.
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
        Numbers::from_phi_delta((self.phi, delta), self.prover)
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

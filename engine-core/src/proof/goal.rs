//! The goals of proof searches, and their answers.

use crate::position::{Outcome, Side};

/// A yes-or-no question: can this side reach its aim against any play?
///
/// A game with draws has two goals: "wins" and "at least draws". A goal depends only on
/// [`Position::outcome`](crate::Position::outcome): in a game with margins every win counts,
/// however small.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Goal {
    /// The side that tries to reach it.
    pub side: Side,
    /// Whether a draw is enough.
    pub draw_suffices: bool,
}

impl Goal {
    /// "This side wins."
    pub const fn win(side: Side) -> Goal {
        Goal {
            side,
            draw_suffices: false,
        }
    }

    /// "This side wins or draws."
    pub const fn draw(side: Side) -> Goal {
        Goal {
            side,
            draw_suffices: true,
        }
    }

    /// Whether this outcome meets the goal.
    #[inline]
    pub fn is_met_by(self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Win(winner) => winner == self.side,
            Outcome::Draw => self.draw_suffices,
        }
    }

    /// The negated goal: the other side prevents this one. Every finished game meets exactly one of
    /// the two.
    #[must_use]
    pub const fn negated(self) -> Goal {
        Goal {
            side: self.side.opponent(),
            draw_suffices: !self.draw_suffices,
        }
    }

    /// A unique index of every goal, 0 to 3.
    pub(super) const fn index(self) -> usize {
        2 * self.side.index() + self.draw_suffices as usize
    }
}

/// The answer for a goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// The side can force it.
    Proven,
    /// The other side can prevent it: [`Goal::negated`] is proven.
    Disproven,
    /// The search ended without a proof.
    Unknown,
}

impl Answer {
    /// The goal that is proven: `goal` or its negation.
    pub fn proven_goal(self, goal: Goal) -> Option<Goal> {
        match self {
            Answer::Proven => Some(goal),
            Answer::Disproven => Some(goal.negated()),
            Answer::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_meets_a_goal_or_its_negation() {
        let ends = [
            Outcome::Win(Side::First),
            Outcome::Win(Side::Second),
            Outcome::Draw,
        ];
        for side in Side::BOTH {
            for goal in [Goal::win(side), Goal::draw(side)] {
                assert_eq!(goal.negated().negated(), goal);
                for end in ends {
                    assert_ne!(goal.is_met_by(end), goal.negated().is_met_by(end));
                }
            }
        }
    }
}

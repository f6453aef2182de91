//! What is asked, and what the answer is.

use crate::position::{Outcome, Side};

/// A question with the answer yes or no: does this side reach its aim, whatever the other one does?
///
/// Draws make two questions of one game: "does it win?" and "does it at least draw?". A goal looks
/// at [`Position::outcome`](crate::Position::outcome) alone: in a game with margins a win is
/// a win, however small.
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

    /// Whether a game that ended so has reached it.
    #[inline]
    pub fn is_met_by(self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Win(winner) => winner == self.side,
            Outcome::Draw => self.draw_suffices,
        }
    }

    /// The aim of the other side: to keep this one from being reached. Exactly one of both is
    /// reached in every game.
    #[must_use]
    pub const fn denied(self) -> Goal {
        Goal {
            side: self.side.opponent(),
            draw_suffices: !self.draw_suffices,
        }
    }

    /// 0 to 3: a number of its own for every goal.
    pub(super) const fn index(self) -> usize {
        2 * self.side.index() + self.draw_suffices as usize
    }
}

/// What is known of a goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// It is reached by best play.
    Proven,
    /// The other side can keep it from being reached: [`Goal::denied`] is proven.
    Disproven,
    /// The search ended before it knew.
    Unknown,
}

impl Answer {
    /// The goal of which a proof was found: `goal`, or its denial.
    pub fn proven_goal(self, goal: Goal) -> Option<Goal> {
        match self {
            Answer::Proven => Some(goal),
            Answer::Disproven => Some(goal.denied()),
            Answer::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_goal_and_its_denial_every_end_meets_one() {
        let ends = [
            Outcome::Win(Side::First),
            Outcome::Win(Side::Second),
            Outcome::Draw,
        ];
        for side in Side::BOTH {
            for goal in [Goal::win(side), Goal::draw(side)] {
                assert_eq!(goal.denied().denied(), goal);
                for end in ends {
                    assert_ne!(goal.is_met_by(end), goal.denied().is_met_by(end));
                }
            }
        }
    }
}

//! Wins, draws and losses.

use std::ops::{AddAssign, SubAssign};

use engine_core::Side;
use gamelog::record::GameResult;
use serde::Serialize;
use stats::sample::{Games, Sample};

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// The result of one game for `side`.
    pub(super) fn one(result: GameResult, side: Side) -> Tally {
        let (wins, draws, losses) = match (result, side) {
            (GameResult::Draw, _) => (0, 1, 0),
            (GameResult::Unfinished, _) => (0, 0, 0),
            (GameResult::First, Side::First) | (GameResult::Second, Side::Second) => (1, 0, 0),
            _ => (0, 0, 1),
        };
        Tally {
            wins,
            draws,
            losses,
        }
    }

    /// Contest points: two for a win, one for a draw.
    pub fn points(self) -> u32 {
        2 * self.wins + self.draws
    }

    /// Number of games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The results as a sample for statistics.
    pub fn sample(self) -> Games {
        Sample([self.losses, self.draws, self.wins].map(u64::from))
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl SubAssign for Tally {
    fn sub_assign(&mut self, other: Tally) {
        self.wins -= other.wins;
        self.draws -= other.draws;
        self.losses -= other.losses;
    }
}

/// The results of both sides together.
pub(crate) fn sum([first, second]: [Tally; 2]) -> Tally {
    let mut total = first;
    total += second;
    total
}

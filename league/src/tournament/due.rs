//! Games that are due.

use crate::fixture::{Decider, Entrant, Fixture};

/// A game that is due, in few bytes: a league of a million games has as many.
/// [`Tournament::task`](super::Tournament::task) plans it in full.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Due {
    stage: u32,
    group: u32,
    round: u32,
    table: u32,
    number: u32,
    opening: u32,
    sides: [u32; 2],
    game: u32,
    decider: Option<Decider>,
    carried: Option<Box<[u64; 2]>>,
}

impl Due {
    /// A game of a league, by the index of its game and its fixture. `carried` is the time left on
    /// the clocks of `First` and `Second`, in µs, if one clock covers the whole meeting.
    pub(super) fn new(game: usize, fixture: &Fixture, carried: Option<[u64; 2]>) -> Due {
        Due {
            stage: fixture.stage as u32,
            group: fixture.group,
            round: fixture.round,
            table: fixture.table,
            number: fixture.number,
            opening: fixture.opening,
            sides: fixture.sides.map(|entrant| entrant as u32),
            game: game as u32,
            decider: fixture.decider,
            carried: carried.map(Box::new),
        }
    }

    pub(super) fn fixture(&self) -> Fixture {
        Fixture {
            stage: self.stage as usize,
            group: self.group,
            round: self.round,
            table: self.table,
            decider: self.decider,
            number: self.number,
            opening: self.opening,
            sides: self.sides(),
        }
    }

    pub(super) fn carried(&self) -> Option<[u64; 2]> {
        self.carried.as_deref().copied()
    }

    /// Index of its game in the league, from 0.
    pub fn game(&self) -> usize {
        self.game as usize
    }

    /// The engines that play `First` and `Second`.
    pub fn sides(&self) -> [Entrant; 2] {
        self.sides.map(|entrant| entrant as usize)
    }
}

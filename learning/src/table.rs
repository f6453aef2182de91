//! Q-learning of a game behind an object-safe interface.

use engine_core::Side;
use game::Game;
use serde::{Deserialize, Serialize};

use crate::q::{QLearner, QSettings, QState};
use crate::schedule::ScheduleError;

/// A table of values of one game, learned from its start.
pub trait Table: Send {
    /// Plays games against itself and learns from them.
    fn learn(&mut self, episodes: u64);

    /// How far it is.
    fn progress(&self) -> TableProgress;

    /// What it knows.
    fn state(&self) -> QState;

    /// Goes on from what a table with the same settings and seed knew.
    fn restore(&mut self, state: QState);
}

/// How far a table is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableProgress {
    /// Games played against itself.
    pub episodes: u64,
    /// Positions in the table.
    pub positions: usize,
    /// The expected result of the start for `First`, −1 to 1.
    pub start: f64,
    /// The worst result of `First` and of `Second` against every line of the other side, −1, 0 or 1;
    /// `None` in a game of more than a million positions.
    pub worst: [Option<f64>; 2],
}

struct GameTable<G> {
    start: G,
    learner: QLearner,
}

/// An empty table of games from a position.
///
/// # Errors
/// The settings have a number outside its range.
pub fn table<G: Game>(
    start: G,
    settings: QSettings,
    seed: u64,
) -> Result<Box<dyn Table>, ScheduleError> {
    let learner = QLearner::new(settings, seed)?;
    Ok(Box::new(GameTable { start, learner }))
}

impl<G: Game> Table for GameTable<G> {
    fn learn(&mut self, episodes: u64) {
        for _ in 0..episodes {
            self.learner.episode(self.start.clone());
        }
    }

    fn progress(&self) -> TableProgress {
        let value = self.learner.expected(&mut self.start.clone());
        TableProgress {
            episodes: self.learner.episodes(),
            positions: self.learner.positions(),
            start: if self.start.side() == Side::First {
                value
            } else {
                -value
            },
            worst: Side::BOTH.map(|side| self.learner.worst(&self.start, side)),
        }
    }

    fn state(&self) -> QState {
        self.learner.state()
    }

    fn restore(&mut self, state: QState) {
        self.learner.restore(state);
    }
}

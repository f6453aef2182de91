//! What a tournament needs to know of finished games.

use std::collections::HashMap;

use crate::log::record::{GameRecord, GameResult};

/// What a tournament needs to know of a finished game.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub(super) result: GameResult,
    /// Time left on the clocks of `First` and `Second`, in µs, if the next game of the meeting
    /// continues with it.
    pub(super) left_us: Option<[u64; 2]>,
}

impl<S> From<&GameRecord<S>> for Ended {
    fn from(game: &GameRecord<S>) -> Ended {
        Ended {
            result: game.result,
            left_us: game.clock.whole_match.then(|| game.left_us()).flatten(),
        }
    }
}

/// Finished games by id.
#[derive(Debug, Default)]
pub struct Played(HashMap<String, Ended>);

impl Played {
    /// Adds a game.
    pub fn add(&mut self, id: String, ended: Ended) {
        self.0.insert(id, ended);
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the game with this id has been played.
    pub fn contains(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    pub(super) fn get(&self, id: &str) -> Option<Ended> {
        self.0.get(id).copied()
    }
}

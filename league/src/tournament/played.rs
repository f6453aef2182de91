//! What a tournament needs to know of finished games.

use std::collections::HashMap;

use gamelog::key::IdKey;
use gamelog::record::{GameRecord, GameResult};

/// What a tournament needs to know of a finished game.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub(crate) result: GameResult,
    /// Time left on the clocks of `First` and `Second`, in µs, if the next game of the meeting
    /// continues with it.
    pub(crate) left_us: Option<[u64; 2]>,
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
pub struct Played {
    results: HashMap<IdKey, GameResult>,
    /// The times left of games with a clock for the whole meeting.
    left_us: HashMap<IdKey, [u64; 2]>,
}

impl Played {
    /// Adds a game.
    pub fn add(&mut self, id: &str, ended: Ended) {
        let key = IdKey::of(id);
        self.results.insert(key, ended.result);
        if let Some(left) = ended.left_us {
            self.left_us.insert(key, left);
        }
    }

    /// These games.
    pub fn of(results: HashMap<IdKey, GameResult>, left_us: HashMap<IdKey, [u64; 2]>) -> Played {
        Played { results, left_us }
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Whether the game with this id has been played.
    pub fn contains(&self, id: &str) -> bool {
        self.results.contains_key(&IdKey::of(id))
    }

    pub(super) fn get(&self, id: &str) -> Option<Ended> {
        let key = IdKey::of(id);
        Some(Ended {
            result: *self.results.get(&key)?,
            left_us: self.left_us.get(&key).copied(),
        })
    }
}

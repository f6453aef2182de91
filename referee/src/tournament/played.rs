//! What a tournament has to know of the games that have been played.

use std::collections::HashMap;

use crate::record::{GameRecord, GameResult};

/// What a tournament has to know of a game that has been played.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub(super) result: GameResult,
    /// What is left on the clocks of `First` and `Second`, in µs, where another game may go on with
    /// it.
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

/// The games that have been played, by their ids.
#[derive(Debug, Default)]
pub struct Played(HashMap<String, Ended>);

impl Played {
    /// Takes in a game.
    pub fn add(&mut self, id: String, ended: Ended) {
        self.0.insert(id, ended);
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the game with this id is one of them.
    pub fn contains(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    pub(super) fn get(&self, id: &str) -> Option<Ended> {
        self.0.get(id).copied()
    }
}

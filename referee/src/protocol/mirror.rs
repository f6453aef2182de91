//! A game as an engine has been told of it.

use catalog::Match;
use engine_core::{ParseError, Side};
use entry::turn::Told;

use super::{History, Setup};
use crate::process::Failure;
use crate::task::Protocol;

/// A second board beside the referee's, on which the words of the log become those of a protocol.
pub(super) struct Mirror {
    protocol: Protocol,
    /// The engine's side.
    pub(super) side: Side,
    game: Box<dyn Match>,
    /// How many words of the history have been played.
    words: usize,
    /// Whether the engine has been told of anything.
    begun: bool,
}

/// What an engine does not know yet.
pub(super) struct News {
    /// Whether it is the first that the engine is told of the game.
    pub(super) first: bool,
    /// Turns of both sides, and rolls.
    pub(super) told: Vec<Told>,
}

impl News {
    /// The turns, with whose they were.
    pub(super) fn turns(self) -> impl Iterator<Item = (Side, String)> {
        self.told.into_iter().filter_map(Told::turn)
    }
}

impl Mirror {
    /// That of a game which begins on this board, for the engine of a side.
    pub(super) fn new(protocol: Protocol, side: Side, game: Box<dyn Match>) -> Mirror {
        Mirror {
            protocol,
            side,
            game,
            words: 0,
            begun: false,
        }
    }

    /// That of a game in a protocol that has no words for a position to begin with.
    pub(super) fn of(protocol: Protocol, setup: &Setup) -> Result<Mirror, Failure> {
        if setup.opening.starts_with("fen ") {
            return Err(refused("the protocol has no words for a position"));
        }
        Ok(Mirror::new(protocol, setup.side, start(setup)?))
    }

    /// What has been played since this was last asked, in the words of the protocol.
    pub(super) fn news(&mut self, history: &History) -> News {
        let words: Vec<&str> = history.words().skip(self.words).collect();
        News {
            first: !std::mem::replace(&mut self.begun, true),
            told: self.follow(&words),
        }
    }

    /// Plays a legal turn of the engine, a word of the history to be, and returns it in the words of
    /// the protocol.
    pub(super) fn play(&mut self, word: &str) -> String {
        let told = self.follow(&[word]).pop();
        told.and_then(Told::turn)
            .map_or(String::new(), |(_, text)| text)
    }

    fn follow(&mut self, words: &[&str]) -> Vec<Told> {
        self.words += words.len();
        let told = self.game.follow(self.protocol, words);
        told.expect("the history is legal, and the protocol has words for the game")
    }

    /// Plays a part of a turn that an engine is about to complete. The referee plays the whole of
    /// it; the history will have it as one word. Returns whether the turn is complete.
    pub(super) fn play_part(&mut self, text: &str) -> Result<bool, ParseError> {
        let side = self.game.side();
        self.game.play_part_in(self.protocol, text)?;
        let complete = self.game.outcome().is_some() || self.game.side() != side;
        self.words += usize::from(complete);
        Ok(complete)
    }
}

/// The first position of a game.
pub(super) fn start(setup: &Setup) -> Result<Box<dyn Match>, Failure> {
    let game = setup.rules.start(setup.variant);
    game.map_err(|error| refused(&error.to_string()))
}

/// A game that an engine does not get to play, for a reason.
pub(super) fn refused(reason: &str) -> Failure {
    Failure::Start(std::io::Error::other(reason))
}

/// A turn that is asked for where no game has begun.
pub(super) fn no_game() -> Failure {
    refused("no game")
}

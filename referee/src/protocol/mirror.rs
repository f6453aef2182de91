//! A game as an engine of a protocol has been told of it.

use catalog::{Match, Rules};
use engine_core::ParseError;
use entry::turn::Told;
use serde_json::Value;

use super::{History, Setup};
use crate::process::Failure;
use crate::task::Protocol;

/// A second board beside the referee's, on which the words of the log become those of a protocol.
pub(super) struct Mirror {
    protocol: Protocol,
    game: Box<dyn Match>,
    /// How many words of the history have been played.
    words: usize,
}

impl Mirror {
    /// That of a game which begins.
    pub(super) fn new(protocol: Protocol, setup: &Setup) -> Result<Mirror, Failure> {
        if setup.opening.starts_with("fen ") {
            return Err(refused("the protocol has no words for a position"));
        }
        let game = start(setup.rules, setup.variant)?;
        Ok(Mirror {
            protocol,
            game,
            words: 0,
        })
    }

    /// The turns since this was last asked, in the words of the protocol.
    pub(super) fn news(&mut self, history: &History) -> Vec<Told> {
        let words: Vec<&str> = history.words().skip(self.words).collect();
        self.words += words.len();
        let turns = self.game.follow(self.protocol, &words);
        turns.expect("the history is legal, and the protocol has words for the game")
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

fn start(rules: &dyn Rules, variant: &Value) -> Result<Box<dyn Match>, Failure> {
    rules
        .start(variant)
        .map_err(|error| refused(&error.to_string()))
}

/// A game that an engine does not get to play, for a reason.
pub(super) fn refused(reason: &str) -> Failure {
    Failure::Start(std::io::Error::other(reason))
}

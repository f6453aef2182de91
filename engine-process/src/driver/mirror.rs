//! The game as an engine knows it.

use catalog::{AnyMatch, Match};
use engine_core::{ParseError, Side};
use game::turn::Told;
use task::Protocol;
use task::opening::Opening;

use super::{History, Setup};
use crate::process::Failure;

/// A second board beside the referee's, which translates the turns and rolls of the log into a
/// protocol.
pub struct Mirror {
    protocol: Protocol,
    /// The engine's side.
    pub side: Side,
    game: Box<dyn Match>,
    /// Actions that lead to the first position of the history, until they are sent.
    before: Vec<String>,
    /// How many words of the history (turns and rolls) have been played.
    words: usize,
    /// Whether the engine has been sent any part of the game.
    started: bool,
}

/// The part of a game that an engine does not know yet.
pub struct Update {
    /// Whether this is the first update of the game.
    pub first: bool,
    /// Turns of both sides and rolls, in the notation of the protocol.
    pub(crate) events: Vec<Told>,
}

impl Update {
    /// The turns, each with its side.
    pub fn turns(self) -> impl Iterator<Item = (Side, String)> {
        self.events.into_iter().filter_map(Told::turn)
    }
}

impl Mirror {
    /// The mirror of a game that begins at this position, for the engine of `side`.
    pub fn new(protocol: Protocol, side: Side, game: Box<dyn AnyMatch>) -> Mirror {
        Mirror {
            protocol,
            side,
            game,
            before: Vec::new(),
            words: 0,
            started: false,
        }
    }

    /// The mirror of a game in a protocol that cannot send a position: it sends turns that lead
    /// there.
    pub fn of(protocol: Protocol, setup: &Setup) -> Result<Mirror, Failure> {
        let mut mirror = Mirror::new(protocol, setup.side, start(setup)?);
        if let Some(position) = Opening::parse(setup.opening).position {
            let before = setup.rules.actions_to(setup.variant, position);
            mirror.before = before.ok_or_else(|| refused("no turns lead to the first position"))?;
        }
        Ok(mirror)
    }

    /// What has been played since the last call, in the notation of the protocol.
    pub fn update(&mut self, history: &History) -> Update {
        let before = std::mem::take(&mut self.before);
        let mut words: Vec<&str> = before.iter().map(String::as_str).collect();
        words.extend(history.words().skip(self.words));
        // Those before the first position are no words of the history.
        self.words += words.len() - before.len();
        Update {
            first: !std::mem::replace(&mut self.started, true),
            events: self.follow(&words),
        }
    }

    /// The colour of the side to move, as an index into the game's colours.
    pub fn colour(&self) -> usize {
        self.game.colour_of(self.game.side())
    }

    /// Plays a legal turn of the engine, given as a word of the history, and returns it in the
    /// notation of the protocol.
    pub(crate) fn play(&mut self, word: &str) -> String {
        self.words += 1;
        let turn = self.follow(&[word]).pop();
        turn.and_then(Told::turn)
            .map_or(String::new(), |(_, text)| text)
    }

    fn follow(&mut self, words: &[&str]) -> Vec<Told> {
        let events = self.game.follow(self.protocol, words);
        events.expect("the history is legal, and the protocol has words for the game")
    }

    /// Plays a part of the engine's unfinished turn. The referee plays the whole turn later, as one
    /// word of the history. Returns whether the turn is complete.
    pub(crate) fn play_part(&mut self, text: &str) -> Result<bool, ParseError> {
        let side = self.game.side();
        self.game.play_part_in(self.protocol, text)?;
        let complete = self.game.outcome().is_some() || self.game.side() != side;
        self.words += usize::from(complete);
        Ok(complete)
    }
}

/// The first position of a game.
pub(crate) fn start(setup: &Setup) -> Result<Box<dyn AnyMatch>, Failure> {
    let game = setup.rules.start(setup.variant);
    game.map_err(|error| refused(&error.to_string()))
}

/// The failure of an engine that cannot play a game, with the reason.
pub(crate) fn refused(reason: &str) -> Failure {
    Failure::Start(std::io::Error::other(reason))
}

/// The failure when a turn is asked for before a game has begun.
pub(crate) fn no_game() -> Failure {
    refused("no game")
}

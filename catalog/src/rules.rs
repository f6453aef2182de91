//! The rules of a game as text: variants, positions, protocols.

use game::turn;
use game::{Choice, Engine, VariantError, dialect, read_variant, start};
use protocol::Protocol;
use protocol::announcement::Announcement;
use records::Recorded;
use serde_json::Value;

use crate::playing::Playing;
use crate::search::{self, SearchError};
use crate::{AnyMatch, Entry};

/// The rules of a game, and its names. What plays and records games needs no more.
pub trait Rules: Send + Sync {
    /// The id in league files: `dots-and-boxes`.
    fn id(&self) -> &'static str;

    /// The display name: `Dots and Boxes`.
    fn name(&self) -> &'static str;

    /// The colours of `First` and `Second`.
    fn colours(&self) -> [&'static str; 2];

    /// What SAU's `new` calls `First` and `Second`.
    fn sau_colours(&self) -> [&'static str; 2];

    /// Whether the game has dice.
    fn has_dice(&self) -> bool;

    /// A variant with all its keys, missing ones at their defaults. An empty object means the
    /// contest's rules.
    ///
    /// # Errors
    /// A key or a value that the game does not have.
    fn complete_variant(&self, variant: &Value) -> Result<Value, VariantError>;

    /// The keys of the variant whose values are words, with the words that forms offer.
    fn choices(&self) -> &'static [Choice];

    /// A new match of a variant.
    ///
    /// # Errors
    /// A key or a value that the game does not have.
    fn start(&self, variant: &Value) -> Result<Box<dyn AnyMatch>, VariantError>;

    /// What announces a game of a variant in a protocol: board size and the like.
    ///
    /// # Errors
    /// The protocol does not support the game, or only another variant, which the message names.
    fn announce(&self, protocol: Protocol, variant: &Value) -> Result<Announcement, String>;

    /// A match that begins at any position of the variant: with a player to move, a roll due, or
    /// finished.
    ///
    /// # Errors
    /// The text is not a position.
    fn set_up(&self, variant: &Value, position: &str) -> Result<Box<dyn AnyMatch>, SearchError>;

    /// Actions in UGI notation that lead from the start of the variant to a position. `None` if the
    /// text is not a position, if no actions lead there, or if the game cannot tell.
    fn actions_to(&self, variant: &Value, position: &str) -> Option<Vec<String>>;

    /// A match that begins at a position of the variant with a player to move.
    ///
    /// # Errors
    /// The text is not such a position.
    fn open(&self, variant: &Value, position: &str) -> Result<Box<dyn AnyMatch>, SearchError>;

    /// Whether positions of the game can repeat: a table of positions ignores their history.
    fn repeats(&self) -> bool;
}

impl<G: Recorded + Engine> Rules for Entry<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    fn colours(&self) -> [&'static str; 2] {
        G::COLOURS
    }

    fn sau_colours(&self) -> [&'static str; 2] {
        G::SAU_COLOURS
    }

    fn has_dice(&self) -> bool {
        G::HAS_CHANCE
    }

    fn complete_variant(&self, variant: &Value) -> Result<Value, VariantError> {
        let variant = read_variant::<G>(variant)?;
        G::start(&variant)?;
        serde_json::to_value(variant).map_err(|error| VariantError(error.to_string()))
    }

    fn choices(&self) -> &'static [Choice] {
        G::CHOICES
    }

    fn start(&self, variant: &Value) -> Result<Box<dyn AnyMatch>, VariantError> {
        Ok(Box::new(Playing::new(start::<G>(variant)?)))
    }

    fn announce(&self, protocol: Protocol, variant: &Value) -> Result<Announcement, String> {
        let start = start::<G>(variant).map_err(|error| error.to_string())?;
        dialect::announce(protocol, &start)
    }

    fn set_up(&self, variant: &Value, position: &str) -> Result<Box<dyn AnyMatch>, SearchError> {
        let position = start::<G>(variant)?.parse_position(position)?;
        Ok(Box::new(Playing::new(position)))
    }

    fn actions_to(&self, variant: &Value, position: &str) -> Option<Vec<String>> {
        let mut game = start::<G>(variant).ok()?;
        let actions = turn::actions_to(&game, &game.parse_position(position).ok()?)?;
        let write = |mv| {
            let text = game.write_move(mv);
            game.play(mv);
            text
        };
        Some(actions.into_iter().map(write).collect())
    }

    fn open(&self, variant: &Value, position: &str) -> Result<Box<dyn AnyMatch>, SearchError> {
        let position = search::read(&start::<G>(variant)?, position)?;
        Ok(Box::new(Playing::new(position)))
    }

    fn repeats(&self) -> bool {
        G::REPEATS
    }
}

//! What a game offers to the other crates, and what follows from it alone: turns as text, the dialects of
//! protocols, lines of play.
//!
//! [`Game`] is what every game has: a name, variants, a start and an end. What else a game can do has a
//! trait of its own, whose parts all have defaults but for those of the players:
//!
//! | trait | what a game says |
//! |---|---|
//! | [`Written`] | how protocols write its turns, how it is set up on a board of theirs |
//! | [`Drawn`] | its board as text and as a picture, and the clicks that enter an action |
//! | [`Searched`] | the evaluation and the policy of its players, their settings, what is learned |
//! | [`Guided`] | what its players know beside the search: a prover, a first move, a book |
//! | [`Explained`] | what a turn has lost: boxes, pieces, a connection |
//!
//! [`Engine`] is all of them. The crate `records` adds `Recorded`: how records of games write it.

pub mod choice;
pub mod dialect;
pub mod drawn;
pub mod explained;
pub mod guided;
pub mod numbers;
pub mod searched;
pub mod standard;
pub mod turn;
pub mod view;
pub mod written;

use std::fmt::Debug;

use engine_core::{Notation, Side, Symmetric};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

pub use crate::choice::Choice;
pub use crate::dialect::Dialect;
pub use crate::drawn::Drawn;
pub use crate::explained::{Explained, Lapse, LapseKind};
pub use crate::guided::{Guided, Opener};
pub use crate::searched::{
    Learned, NewPlayer, PlayedEvaluator, Searched, Wanted, evaluator, player,
};
pub use crate::standard::Standard;
pub use crate::view::View;
pub use crate::written::{PLATFORM_COLOURS, Played, Written};

/// A game with its names, variants and results. Each game implements it, and the traits for what else
/// it can do, in its `engine.rs`.
pub trait Game: Notation + Symmetric {
    /// The name in league files and on the command line: `dots-and-boxes`.
    const ID: &'static str;
    /// The name people read: `Dots and Boxes`.
    const NAME: &'static str;
    /// The colours of `First` and `Second`, in lower case: `["black", "white"]`.
    const COLOURS: [&'static str; 2];
    /// The keys of the variant whose values are words. Every key with a word as its default is here.
    const CHOICES: &'static [Choice] = &[];

    /// The rule settings, written as `variant = { … }` in a league file. `Default` gives the
    /// contest rules; unknown keys are errors.
    type Variant: Serialize + DeserializeOwned + Default + Clone + PartialEq + Debug + Send + Sync;

    /// The start position of a variant.
    ///
    /// # Errors
    /// A variant that the game does not support: a board too large, an amazon off the board.
    fn start(variant: &Self::Variant) -> Result<Self, VariantError>;

    /// Why the finished game ended, in the game's terms: `six in a row`. Unspecified before the end
    /// of the game.
    fn ending(&self) -> &'static str;

    /// Whether this variant can end in a draw. The default is
    /// [`Position::DRAWS`](engine_core::Position::DRAWS).
    fn can_be_drawn(&self) -> bool {
        Self::DRAWS
    }

    /// The index into [`Game::COLOURS`] of a side in this position, 0 or 1.
    fn colour_index(&self, side: Side) -> usize {
        side.index()
    }
}

/// All that a program offers which plays a game.
pub trait Engine: Written + Drawn + Explained + Searched {}

impl<G: Written + Drawn + Explained + Searched> Engine for G {}

/// Reads a variant of `G` and returns its start position.
///
/// # Errors
/// It is no variant of the game.
pub fn start<G: Game>(variant: &Value) -> Result<G, VariantError> {
    G::start(&read_variant::<G>(variant)?)
}

/// Reads a variant of `G`.
///
/// # Errors
/// It has other settings than the game, or values of another kind.
pub fn read_variant<G: Game>(variant: &Value) -> Result<G::Variant, VariantError> {
    serde_json::from_value(variant.clone()).map_err(|error| VariantError(error.to_string()))
}

/// A variant that the game does not support.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct VariantError(pub String);

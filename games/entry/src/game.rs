//! What a game crate offers to the other crates.

use std::fmt::Debug;

use engine_core::players::NoPlayer;
use engine_core::{
    Algorithm, Checked, Evaluator, ParseError, Playout, Position, Resources, Search, Settings,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::dialect::Dialect;
use crate::protocol::Protocol;
use crate::standard::Standard;

/// A game with its variants, notation and players. The referee and the entries are generic over it.
/// Each game implements it in its `engine.rs`.
pub trait Game: Checked + Sau {
    /// The name in league files and on the command line: `dots-and-boxes`.
    const ID: &'static str;
    /// The name people read: `Dots and Boxes`.
    const NAME: &'static str;
    /// The colours of `First` and `Second`, in lower case: `["black", "white"]`.
    const COLOURS: [&'static str; 2];
    /// Typical positions.
    const STANDARD: Standard;

    /// The rule settings, written as `variant = { … }` in a league file. `Default` gives the
    /// contest rules; unknown keys are errors.
    type Variant: Serialize + DeserializeOwned + Default + Clone + PartialEq + Debug + Send + Sync;
    /// The evaluation used by `pvs`, `mcts` and `greedy`.
    type Evaluator: Evaluator<Self> + 'static;
    /// The policy of `mcts`.
    type Playout: Playout<Self> + 'static;
    /// Uniformly random moves, as fast as the game allows.
    type Random: Playout<Self> + Default + 'static;

    /// The start position of a variant.
    ///
    /// # Errors
    /// A variant that the game does not support: a board too large, an amazon off the board.
    fn start(variant: &Self::Variant) -> Result<Self, VariantError>;

    /// Why the finished game ended, in the game's terms: `six in a row`. Unspecified before the end
    /// of the game.
    fn ending(&self) -> &'static str;

    /// Whether this variant can end in a draw. The default is [`Position::DRAWS`].
    fn can_be_drawn(&self) -> bool {
        Self::DRAWS
    }

    /// The game's dialect of a protocol; `None` if the protocol does not support the game. Every
    /// game supports UGI and SAU.
    fn dialect(protocol: Protocol) -> Option<Dialect<Self>> {
        Dialect::common(protocol)
    }

    /// The board as plain text with coordinates; every line ends with `\n`.
    fn draw(&self) -> String;

    /// A new evaluator for this variant.
    fn evaluator(&self) -> Self::Evaluator;

    /// A new playout policy for this variant.
    fn playout(&self) -> Self::Playout;

    /// A player that uses `algorithm` with this game's evaluators and policies.
    ///
    /// Each game calls [`engine_core::players::player`] itself, so every search is compiled once,
    /// with the game, and not again in each program that plays it.
    ///
    /// # Errors
    /// The algorithm does not support the game, or the system has too little memory for the table.
    fn player(
        &self,
        algorithm: Algorithm,
        settings: &Settings,
        resources: Resources,
    ) -> Result<Box<dyn Search<Self>>, NoPlayer>;

    /// The search settings of this game.
    fn settings() -> Settings {
        Settings::default()
    }

    /// Estimated number of turns that the side to move still plays, including this one; at least 1.
    /// Time management divides the clock by it.
    fn turns_left(&self) -> u32;
}

/// The text of the SAU platform's `move` lines after `move `. Each game implements it in its
/// `notation.rs`, which describes the grammar.
pub trait Sau: Position {
    /// Writes a turn played from this position.
    fn write_sau(&self, turn: &[Self::Move]) -> String;

    /// Reads a turn played from this position and checks that its actions are legal.
    ///
    /// # Errors
    /// Text that is not a turn of this game, or an illegal action.
    fn parse_sau(&self, text: &str) -> Result<Vec<Self::Move>, ParseError>;
}

/// A variant that the game does not support.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct VariantError(pub String);

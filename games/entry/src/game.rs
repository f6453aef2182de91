//! What a game crate shows the rest of the house.

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

/// A game with its variants, its text and its players: what the referee and the entries are
/// generic over. Each game implements it in its `engine.rs`.
pub trait Game: Checked + Sau {
    /// The name in league files and on the command line: `dots-and-boxes`.
    const ID: &'static str;
    /// The name people read: `Dots and Boxes`.
    const NAME: &'static str;
    /// The colours of `First` and `Second`, in lower case: `["black", "white"]`.
    const COLOURS: [&'static str; 2];
    /// Typical positions.
    const STANDARD: Standard;

    /// The settings of the rules, as `variant = { … }` in a league file. `Default` is the contest's
    /// rule; unknown keys are refused.
    type Variant: Serialize + DeserializeOwned + Default + Clone + PartialEq + Debug + Send + Sync;
    /// The evaluation that `pvs`, `mcts` and `greedy` share.
    type Evaluator: Evaluator<Self> + 'static;
    /// The policy of `mcts`.
    type Playout: Playout<Self> + 'static;
    /// Uniformly random moves, as fast as the game allows.
    type Random: Playout<Self> + Default + 'static;

    /// The position in which a game of this variant begins.
    ///
    /// # Errors
    /// A variant that the game does not have: a board too large, an amazon off the board.
    fn start(variant: &Self::Variant) -> Result<Self, VariantError>;

    /// Why the finished game ended, in the game's own words: `six in a row`. Unspecified while the
    /// game goes on.
    fn ending(&self) -> &'static str;

    /// Whether a game of this variant can end in a draw: by [`Position::DRAWS`], unless the variant
    /// rules it out.
    fn can_be_drawn(&self) -> bool {
        Self::DRAWS
    }

    /// The game's words in a protocol; `None` where it is not played in it. Every game is played in
    /// UGI and SAU.
    fn dialect(protocol: Protocol) -> Option<Dialect<Self>> {
        Dialect::common(protocol)
    }

    /// A picture of the board in plain text, lines ended by `\n`, with coordinates.
    fn draw(&self) -> String;

    /// A new evaluator for this variant.
    fn evaluator(&self) -> Self::Evaluator;

    /// A new playout policy for this variant.
    fn playout(&self) -> Self::Playout;

    /// A player by `algorithm` with this game's evaluators and policies.
    ///
    /// Each game passes this on to [`engine_core::players::player`] itself: so every search is compiled
    /// once, with the game, and not again for each program that plays it.
    ///
    /// # Errors
    /// An algorithm that does not fit the game, or a table that the system has no memory for.
    fn player(
        &self,
        algorithm: Algorithm,
        settings: &Settings,
        resources: Resources,
    ) -> Result<Box<dyn Search<Self>>, NoPlayer>;

    /// How search is set up for this game.
    fn settings() -> Settings {
        Settings::default()
    }

    /// A guess of how many turns the side to move has still to play, this one included; at least
    /// 1. The clock is divided by it.
    fn turns_left(&self) -> u32;
}

/// The text of the SAU platform's `move` lines: what stands between `move ` and the line end.
/// Each game implements it in its `notation.rs`; the grammar is described there.
pub trait Sau: Position {
    /// The text of a turn played from this position.
    fn write_sau(&self, turn: &[Self::Move]) -> String;

    /// Reads a turn to be played in this position and checks that its actions are legal.
    ///
    /// # Errors
    /// Text that is no turn of this game, or an action in it that is not legal.
    fn parse_sau(&self, text: &str) -> Result<Vec<Self::Move>, ParseError>;
}

/// A variant that a game does not have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct VariantError(pub String);

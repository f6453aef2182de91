//! When the referee ends a game early: the `[adjudication]` table of a league file.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// When the referee ends a game early: the `[adjudication]` table of a league file. Default: never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// Both engines agree on the winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// Both engines agree on a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// A game is a draw after this many turns of both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<NonZeroU32>,
    /// The referee's own proof search finds the winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
}

/// A side loses when both engines agree that it is behind, or one if the other has no scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// The minimum advantage, in points of the engines' evaluations.
    pub points: NonZeroU32,
    /// For how many consecutive turns of each side.
    pub turns: NonZeroU32,
    /// Whether one engine's scores suffice if the other has reported none in the whole game. An engine could
    /// then claim to win.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
}

/// A game is a draw when neither engine sees an advantage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// The maximum advantage, in points of the engines' evaluations.
    pub points: u32,
    /// For how many consecutive turns of each side.
    pub turns: NonZeroU32,
    /// The minimum number of turns of both sides.
    #[serde(default)]
    pub after: u32,
}

/// A side wins when a search proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proven {
    /// Node limit of a proof search, 1 to [`Proven::MAX_NODES`].
    pub nodes: u64,
    /// A proof search runs after every this many turns of both sides.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub every: NonZeroU32,
}

impl Proven {
    /// Maximum nodes of a search; they need 640 MB of memory.
    pub const MAX_NODES: u64 = 10_000_000;
}

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

fn is_one(number: &NonZeroU32) -> bool {
    *number == NonZeroU32::MIN
}

impl Adjudication {
    /// Whether every game is played to the end.
    pub fn is_none(&self) -> bool {
        *self == Adjudication::default()
    }
}

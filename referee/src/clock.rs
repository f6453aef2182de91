//! Clocks: what a league file says of them, and one side's running clock.

use std::time::Duration;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

/// How long the engines may think: the `[clock]` table of a league file.
///
/// Durations are text with a unit: `"15m"`, `"60s"`, `"500ms"`. Of `base` and `move` at most one
/// may be given; `nodes` and `depth` may stand alone or beside either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSpec {
    /// Sudden death: time of one side for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<SignedDuration>,
    /// Added to the side's clock after each of its turns.
    #[serde(default, skip_serializing_if = "SignedDuration::is_zero")]
    pub increment: SignedDuration,
    /// Time for every turn.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub per_move: Option<SignedDuration>,
    /// Nodes an engine may search for a turn; it is asked, not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth an engine may search to; it is asked, not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Grace: a flag falls only when a turn takes this much longer than the clock shows.
    #[serde(default = "default_margin")]
    pub margin: SignedDuration,
}

/// The grace of a league file that gives none: what a busy machine may steal from an engine.
fn default_margin() -> SignedDuration {
    SignedDuration::from_millis(20)
}

/// One side's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    spec: ClockSpec,
    left: Option<Duration>,
}

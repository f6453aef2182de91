//! The settings of the rules.

use serde::{Deserialize, Serialize};

/// The settings of a game of Surakarta. The default is the contest's rule.
///
/// With both endings off a game may go on for ever; the players' clocks are then what ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// So many plies in succession without a capture end the game by the count of pieces; 0 for no
    /// limit.
    pub quiet_limit: u32,
    /// Whether the third occurrence of a position, with the same side to move, ends the game by the
    /// count of pieces. The start counts, as does a position read from text.
    pub repetition: bool,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            quiet_limit: 100,
            repetition: true,
        }
    }
}

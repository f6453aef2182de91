//! What an engine says of its search.

use serde::{Deserialize, Serialize};

/// The search report of an engine. `S` is the type of its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineInfo<S = String> {
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Score as the engine wrote it: `cp 31`, `win 5`, `loss 4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<S>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Search time reported by the engine, in ms: the last value reported during the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The principal variation, turns separated by spaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pv: Option<S>,
    /// The last `info string`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<S>,
}

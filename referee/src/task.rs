//! One planned game, and what is needed to start its engines.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::clock::ClockSpec;

/// A game that the plan asks for. It follows from the league file alone.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTask {
    /// Unique in the league; see [`crate::record::GameRecord::id`].
    pub id: String,
    /// Name of the league.
    pub league: String,
    /// Id of the game: `hex`.
    pub game: String,
    /// The complete variant.
    pub variant: Value,
    /// Round, from 1.
    pub round: u32,
    /// Turns played before the engines take over; empty for none.
    pub opening: String,
    /// Seed of the game: the dice follow from it, and a built-in engine's own seed.
    pub seed: u64,
    /// Who plays `First`.
    pub first: EngineSpec,
    /// Who plays `Second`.
    pub second: EngineSpec,
    /// The clock of both sides.
    pub clock: ClockSpec,
}

/// How an engine is started and spoken to. Built-in engines too: their command is this program.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// Its name in the league.
    pub name: String,
    /// Program and arguments as the league file has them; they go into the log.
    pub command: Vec<String>,
    /// The file that is run for the first word of the command; `None` to look for it in `PATH`.
    pub program: Option<PathBuf>,
    /// Where it runs; `None` for the referee's own working directory.
    pub directory: Option<PathBuf>,
    /// The language it speaks.
    pub protocol: Protocol,
    /// Options to set before the game, by name.
    pub options: BTreeMap<String, Value>,
    /// Variables added to its environment.
    pub environment: BTreeMap<String, String>,
}

/// A language between referee and engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The Universal Game Interface.
    #[default]
    Ugi,
    /// The contest platform's protocol.
    Sau,
}

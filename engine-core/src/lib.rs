//! Game-agnostic search: the interfaces a game implements, and the algorithms that play it.
//!
//! The crate names no game, prints nothing, spawns no process, and reads no clock but through
//! [`Limits`]. `ARCHITECTURE.md` at the root of the repository shows how it fits in.

mod algorithm;
pub mod conformance;
pub mod convolution;
pub mod evaluate;
pub mod learned;
pub mod limits;
pub mod mcts;
mod memory;
pub mod notation;
mod ordering;
pub mod pair;
pub mod parameter;
pub mod perft;
pub mod players;
mod pool;
pub mod position;
pub mod proof;
pub mod real;
pub mod rng;
pub mod rows;
pub mod score;
pub mod search;
pub mod settings;
pub mod symmetry;
mod sync;
pub mod table;
pub mod threats;
pub mod time;
#[cfg(test)]
#[path = "../tests/all/trees.rs"]
#[allow(dead_code, reason = "tests of the whole crate use the rest")]
mod trees;
pub mod zobrist;

/// The test trees refer to this crate by name, as integration tests do.
#[cfg(test)]
extern crate self as engine_core;

pub use algorithm::{Algorithm, Named};
pub use conformance::{Checked, conformance};
pub use evaluate::{Candidates, Evaluator, Playout, UniformPlayout};
pub use limits::{Counters, Limits, Report, StopFlag};
pub use mcts::TreeSettings;
pub use notation::{Notation, ParseError};
pub use perft::perft;
pub use players::Resources;
pub use position::{Move, Outcome, Position, Side};
pub use rng::Rng;
pub use score::Score;
pub use search::{Method, Search, SearchSettings, Selectivity};
pub use settings::Settings;
pub use symmetry::{Canonical, Symmetric, mirrored};

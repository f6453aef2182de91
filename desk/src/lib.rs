//! The contest desk: games between engines and people, entered turn by turn, with clocks, corrections
//! and a journal that survives every crash. It knows neither pages nor terminals.
//!
//! ```text
//! Operation ─▶ State ─▶ Event ─▶ Journal ─▶ State ─▶ Snapshot
//!               (checked)   (on disk)   (a fold)  │
//!                                                 ├─▶ Pilot: the thread of an engine
//!                                                 └─▶ games.jsonl, contest records
//! ```
//!
//! | file | what is in it |
//! |---|---|
//! | `settings.rs` | what is agreed before a session |
//! | `level.rs` | how strong an engine plays against a person |
//! | `event.rs` | the facts of a session |
//! | `state.rs` | the state of a session: a fold over its events |
//! | `game.rs` | one game of it: turns, clocks, result |
//! | `operation.rs` | what operators do, and why it is refused |
//! | `journal.rs` | the events on the disk |
//! | `engine.rs` | the thread of an engine, which is started again when it fails |
//! | `host.rs` | a session in progress, for several threads |
//! | `record.rs` | its games in the log and as contest records |
//! | `analysis.rs` | endless analysis of a position |

mod analysis;
mod engine;
mod event;
mod game;
mod host;
mod journal;
mod level;
mod operation;
mod record;
mod settings;
mod state;

#[cfg(test)]
mod tests;

pub use analysis::{Analysis, Lines, Shown};
pub use event::{By, Entry, Event};
pub use game::{Answer, Ending, Game, Turn};
pub use host::{Host, Live, Snapshot, Version, is_session, remove, sessions};
pub use journal::FILE_NAME;
pub use level::Level;
pub use operation::{Operation, Preview, Refused, Saving};
pub use settings::{Dice, Flag, Seat, Settings, Terms, sudden_death};
pub use state::{Away, Correction, Health, Moment, Saved, State};

/// The folder of the sessions, in that of the leagues: their games are a league.
pub const FOLDER: &str = "desk";

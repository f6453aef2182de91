//! A league: its file, the games that are due, the workers that play them, and what the log says of them.
//!
//! ```text
//! league file ─ config ─▶ Config ─ tournament, plan ─▶ [GameTask] ─ workers, play ─▶ log
//!                                          ▲                                          │
//!                                          └──────────────── Played ◀─────────────────┤
//!                                                                                     ▼
//!                                                                 results ─ report ─▶ tables
//! ```
//!
//! [`session::Session`] is all of it for one run: it opens the log, plays, and writes the tables.

pub mod builds;
pub mod config;
pub mod conversations;
pub mod cores;
pub mod events;
pub mod fixture;
pub mod identity;
pub mod live;
pub mod merge;
pub mod opponents;
pub mod pace;
pub mod plan;
pub mod play;
pub mod record_writer;
pub mod report;
pub mod results;
pub mod session;
pub mod spec;
pub mod tournament;
pub mod workers;

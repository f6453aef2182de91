//! A league: its file, the games that are due, and the workers that play them.
//!
//! ```text
//! league file ─ config ─▶ Config ─ tournament, plan ─▶ [GameTask] ─ workers ─▶ log
//!                                          ▲                                    │
//!                                          └────────────── Played ◀─────────────┘
//! ```

pub mod builds;
pub mod config;
pub mod conversations;
pub mod cores;
pub mod events;
pub mod fixture;
pub mod identity;
pub mod live;
pub mod merge;
pub mod plan;
pub mod scribe;
pub mod spec;
pub mod tournament;
pub mod workers;

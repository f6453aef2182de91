//! Plays leagues of game engines under clocks, and never trusts them.
//!
//! ```text
//! league file ─ league ─▶ [GameTask] ─ play ─▶ GameRecord ─ log ─▶ games.jsonl
//!                                       │                               │
//!                                     engine                            ▼
//!                                                    results ─ report ─▶ tables
//! ```

pub mod base;
pub mod book;
pub mod check;
pub mod cluster;
pub mod compare;
pub mod desk;
pub mod engine;
pub mod layouts;
pub mod league;
pub mod learn;
pub mod log;
pub mod logged;
pub mod play;
pub mod plot;
pub mod records;
pub mod report;
pub mod results;
pub mod stats;
pub mod task;
pub mod tune;

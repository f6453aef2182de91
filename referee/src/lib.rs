//! Plays leagues of game engines under clocks, and never trusts them.
//!
//! ```text
//! league file ─ config ─▶ Config ─ tournament ─▶ [GameTask] ─ league ─▶ GameRecord ─ log ─▶ games.jsonl
//!                                                                                        │
//!                                                     standings, verify, replay ◀────────┘
//! ```

pub mod adjudication;
pub mod builds;
pub mod check;
pub mod clock;
pub mod command;
pub mod compare;
pub mod config;
pub mod cores;
pub mod cpu;
pub mod deviation;
pub mod dice;
pub mod digest;
pub mod error;
pub mod events;
pub mod game;
pub mod input;
pub mod lag;
pub mod league;
pub mod log;
pub mod merge;
pub mod opening;
pub mod plain;
pub mod plan;
pub mod process;
pub mod progress;
pub mod protocol;
pub mod pulse;
pub mod record;
pub mod records;
pub mod replay;
pub mod report;
pub mod seed;
pub mod signals;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod table;
pub mod task;
pub mod tournament;
pub mod trace;
pub mod verify;
pub mod waiting;

//! The facts of a session. Everything else follows from them: see [`State`](super::state::State).

use engine_process::info::EngineInfo;
use gamelog::record::{GameResult, SideName};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::settings::Settings;

/// A fact with its time: one line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When it happened, in whole µs. Never earlier than the entry before it.
    pub time: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The session and its first game begin.
    Begin {
        /// Complete and checked.
        settings: Box<Settings>,
        /// Seed of the dice of the first game, below 2^53.
        seed: u64,
    },
    /// The next game of the series begins.
    Next {
        /// Seed of its dice, below 2^53.
        seed: u64,
    },
    /// The engine of the side to move has a turn, which the operator has not made on the common
    /// board yet.
    Answer {
        /// In UGI notation, or `resign`.
        text: String,
        /// Its last search report.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        info: Option<EngineInfo>,
    },
    /// A turn was made. The clock of its side stops.
    Turn {
        /// In UGI notation.
        text: String,
        /// Who chose it.
        by: By,
        /// The last search report of the engine that chose it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        info: Option<EngineInfo>,
    },
    /// A die was rolled for the side to move.
    Roll {
        /// The face, from 1.
        face: u8,
    },
    /// The end of the game was taken back: all turns and rolls from this one on, and the result.
    Correct {
        /// Number of the first turn or roll that is taken back, from 1; one more than there are if
        /// only the result or an engine's answer is.
        from: usize,
        /// Why; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// The referee set a clock.
    Clock {
        /// Whose.
        side: SideName,
        /// The time left from now on, µs.
        left_us: u64,
    },
    /// The clocks were stopped.
    Pause,
    /// The clocks go on.
    Resume,
    /// The engine was told to answer at once.
    Hurry,
    /// The engine of a seat is ready to play.
    Ready {
        /// The seat, 0 for A.
        seat: usize,
        /// What the engine calls itself; empty if it did not say.
        version: String,
    },
    /// The engine of a seat failed; it is started again.
    Lost {
        /// The seat, 0 for A.
        seat: usize,
        /// What it did.
        detail: String,
    },
    /// The operator has the engine of a seat started again.
    Restart {
        /// The seat, 0 for A.
        seat: usize,
    },
    /// A side resigned.
    Resigned {
        /// Who.
        side: SideName,
    },
    /// A side lost on time.
    Flag {
        /// Who.
        side: SideName,
    },
    /// The players agreed on a result, or the referee decided it.
    Decided {
        /// Who won.
        result: GameResult,
        /// Why; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// The record of the game was written to this file.
    Saved {
        /// Its path.
        path: String,
    },
    /// The program was started again and goes on with the session.
    Reopened {
        /// Until when it is known to have run before: a clock that ran stopped then, and stands. Missing in
        /// journals of earlier versions, whose clocks went on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
    /// The referee charged the time in which the program did not run to the side to move.
    Charged,
}

/// Who chose a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The engine of the seat.
    Engine,
    /// The operator: for a seat without an engine, or in place of one.
    Operator,
}

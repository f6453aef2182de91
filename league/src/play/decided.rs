//! Games that a person decides instead of playing them.

use gamelog::record::{Decision, GameRecord, GameResult, Reason};
use jiff::Timestamp;
use task::GameTask;

use super::game::{Observed, engine_record, planned};

/// The record of a game that is not played, because a person has decided it.
pub fn decided(task: &GameTask, result: GameResult, decision: Decision) -> GameRecord {
    let engines = [&task.first, &task.second].map(|spec| engine_record(spec, Observed::default()));
    GameRecord {
        result,
        reason: Reason::Decided,
        detail: format!("{} ({})", decision.why, decision.by),
        decision: Some(decision),
        ..planned(task, engines, Timestamp::now())
    }
}

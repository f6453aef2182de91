//! Games that a person decides instead of playing them.

use gamelog::record::{Decision, GameRecord, GameResult, Reason, SCHEMA};
use jiff::Timestamp;
use task::GameTask;

use super::game::{Observed, engine_record};

/// The record of a game that is not played, because a person has decided it.
pub fn decided(task: &GameTask, result: GameResult, decision: Decision) -> GameRecord {
    let engine = |spec| engine_record(spec, Observed::default());
    GameRecord {
        schema: SCHEMA,
        id: task.id.clone(),
        league: task.league.clone(),
        game: task.game.clone(),
        variant: task.variant.clone(),
        stage: task.stage.clone(),
        round: task.round,
        number: task.number,
        opening: task.opening.clone(),
        seed: task.seed,
        dice: task.dice,
        first: engine(&task.first),
        second: engine(&task.second),
        clock: task.clock,
        carried_us: task.carried_us,
        adjudication: task.adjudication,
        overrides: task.overrides.clone(),
        started: Timestamp::now(),
        duration_ms: 0,
        turns: Vec::new(),
        result,
        reason: Reason::Decided,
        detail: format!("{} ({})", decision.why, decision.by),
        host: rustix::system::uname().nodename().to_string_lossy().into(),
        pace: task.pace,
        imported: String::new(),
        desk: None,
        decision: Some(decision),
        crc32: None,
    }
}

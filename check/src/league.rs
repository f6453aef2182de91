//! A game of the engine against itself, played as in a league.

use std::time::Duration;

use gamelog::record::{GameRecord, Reason};
use jiff::SignedDuration;
use task::clock::ClockSpec;
use task::{EngineSpec, GameTask};

use super::Plan;
use super::conversation::Conversation;
use super::finding::{Checked, Fault, Remark};

/// The engine plays itself, in two processes.
pub(super) fn game(conversation: &mut Conversation<'_>) -> Checked {
    conversation.quit_engine();
    let stop = conversation.stop();
    match league::play::game::play(&task(conversation), stop) {
        Some(record) => assess(&record),
        None => Err(Fault("stopped".to_owned())),
    }
}

/// A clock with so much time for the whole game, and an increment.
pub(super) fn whole_game(base: SignedDuration) -> ClockSpec {
    ClockSpec {
        base: Some(base),
        increment: SignedDuration::from_millis(50),
        ..ClockSpec::default()
    }
}

/// The clock where the protocol sends none: the patience for each turn.
pub(super) fn patience(plan: &Plan) -> ClockSpec {
    ClockSpec {
        per_move: Some(signed(plan.patience)),
        ..ClockSpec::default()
    }
}

/// The time as a clock has it.
pub(super) fn signed(time: Duration) -> SignedDuration {
    SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX)
}

fn task(conversation: &Conversation<'_>) -> GameTask {
    let plan = conversation.plan;
    let clock = conversation.language.clock(conversation);
    let player = |name: &str| EngineSpec {
        name: name.to_owned(),
        ..plan.engine.clone()
    };
    GameTask {
        id: "check".to_owned(),
        league: "check".to_owned(),
        game: plan.rules.id().to_owned(),
        variant: plan.variant.clone(),
        stage: String::new(),
        round: 1,
        number: 0,
        opening: String::new(),
        seed: plan.seed,
        dice: None,
        first: player("first"),
        second: player("second"),
        clock: ClockSpec {
            margin: clock.margin.max(signed(plan.margin)),
            ..clock
        },
        carried_us: None,
        adjudication: Default::default(),
        pause_opponent: false,
        idle_cpu: Default::default(),
        overrides: Vec::new(),
        pace: None,
    }
}

fn assess(record: &GameRecord) -> Checked {
    let turns = record.turns.len();
    let seconds = record.duration_ms as f64 / 1000.0;
    let detail = &record.detail;
    match record.reason {
        Reason::Rules | Reason::Resign => {
            let least = record.turns.iter().filter_map(|turn| turn.left_us).min();
            let clock = least.map_or(String::new(), |least| {
                format!(", at least {} ms left on the clocks", least / 1000)
            });
            Ok(Remark::Fine(format!(
                "against itself: {turns} turns and rolls in {seconds:.1} s{clock}; {detail}"
            )))
        }
        reason => Err(Fault(format!(
            "against itself, after {turns} turns and rolls a side lost: {} ({detail}), expected a \
             game that ends by the rules",
            serde_json::to_string(&reason)
                .unwrap_or_default()
                .trim_matches('"')
        ))),
    }
}

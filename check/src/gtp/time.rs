//! Time commands, which have whole seconds.

use std::time::Duration;

use engine_process::START_UP;
use protocol::gtp::Command;
use protocol::ugi::Go;

use super::exchange::succeed;
use super::introduction::knows;
use super::{player, prepare};
use crate::conversation::Conversation;
use crate::finding::{Checked, Fault, Remark};
use crate::game;
use crate::positions::cases;

/// The time commands.
const COMMANDS: [&str; 2] = ["time_settings", "time_left"];

/// Time per turn, s.
const TIME: u64 = 1;

/// Number of turns with this time.
const TURNS: usize = 3;

/// Added to the plan's seed, so that the positions differ from those of `legality`.
const OTHER_POSITIONS: u64 = 1;

/// The time commands that the engine lists.
pub(super) fn known(conversation: &Conversation<'_>) -> Vec<&'static str> {
    let commands = COMMANDS.into_iter();
    commands.filter(|name| knows(conversation, name)).collect()
}

/// The time commands are accepted.
pub(super) fn commands(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let known = known(conversation);
    if known.is_empty() {
        return Ok(Remark::Note(
            "no time_settings or time_left: the engine must limit itself".to_owned(),
        ));
    }
    let texts = [
        "time_settings 600 0 0",
        "time_settings 0 30 5",
        "time_settings 600 30 1",
        "time_left b 600 0",
        "time_left w 30 5",
    ];
    let listed = texts
        .iter()
        .filter(|text| known.iter().any(|name| text.starts_with(name)));
    let commands: Vec<Command> = listed.filter_map(|text| Command::parse(text)).collect();
    prepare(conversation)?;
    succeed(conversation, &commands, START_UP)?;
    // These settings would slow the next games down.
    conversation.quit_engine();
    let missing = COMMANDS.into_iter().filter(|name| !known.contains(name));
    let missing: Vec<&str> = missing.collect();
    let text = format!("{} accepted", known.join(" and "));
    Ok(match missing[..] {
        [] => Remark::Fine(text),
        _ => Remark::Note(format!("{text}; not listed: {}", missing.join(", "))),
    })
}

/// No turn takes longer than its time.
pub(super) fn clock(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let plan = conversation.plan;
    if !knows(conversation, "time_settings") {
        return Ok(Remark::Fine("not checked without time_settings".to_owned()));
    }
    let go = Go {
        movetime: Some(TIME * 1000),
        ..Go::default()
    };
    let limit = Duration::from_secs(TIME);
    let mut slowest = Duration::ZERO;
    let cases = cases(plan, TURNS, plan.seed.wrapping_add(OTHER_POSITIONS));
    let all = cases.len();
    for (index, mut case) in cases.into_iter().enumerate() {
        let mut player = player(conversation, case.game.side(), go.clone())?;
        let (_, used) = game::turn(conversation, &mut player, &case.history, &mut *case.game)?;
        slowest = slowest.max(used);
        conversation.step(index + 1, all);
    }
    // This setting would slow the next games down.
    conversation.quit_engine();
    let text = format!(
        "`time_settings 0 {TIME} 1`: the slowest of {all} turns came after {} ms",
        slowest.as_millis()
    );
    if slowest > limit + plan.margin {
        Err(Fault(format!(
            "{text}, expected at most {} ms",
            (limit + plan.margin).as_millis()
        )))
    } else {
        Ok(Remark::Fine(text))
    }
}

//! `START` and `ABOUT`.

use std::time::Instant;

use engine_process::START_UP;
use engine_process::driver::NAME_TIMEOUT;
use engine_process::driver::gomocup::{option_commands, rule_command};
use protocol::gomocup::{Answer, Command};
use task::Protocol;

use super::lines;
use crate::conversation::{Conversation, quote};
use crate::finding::{Checked, Fault, Remark};

/// A board that no engine plays on.
const HUGE: u32 = 1000;

/// The engine starts and accepts the game's board in time.
pub(super) fn handshake(conversation: &mut Conversation<'_>) -> Checked {
    let begun = Instant::now();
    conversation.language.ready(conversation)?;
    Ok(Remark::Fine(format!(
        "`{}`: OK {} ms after the start",
        start(conversation),
        begun.elapsed().as_millis()
    )))
}

/// The command that announces the game's board.
fn start(conversation: &Conversation<'_>) -> Command {
    let plan = conversation.plan;
    let announced = plan.rules.announce(Protocol::Gomocup, &plan.variant);
    let board = announced.expect("the variant was checked").board;
    Command::Start(board.parse().expect("a board has a size"))
}

/// Prepares the engine for another game.
pub(super) fn prepare(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    conversation.say(&lines(&[start(conversation)]))?;
    match hear(conversation, "OK")? {
        Answer::Ok => {}
        other => return Err(conversation.wrong(&other.to_string(), "OK")),
    }
    let plan = conversation.plan;
    let announced = plan.rules.announce(Protocol::Gomocup, &plan.variant);
    let rule = announced.expect("the variant was checked").rule;
    let options = rule_command(rule).into_iter();
    let options = options.chain(option_commands(&plan.engine.options));
    let options: Vec<Command> = options.collect();
    if !options.is_empty() {
        conversation.say(&lines(&options))?;
    }
    let question = Command::About.to_string();
    let is_name = |line: &str| matches!(Answer::parse(line), Some(Answer::About(_)));
    conversation.initialize(Some(&question), is_name)
}

/// The answer to a command other than those that ask for a turn.
pub(super) fn hear(conversation: &mut Conversation<'_>, expected: &str) -> Result<Answer, Fault> {
    let answer = |line: &str| match Answer::parse(line) {
        Some(found @ (Answer::Ok | Answer::Error(_) | Answer::Unknown(_))) => Some(found),
        _ => None,
    };
    Ok(conversation.hear(expected, START_UP, answer)?.0)
}

/// The engine sends a name, which is logged.
pub(super) fn name(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    conversation.say(&lines(&[Command::About]))?;
    let expected = "name=\"X\", version=\"Y\", author=\"Z\", country=\"C\"";
    let about =
        conversation.hear_perhaps(expected, NAME_TIMEOUT, |line| match Answer::parse(line) {
            Some(Answer::About(name)) => Some(name),
            _ => None,
        })?;
    let Some((name, _)) = about.filter(|(name, _)| !name.is_empty()) else {
        let Fault(text) = conversation.silent(expected, NAME_TIMEOUT);
        return Ok(Remark::Note(format!("{text}; it can play without")));
    };
    conversation.name = quote(&name);
    Ok(Remark::Fine(format!("{:?}", conversation.name)))
}

/// A board that is too large is refused.
pub(super) fn board(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let huge = Command::Start(HUGE);
    conversation.say(&lines(std::slice::from_ref(&huge)))?;
    let answer = hear(conversation, "ERROR")?;
    prepare(conversation)?;
    Ok(match answer {
        Answer::Ok => Remark::Note(format!("`{huge}`: OK, expected ERROR")),
        _ => Remark::Fine(format!("`{huge}` refused")),
    })
}

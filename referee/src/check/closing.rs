//! The points that conclude every check: what the engine did unasked, and how it ends.

use std::time::Duration;

use super::conversation::Conversation;
use super::finding::{Checked, Fault, Remark};
use super::{Language, sau, ugi};
use crate::game::QUIT_GRACE;

/// How long an engine that was asked nothing is listened to.
const QUIET: Duration = Duration::from_millis(200);

/// How long it thinks before it is told to end.
const THINKING: Duration = Duration::from_millis(100);

/// More than this between two messages is a flood, in bytes: a pipe holds a sixteenth of it.
const FLOOD: u64 = 1 << 20;

/// Nothing is played that was not asked for, over the whole check.
pub(super) fn unasked(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    conversation.listen(QUIET)?;
    let unasked = &conversation.observed.unasked;
    match unasked.count {
        0 => Ok(Remark::Fine(
            "every turn was an answer, and every answer came once".to_owned(),
        )),
        count => Err(Fault(format!(
            "{count} turns that nobody had asked for, the first {}; expected one answer to each \
             question, and none where there is none",
            unasked.first
        ))),
    }
}

/// How much the engine writes beside its answers.
pub(super) fn output(conversation: &mut Conversation<'_>) -> Checked {
    let observed = &conversation.observed;
    let (loudest, written) = (observed.loudest, observed.written);
    let mut notes = Vec::new();
    for (name, bytes) in [("output", loudest.output), ("error", loudest.errors)] {
        if bytes > FLOOD {
            notes.push(format!(
                "a flood of {} KiB on standard {name} between two messages",
                bytes >> 10
            ));
        }
    }
    if observed.foreign.count > 0 {
        notes.push(format!(
            "{} lines that are not of the protocol and are passed over, the first {}",
            observed.foreign.count, observed.foreign.first
        ));
    }
    if !observed.deviations.is_empty() {
        let deviations = observed.deviations.iter();
        let counts = deviations.map(|(kind, count)| format!("{} {count}", kind.words()));
        notes.push(format!(
            "otherwise than the protocol has it, and read all the same (matches/README.md): {}",
            counts.collect::<Vec<_>>().join(", ")
        ));
    }
    if !notes.is_empty() {
        return Ok(Remark::But(notes.join("; ")));
    }
    Ok(Remark::Fine(format!(
        "{} KiB on standard output, {} KiB on standard error; no line that is not of the protocol",
        written.output >> 10,
        written.errors >> 10
    )))
}

/// `quit` where nothing is being searched.
pub(super) fn quit(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    quits(conversation)
}

/// `quit` in the engine's turn.
pub(super) fn quit_in_search(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    think(conversation)?;
    conversation.listen(THINKING)?;
    quits(conversation)
}

fn quits(conversation: &mut Conversation<'_>) -> Checked {
    conversation.say("quit\n")?;
    let (status, took) = conversation.end()?;
    match status {
        None => Err(Fault(format!(
            "`quit`: still there after {} ms, expected its end",
            QUIT_GRACE.as_millis()
        ))),
        Some(status) if !status.success() => Err(Fault(format!(
            "`quit`: {status} after {} ms, expected exit status: 0",
            took.as_millis()
        ))),
        Some(status) => Ok(Remark::Fine(format!(
            "{status} after {} ms",
            took.as_millis()
        ))),
    }
}

/// The end of the input.
pub(super) fn end_of_input(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    conversation.close_input()?;
    let (status, took) = conversation.end()?;
    match status {
        None => Err(Fault(format!(
            "input closed: still there after {} ms, expected its end",
            QUIT_GRACE.as_millis()
        ))),
        Some(status) if !status.success() => Ok(Remark::But(format!(
            "{status} after {} ms; 0 is usual",
            took.as_millis()
        ))),
        Some(status) => Ok(Remark::Fine(format!(
            "{status} after {} ms",
            took.as_millis()
        ))),
    }
}

/// No process outlives the engine.
pub(super) fn processes(conversation: &mut Conversation<'_>) -> Checked {
    conversation.dismiss();
    match conversation.observed.left {
        0 => Ok(Remark::Fine("none was left when it had ended".to_owned())),
        left => Err(Fault(format!(
            "{left} of its processes were left {} ms after it had been told to end, expected none",
            QUIT_GRACE.as_millis()
        ))),
    }
}

/// What the engine is not confined in here.
pub(super) fn confinement(conversation: &mut Conversation<'_>) -> Checked {
    let lines = crate::process::unconfined(&conversation.plan.engine);
    if lines.is_empty() {
        return Ok(Remark::Fine("as in a league".to_owned()));
    }
    Ok(Remark::But(format!(
        "as in a league, but not confined here in {}",
        lines.join("; ")
    )))
}

/// Has an engine that is ready for a game.
fn ready(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    match conversation.plan.language {
        Language::Ugi => ugi::ready(conversation),
        Language::Sau => sau::ready(conversation),
    }
}

/// Has the engine think.
fn think(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    match conversation.plan.language {
        Language::Ugi => conversation.search("position startpos\ngo infinite\n"),
        Language::Sau => sau::begin(conversation),
    }?;
    Ok(())
}

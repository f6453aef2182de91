//! The last points of every check: unsolicited output, and how the engine ends.

use std::time::Duration;

use super::conversation::Conversation;
use super::finding::{Checked, Fault, Remark};
use super::{Language, sau, ugi};
use crate::game::QUIT_GRACE;

/// How long an engine that has been asked nothing is observed.
const QUIET: Duration = Duration::from_millis(200);

/// How long it thinks before it gets `quit`.
const THINKING: Duration = Duration::from_millis(100);

/// More output than this between two messages counts as a flood, in bytes. A pipe holds a sixteenth
/// of it.
const FLOOD: u64 = 1 << 20;

/// During the whole check, no turn came that was not asked for.
pub(super) fn unasked(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    conversation.listen(QUIET)?;
    let unasked = &conversation.observed.unasked;
    match unasked.count {
        0 => Ok(Remark::Fine(
            "every turn answered a request, and every request got one turn".to_owned(),
        )),
        count => Err(Fault(format!(
            "{count} turns that were not asked for, the first {}; expected one turn per \
             request and none without a request",
            unasked.first
        ))),
    }
}

/// How much the engine writes besides its answers.
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
            "{} lines that are not part of the protocol and are ignored, the first {}",
            observed.foreign.count, observed.foreign.first
        ));
    }
    if !observed.deviations.is_empty() {
        let deviations = observed.deviations.iter();
        let counts = deviations.map(|(kind, count)| format!("{} {count}", kind.words()));
        notes.push(format!(
            "deviations from the protocol, tolerated here (matches/README.md): {}",
            counts.collect::<Vec<_>>().join(", ")
        ));
    }
    if !notes.is_empty() {
        return Ok(Remark::Note(notes.join("; ")));
    }
    Ok(Remark::Fine(format!(
        "{} KiB on standard output, {} KiB on standard error; every line is part of the protocol",
        written.output >> 10,
        written.errors >> 10
    )))
}

/// `quit` while no search is running.
pub(super) fn quit(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    quits(conversation)
}

/// `quit` during a search.
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
            "`quit`: still running after {} ms, expected it to exit",
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

/// End of input.
pub(super) fn end_of_input(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    conversation.close_input()?;
    let (status, took) = conversation.end()?;
    match status {
        None => Err(Fault(format!(
            "input closed: still running after {} ms, expected it to exit",
            QUIT_GRACE.as_millis()
        ))),
        Some(status) if !status.success() => Ok(Remark::Note(format!(
            "{status} after {} ms; 0 is usual",
            took.as_millis()
        ))),
        Some(status) => Ok(Remark::Fine(format!(
            "{status} after {} ms",
            took.as_millis()
        ))),
    }
}

/// No process is left when the engine has ended.
pub(super) fn processes(conversation: &mut Conversation<'_>) -> Checked {
    conversation.quit_engine();
    match conversation.observed.left {
        0 => Ok(Remark::Fine("none was left after it exited".to_owned())),
        left => Err(Fault(format!(
            "{left} of its processes still running {} ms after it was asked to exit, expected none",
            QUIT_GRACE.as_millis()
        ))),
    }
}

/// How the engine cannot be confined on this machine.
pub(super) fn confinement(conversation: &mut Conversation<'_>) -> Checked {
    let lines = crate::process::unconfined(&conversation.plan.engine.confinement);
    if lines.is_empty() {
        return Ok(Remark::Fine("as in a league".to_owned()));
    }
    Ok(Remark::Note(format!(
        "as in a league, but not confined here in {}",
        lines.join("; ")
    )))
}

/// Makes sure that an engine is running and ready for a game.
fn ready(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    match conversation.plan.language {
        Language::Ugi => ugi::ready(conversation),
        Language::Sau => sau::ready(conversation),
    }
}

/// Starts a search.
fn think(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    match conversation.plan.language {
        Language::Ugi => conversation.search("position startpos\ngo infinite\n"),
        Language::Sau => sau::begin(conversation),
    }?;
    Ok(())
}

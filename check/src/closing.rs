//! The last points of every check: unsolicited output, and how the engine ends.

use std::time::Duration;

use super::conversation::{Conversation, LEFT_PATIENCE};
use super::finding::{Checked, Fault, Remark};

/// How long an engine that has been asked nothing is observed.
const QUIET: Duration = Duration::from_millis(200);

/// How long it thinks before it gets `quit`.
const THINKING: Duration = Duration::from_millis(100);

/// More output than this between two messages counts as a flood, in bytes. A pipe holds a sixteenth
/// of it.
const FLOOD: u64 = 1 << 20;

/// During the whole check, no answer came that was not asked for.
pub(super) fn unasked(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    conversation.listen(QUIET)?;
    let unasked = &conversation.observed.unasked;
    match unasked.count {
        0 => Ok(Remark::Fine(
            "every answer was asked for, and none came twice".to_owned(),
        )),
        count => Err(Fault(format!(
            "answers that were not asked for: {count}, the first {}; expected one answer per \
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

/// The command to quit while no search is running.
pub(super) fn quit(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    quits(conversation)
}

/// The same during a search, which has begun.
pub(super) fn quit_in_search(conversation: &mut Conversation<'_>) -> Checked {
    conversation.listen(THINKING)?;
    quits(conversation)
}

fn quits(conversation: &mut Conversation<'_>) -> Checked {
    let quit = conversation.language.quit().unwrap_or_default();
    conversation.say(&format!("{quit}\n"))?;
    let ended = conversation.end()?;
    match ended.status {
        None => Err(ended.hangs(&format!("`{quit}`"))),
        Some(status) if !status.success() => Err(Fault(format!(
            "`{quit}`: {}, expected exit status: 0",
            ended.words()
        ))),
        Some(_) => Ok(ended.remark()),
    }
}

/// End of input.
pub(super) fn end_of_input(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    conversation.close_input()?;
    let ended = conversation.end()?;
    match ended.status {
        None => Err(ended.hangs("input closed")),
        Some(status) if !status.success() => {
            Ok(Remark::Note(format!("{}; 0 is usual", ended.words())))
        }
        Some(_) => Ok(ended.remark()),
    }
}

/// No process is left when the engine has ended.
pub(super) fn processes(conversation: &mut Conversation<'_>) -> Checked {
    conversation.quit_engine();
    match conversation.observed.left {
        0 => Ok(Remark::Fine("none was left after it exited".to_owned())),
        left => Err(Fault(format!(
            "{left} of its processes still running {} ms after it exited, expected none",
            LEFT_PATIENCE.as_millis()
        ))),
    }
}

/// How the engine cannot be confined on this machine.
pub(super) fn confinement(conversation: &mut Conversation<'_>) -> Checked {
    let lines = engine_process::process::unconfined(&conversation.plan.engine);
    if lines.is_empty() {
        return Ok(Remark::Fine("as in a league".to_owned()));
    }
    Ok(Remark::Note(format!(
        "as in a league, but not confined here in {}",
        lines.join("; ")
    )))
}

//! Responses to commands in general.

use engine_process::START_UP;
use protocol::gtp::Command;

use super::exchange::{exchange, fail, written};
use crate::conversation::{Conversation, quote};
use crate::finding::{Checked, Remark};

/// A command that nobody has.
const UNKNOWN: &str = "xyzzy";

/// The response to a command with a number repeats it, whether the command succeeds or not. A
/// league sends no numbers, but other controllers do.
pub(super) fn ids(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    for (number, name) in [(1, "protocol_version"), (20_307, "name"), (42, UNKNOWN)] {
        let id = Some(number);
        let command = Command {
            id,
            ..Command::new(name, &[])
        };
        let answered = exchange(conversation, &[command], START_UP)?;
        if let Some(response) = answered.responses.iter().find(|it| it.id != id) {
            let expected = format!("=[id] or ?[id] with the id {number}");
            return Err(conversation.wrong(&written(response), &expected));
        }
    }
    Ok(Remark::Fine(
        "repeated in every response, also for an unknown command".to_owned(),
    ))
}

/// An unknown command fails.
pub(super) fn unknown(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let response = fail(conversation, Command::new(UNKNOWN, &[]))?;
    Ok(Remark::Fine(format!(
        "`{UNKNOWN}`: {:?}",
        quote(&written(&response))
    )))
}

//! Commands and their responses.

use std::time::{Duration, Instant};

use engine_process::START_UP;
use protocol::gtp::{Command, Read, Reader, Response};

use crate::conversation::{Conversation, Heard};
use crate::finding::Fault;

/// The commands as lines.
pub(super) fn lines(commands: &[Command]) -> String {
    commands.iter().map(|line| format!("{line}\n")).collect()
}

/// Responses to commands.
pub(super) struct Exchange {
    /// One for each command, in order.
    pub(super) responses: Vec<Response>,
    /// From writing the commands to the end of the last response.
    pub(super) used: Duration,
}

/// Sends commands together and reads their responses.
pub(super) fn exchange(
    conversation: &mut Conversation<'_>,
    commands: &[Command],
    within: Duration,
) -> Result<Exchange, Fault> {
    let begun = conversation.say(&lines(commands))?;
    let (responses, at) = responses(conversation, commands.len(), within)?;
    Ok(Exchange {
        responses,
        used: conversation.took(begun, at),
    })
}

/// The responses to the `count` commands sent last, and when the last one was complete.
pub(super) fn responses(
    conversation: &mut Conversation<'_>,
    count: usize,
    within: Duration,
) -> Result<(Vec<Response>, Instant), Fault> {
    let (mut reader, mut responses) = (Reader::default(), Vec::new());
    let mut begun = None;
    let expected = "a response for every command, each ended by an empty line";
    let heard = conversation.hear_parts(expected, within, |line| match reader.line(line) {
        Read::Response(response) => {
            begun = None;
            responses.push(response);
            if responses.len() == count {
                Heard::Answer(())
            } else {
                Heard::Part
            }
        }
        Read::Part => {
            if !line.trim().is_empty() {
                begun.get_or_insert_with(|| line.to_owned());
            }
            Heard::Part
        }
        Read::Chatter => Heard::Other,
    })?;
    match (heard, begun) {
        (Some(((), at)), _) => Ok((responses, at)),
        (None, Some(line)) => Err(conversation.wrong(
            &line,
            &format!(
                "an empty line after it within {} ms, which ends a response",
                within.as_millis()
            ),
        )),
        (None, None) => Err(conversation.silent(expected, within)),
    }
}

/// Sends commands, all of which must succeed.
pub(super) fn succeed(
    conversation: &mut Conversation<'_>,
    commands: &[Command],
    within: Duration,
) -> Result<Exchange, Fault> {
    let exchange = exchange(conversation, commands, within)?;
    let mut answered = commands.iter().zip(&exchange.responses);
    match answered.find(|(_, response)| !response.success) {
        None => Ok(exchange),
        Some((command, response)) => Err(conversation.wrong(
            &written(response),
            &format!("a response with = to `{command}`"),
        )),
    }
}

/// Sends one command that must fail.
pub(super) fn fail(
    conversation: &mut Conversation<'_>,
    command: Command,
) -> Result<Response, Fault> {
    let mut responses = exchange(conversation, &[command], START_UP)?.responses;
    match responses.pop() {
        Some(response) if !response.success => Ok(response),
        Some(response) => Err(conversation.wrong(&written(&response), "a response with ?")),
        None => Err(conversation.silent("a response with ?", START_UP)),
    }
}

/// A response on one line.
pub(super) fn written(response: &Response) -> String {
    response.to_string().trim_end().replace('\n', " / ")
}

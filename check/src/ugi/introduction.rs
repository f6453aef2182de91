//! The handshake, and the engine's name.

use std::time::Instant;

use engine_process::START_UP;
use protocol::ugi::{Answer, Command};

use super::line;
use crate::conversation::{Conversation, quote};
use crate::finding::{Checked, Fault, Remark};

/// The most lines of a handshake that are stored.
const MOST_LINES: usize = 1000;

/// The engine starts and completes the handshake in time.
pub(super) fn handshake(conversation: &mut Conversation<'_>) -> Checked {
    let begun = Instant::now();
    introduce(conversation)?;
    Ok(Remark::Fine(format!(
        "`ugi`: ugiok {} ms after the start",
        begun.elapsed().as_millis()
    )))
}

/// Starts a process and runs its handshake.
pub(super) fn introduce(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    conversation.start()?;
    conversation.say(&line(&Command::Ugi))?;
    let mut lines = Vec::new();
    conversation.hear("ugiok", START_UP, |line| {
        let answer = Answer::parse(line);
        // Any line may come before `ugiok`; only the useful ones are stored.
        let useful =
            line.starts_with("option") || matches!(answer, Ok(Answer::Name(_) | Answer::Author(_)));
        if useful && lines.len() < MOST_LINES {
            lines.push(line.to_owned());
        }
        (answer == Ok(Answer::UgiOk)).then_some(())
    })?;
    conversation.introduction = lines;
    Ok(())
}

/// The engine sends a name, which is logged.
pub(super) fn name(conversation: &mut Conversation<'_>) -> Checked {
    let find = |pick: fn(Answer) -> Option<String>| {
        let lines = conversation.introduction.iter();
        let mut answers = lines.filter_map(|line| Answer::parse(line).ok());
        answers.find_map(pick).filter(|text| !text.is_empty())
    };
    let name = find(|answer| match answer {
        Answer::Name(name) => Some(name),
        _ => None,
    });
    let author = find(|answer| match answer {
        Answer::Author(author) => Some(author),
        _ => None,
    });
    let Some(name) = name else {
        let message =
            "`ugi`: no id name before ugiok, expected one: the log identifies versions by it";
        return Err(Fault(message.to_owned()));
    };
    let name = quote(&name);
    conversation.name.clone_from(&name);
    Ok(match author {
        Some(author) => Remark::Fine(format!("{name:?} by {:?}", quote(&author))),
        None => Remark::Note(format!("{name:?}, without an id author")),
    })
}

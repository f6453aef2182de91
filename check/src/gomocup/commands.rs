//! Commands besides those of a game, and unusual lines.

use std::time::Duration;

use protocol::gomocup::Answer;

use super::introduction::{hear, prepare};
use super::{first_turn, hear_first};
use crate::conversation::{Conversation, quote};
use crate::finding::{Checked, Fault, Remark};

/// How long an engine that has to be silent is observed.
const QUIET: Duration = Duration::from_millis(200);

/// A command that nobody has.
const UNKNOWN: &str = "XYZZY";

/// What a manager sends, and one key that nobody knows.
const INFO: &str = "\
INFO timeout_turn 1000
INFO timeout_match 100000
INFO time_left 100000
INFO max_memory 83886080
INFO game_type 1
INFO rule 0
INFO evaluate 0,0
INFO folder /tmp
INFO xyzzy 1
";

/// `INFO` has no answer, whatever its key.
pub(super) fn info(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    prepare(conversation)?;
    conversation.say(INFO)?;
    let answer = |line: &str| match Answer::parse(line) {
        None | Some(Answer::Message(_)) => None,
        Some(_) => Some(line.to_owned()),
    };
    if let Some((line, _)) = conversation.hear_perhaps("nothing", QUIET, answer)? {
        return Err(conversation.wrong(&line, "no answer to INFO"));
    }
    first_turn(conversation)?;
    // These limits would slow the next games down.
    conversation.quit_engine();
    Ok(Remark::Fine(
        "not answered, whatever its key, and a legal turn after it".to_owned(),
    ))
}

/// An unknown command is answered `UNKNOWN`.
pub(super) fn unknown(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    conversation.say(&format!("{UNKNOWN}\n"))?;
    match hear(conversation, "UNKNOWN")? {
        answer @ Answer::Unknown(_) => Ok(Remark::Fine(format!(
            "`{UNKNOWN}`: {:?}",
            quote(answer.to_string().trim())
        ))),
        other => Err(conversation.wrong(&other.to_string(), "UNKNOWN")),
    }
}

/// Commands that an engine need not have are carried out or refused, but always answered.
pub(super) fn optional(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let mut answers = Vec::new();
    for command in ["RECTSTART 20,19", "RESTART"] {
        prepare(conversation)?;
        conversation.say(&format!("{command}\n"))?;
        let answer = hear(conversation, "OK, ERROR or UNKNOWN")?;
        let word = match answer {
            Answer::Ok => "OK",
            Answer::Error(_) => "ERROR",
            _ => "UNKNOWN",
        };
        answers.push(format!("`{command}`: {word}"));
    }
    prepare(conversation)?;
    first_turn(conversation)?;
    Ok(Remark::Fine(format!(
        "{}; a legal turn after `START`",
        answers.join(", ")
    )))
}

/// CRLF, trailing blanks and blank lines do not disturb the engine.
pub(super) fn chatter(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    prepare(conversation)?;
    let unasked = conversation.observed.unasked.count;
    // `UNKNOWN` is no fault after a blank line.
    conversation.say("\r\n")?;
    conversation.listen(QUIET)?;
    let asked = conversation.say("BEGIN \r\n")?;
    hear_first(conversation, asked)?;
    conversation.listen(QUIET)?;
    if conversation.observed.unasked.count > unasked {
        return Err(Fault(format!(
            "{}, expected one turn and nothing else",
            conversation.observed.unasked.first
        )));
    }
    Ok(Remark::Fine(
        "a blank line, CRLF and trailing blanks do not disturb it".to_owned(),
    ))
}

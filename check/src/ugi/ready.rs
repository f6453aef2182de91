//! `isready`.

use std::time::Duration;

use protocol::ugi::Answer;

use super::stop::stop_search;
use super::{PATIENCE, hear_ready};
use crate::conversation::Conversation;
use crate::finding::{Checked, Remark};

/// How long an engine may take to answer during a search.
const PROMPT: Duration = Duration::from_secs(1);

/// `isready` is answered, and two of them are answered twice.
pub(super) fn twice(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let start = conversation.say("isready\n")?;
    hear_ready(conversation)?;
    let once = start.elapsed();
    let start = conversation.say("isready\nisready\n")?;
    hear_ready(conversation)?;
    hear_ready(conversation)?;
    Ok(Remark::Fine(format!(
        "answered after {} ms, and two after {} ms",
        once.as_millis(),
        start.elapsed().as_millis()
    )))
}

/// `isready` is answered during a search, too, as in UCI. No league sends it then.
pub(super) fn in_search(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let asked = conversation.search("position startpos\ngo infinite\nisready\n")?;
    let is_ready = |line: &str| (Answer::parse(line) == Ok(Answer::ReadyOk)).then_some(());
    let answer = conversation.hear_perhaps("readyok", PROMPT, is_ready)?;
    stop_search(conversation, PATIENCE)?;
    match answer {
        Some((_, at)) => Ok(Remark::Fine(format!(
            "answered after {} ms",
            at.saturating_duration_since(asked).as_millis()
        ))),
        None => Ok(Remark::Note(format!(
            "`go infinite / isready`: no readyok within {} ms; no league asks during a search, but \
             others may",
            PROMPT.as_millis()
        ))),
    }
}

//! Meaningless and unusually formatted lines.

use super::{PATIENCE, ask_and_play, hear_ready, illegal, movetime, play, ready, turn};
use crate::check::conversation::Conversation;
use crate::check::finding::{Checked, Remark};
use crate::check::positions::{after, start};

/// These lines do not disturb the engine.
pub(super) fn chatter(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    let plan = conversation.plan;
    conversation.say("\n   \n\r\nxyzzy nothing happens\nisready\n")?;
    hear_ready(conversation)?;
    // CRLF line ends and trailing blanks.
    conversation.say("isready \r\n")?;
    hear_ready(conversation)?;
    conversation.say("position startpos  \r\ngo movetime 50 \r\n")?;
    let (text, _) = conversation.hear("bestmove", PATIENCE, turn)?;
    play(&mut *start(plan), &text).map_err(|error| illegal(conversation, &text, &error))?;
    let first = after(std::iter::empty());
    ask_and_play(conversation, &first, &movetime(50), &mut *start(plan))?;
    Ok(Remark::Fine(
        "blank lines, an unknown command, CRLF and trailing blanks do not disturb it".to_owned(),
    ))
}

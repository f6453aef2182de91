//! Meaningless and unusually formatted lines.

use engine_process::driver::History;

use super::{Asked, PATIENCE, hear_ready, movetime, reply, turn};
use crate::conversation::Conversation;
use crate::finding::{Checked, Remark};
use crate::game;
use crate::positions::start;

/// Time per turn, ms.
const TIME: u64 = 50;

/// These lines do not disturb the engine.
pub(super) fn chatter(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let plan = conversation.plan;
    conversation.say("\n   \n\r\nxyzzy nothing happens\nisready\n")?;
    hear_ready(conversation)?;
    // CRLF line ends and trailing blanks.
    conversation.say("isready \r\n")?;
    hear_ready(conversation)?;
    let begun = conversation.say(&format!("position startpos  \r\ngo movetime {TIME} \r\n"))?;
    let (text, at) = conversation.hear("bestmove", PATIENCE, turn)?;
    let reply = reply(text, conversation.took(begun, at));
    let mut player = Asked { go: movetime(TIME) };
    game::accept(conversation, &mut player, &reply, &mut *start(plan))
        .map_err(|error| game::illegal(conversation, &reply, &error))?;
    game::turn(
        conversation,
        &mut player,
        &History::new(""),
        &mut *start(plan),
    )?;
    Ok(Remark::Fine(
        "blank lines, an unknown command, CRLF and trailing blanks do not disturb it".to_owned(),
    ))
}

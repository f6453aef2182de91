//! Several games in a row, in one process.

use super::{ask_and_play, movetime, prepare, ready};
use crate::check::conversation::Conversation;
use crate::check::finding::{Checked, Remark};
use crate::check::game;
use crate::check::positions::after;

/// Time per turn, ms.
const TIME: u64 = 20;

/// Whole games against random turns, with alternating sides, in one process.
pub(super) fn several(conversation: &mut Conversation<'_>) -> Checked {
    conversation.quit_engine();
    ready(conversation)?;
    let turns = game::several(conversation, |conversation, side, rng| {
        prepare(conversation)?;
        game::play(conversation.plan, side, rng, |history, game| {
            let line = after(history.words());
            let answer = ask_and_play(conversation, &line, &movetime(TIME), game)?;
            Ok(answer.0)
        })
    })?;
    Ok(Remark::Fine(format!(
        "{} games against random turns in one process, {turns} turns, all legal",
        conversation.plan.games
    )))
}

//! Several games, one after the other, in one process.

use engine_core::{Rng, Side};

use super::{ask_and_play, movetime, prepare, ready};
use crate::check::conversation::Conversation;
use crate::check::finding::{Checked, Fault, Remark};
use crate::check::game;
use crate::check::positions::after;

/// Time for a turn, ms.
const TIME: u64 = 20;

/// Whole games against random turns, sides exchanged, in one process.
pub(super) fn several(conversation: &mut Conversation<'_>) -> Checked {
    conversation.dismiss();
    ready(conversation)?;
    let plan = conversation.plan;
    let mut rng = Rng::new(plan.seed);
    let mut turns = 0;
    for number in 0..plan.games {
        let side = Side::BOTH[number as usize % 2];
        let played = prepare(conversation).and_then(|()| {
            game::play(plan, side, &mut rng, |history, game| {
                let line = after(history.words());
                let answer = ask_and_play(conversation, &line, &movetime(TIME), game)?;
                Ok(answer.0)
            })
        });
        let played = played.map_err(|Fault(text)| {
            Fault(format!("game {} of {}: {text}", number + 1, plan.games))
        })?;
        turns += played.turns;
        conversation.step(number as usize + 1, plan.games as usize);
    }
    Ok(Remark::Fine(format!(
        "{} games against random turns in one process, {turns} turns, all legal",
        plan.games
    )))
}

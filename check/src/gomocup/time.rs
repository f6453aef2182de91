//! The time limit of a turn.

use std::time::Duration;

use super::player;
use crate::conversation::Conversation;
use crate::finding::{Checked, Fault, Remark};
use crate::game;
use crate::positions::cases;

/// Time per turn, ms.
const TIME: u64 = 500;

/// Number of turns with this time.
const TURNS: usize = 5;

/// Added to the plan's seed, so that the positions differ from those of `legality`.
const OTHER_POSITIONS: u64 = 1;

/// No turn takes longer than `timeout_turn`.
pub(super) fn turns(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let plan = conversation.plan;
    let limit = Duration::from_millis(TIME) + plan.margin;
    let mut slowest = Duration::ZERO;
    let cases = cases(plan, TURNS, plan.seed.wrapping_add(OTHER_POSITIONS));
    let all = cases.len();
    for (index, mut case) in cases.into_iter().enumerate() {
        let mut player = player(conversation, case.game.side(), TIME)?;
        let (_, used) = game::turn(conversation, &mut player, &case.history, &mut *case.game)?;
        slowest = slowest.max(used);
        conversation.step(index + 1, all);
    }
    let text = format!(
        "`INFO timeout_turn {TIME}`: the slowest of {all} turns came after {} ms",
        slowest.as_millis()
    );
    if slowest > limit {
        Err(Fault(format!(
            "{text}, expected at most {} ms",
            limit.as_millis()
        )))
    } else {
        Ok(Remark::Fine(text))
    }
}

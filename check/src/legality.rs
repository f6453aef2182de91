//! Legal turns in many positions.

use std::time::Duration;

use super::conversation::Conversation;
use super::finding::{Checked, Fault, Remark};
use super::game::{self, Answer};
use super::positions::cases;

/// Every answer is a legal turn in the position asked about.
pub(super) fn legality(conversation: &mut Conversation<'_>) -> Checked {
    let plan = conversation.plan;
    let language = conversation.language;
    language.ready(conversation)?;
    let cases = cases(plan, plan.positions, plan.seed);
    let all = cases.len();
    let (mut by_fen, mut resigned, mut slowest) = (0, 0, Duration::ZERO);
    let (mut illegal_turns, mut first) = (0, None);
    for (index, mut case) in cases.into_iter().enumerate() {
        by_fen += usize::from(case.history.begins_elsewhere());
        let mut player = language.consult(conversation, case.game.side())?;
        let reply = player
            .ask(conversation, &case.history)
            .map_err(|Fault(text)| Fault(format!("position {} of {all}: {text}", index + 1)))?;
        slowest = slowest.max(reply.used);
        match game::accept(conversation, &mut *player, &reply, &mut *case.game) {
            Ok(Answer::Resigned) => resigned += 1,
            Ok(Answer::Played(_)) => {}
            Err(error) => {
                illegal_turns += 1;
                first.get_or_insert_with(|| game::illegal(conversation, &reply, &error));
            }
        }
        player.end(conversation, &case.history)?;
        conversation.step(index + 1, all);
    }
    if let Some(Fault(first)) = first {
        return Err(Fault(format!(
            "{illegal_turns} of {all} answers illegal, the first to {first}"
        )));
    }
    let by_fen = match by_fen {
        0 => String::new(),
        count => format!(", {count} of them by fen"),
    };
    let text = format!(
        "{all} positions{by_fen}: every turn legal, the slowest after {} ms",
        slowest.as_millis()
    );
    Ok(if resigned > 0 {
        Remark::Note(format!("{text}; resigned in {resigned}"))
    } else {
        Remark::Fine(text)
    })
}

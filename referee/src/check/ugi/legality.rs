//! Legal turns in many positions.

use std::time::Duration;

use super::{Reply, ask, illegal, movetime, note_spelling, play, ready};
use crate::check::conversation::Conversation;
use crate::check::finding::{Checked, Fault, Remark};
use crate::check::game::Answer;
use crate::check::positions::cases;

/// Time per turn, ms.
const TIME: u64 = 20;

/// Every answer is a legal turn in the position asked about.
pub(super) fn legality(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    let plan = conversation.plan;
    let cases = cases(plan, plan.positions, plan.seed);
    let all = cases.len();
    let (mut by_fen, mut resigned, mut slowest) = (0, 0, Duration::ZERO);
    let (mut illegal_turns, mut first) = (0, None);
    for (index, mut case) in cases.into_iter().enumerate() {
        by_fen += usize::from(case.line.starts_with("position fen"));
        let Reply { text, used } = ask(conversation, &case.line, &movetime(TIME))
            .map_err(|Fault(text)| Fault(format!("position {} of {all}: {text}", index + 1)))?;
        slowest = slowest.max(used);
        match play(&mut *case.game, &text) {
            Ok(Answer::Resigned) => resigned += 1,
            Ok(answer) => note_spelling(conversation, &text, &answer),
            Err(error) => {
                illegal_turns += 1;
                first.get_or_insert_with(|| illegal(conversation, &text, &error));
            }
        }
        conversation.step(index + 1, all);
    }
    if let Some(Fault(first)) = first {
        return Err(Fault(format!(
            "{illegal_turns} of {all} answers illegal, the first to {first}"
        )));
    }
    let text = format!(
        "{all} positions at {TIME} ms, {by_fen} of them by fen: every turn legal, the slowest after \
         {} ms",
        slowest.as_millis()
    );
    Ok(if resigned > 0 {
        Remark::Note(format!("{text}; resigned in {resigned}"))
    } else {
        Remark::Fine(text)
    })
}

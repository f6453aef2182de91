//! `stop`.

use std::time::Duration;

use super::{PATIENCE, illegal, play, ready};
use crate::check::conversation::Conversation;
use crate::check::finding::{Checked, Fault, Remark};
use crate::check::positions::cases;

/// How often `stop` is tried.
const TIMES: usize = 10;

/// How long the engine searches before `stop`.
const SEARCH: Duration = Duration::from_millis(100);

/// How long it may take to answer `stop`, unless the plan's margin is longer.
const PROMPT: Duration = Duration::from_millis(50);

/// An infinite search runs until `stop` and is then answered at once.
pub(super) fn stop(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    let plan = conversation.plan;
    let prompt = PROMPT.max(plan.margin);
    let (mut stopped, mut slow, mut worst) = (0, 0, Duration::ZERO);
    let cases = cases(plan, TIMES, plan.seed);
    let all = cases.len();
    for (index, mut case) in cases.into_iter().enumerate() {
        conversation.search(&format!("{}\ngo infinite\n", case.line))?;
        conversation.listen(SEARCH)?;
        let (text, took) = conversation.stop_search(PATIENCE)?;
        if let Some(took) = took {
            stopped += 1;
            slow += usize::from(took > prompt);
            worst = worst.max(took);
        }
        play(&mut *case.game, &text).map_err(|error| illegal(conversation, &text, &error))?;
        conversation.step(index + 1, all);
    }
    if slow > 0 {
        return Err(Fault(format!(
            "`stop`: {slow} of {stopped} answers came later than {} ms, the worst after {} ms",
            prompt.as_millis(),
            worst.as_millis()
        )));
    }
    if stopped == 0 {
        return Ok(Remark::Note(format!(
            "`go infinite`: {all} of {all} searches ended before `stop`, expected none"
        )));
    }
    if stopped < all {
        return Ok(Remark::Note(format!(
            "`go infinite`: {} of {all} searches ended before `stop`, expected none; the others \
             were answered within {} ms",
            all - stopped,
            worst.as_millis()
        )));
    }
    Ok(Remark::Fine(format!(
        "{stopped} infinite searches, `stop` answered within {} ms",
        worst.as_millis()
    )))
}

//! `stop`.

use std::time::Duration;

use engine_process::driver::ugi::position;
use protocol::ugi::Go;

use super::{Asked, PATIENCE, reply, turn};
use crate::conversation::Conversation;
use crate::finding::{Checked, Fault, Remark};
use crate::game;
use crate::positions::cases;

/// How often `stop` is tried.
const TIMES: usize = 10;

/// How long the engine searches before `stop`.
const SEARCH: Duration = Duration::from_millis(100);

/// How long it may take to answer `stop`, unless the plan's margin is longer.
const PROMPT: Duration = Duration::from_millis(50);

/// An infinite search runs until `stop` and is then answered at once.
pub(super) fn stop(conversation: &mut Conversation<'_>) -> Checked {
    conversation.language.ready(conversation)?;
    let plan = conversation.plan;
    let prompt = PROMPT.max(plan.margin);
    let (mut stopped, mut slow, mut worst) = (0, 0, Duration::ZERO);
    let cases = cases(plan, TIMES, plan.seed);
    let all = cases.len();
    let mut player = Asked { go: Go::default() };
    for (index, mut case) in cases.into_iter().enumerate() {
        conversation.search(&format!("{}\ngo infinite\n", position(&case.history)))?;
        conversation.listen(SEARCH)?;
        let (text, took) = stop_search(conversation, PATIENCE)?;
        if let Some(took) = took {
            stopped += 1;
            slow += usize::from(took > prompt);
            worst = worst.max(took);
        }
        let reply = reply(text, took.unwrap_or_default());
        game::accept(conversation, &mut player, &reply, &mut *case.game)
            .map_err(|error| game::illegal(conversation, &reply, &error))?;
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

/// Stops the infinite search. Returns its turn and how long it took to answer; no time if the
/// search had already ended.
pub(super) fn stop_search(
    conversation: &mut Conversation<'_>,
    patience: Duration,
) -> Result<(String, Option<Duration>), Fault> {
    if let Some(early) = conversation.early_answer(Duration::ZERO)? {
        return Ok((early, None));
    }
    let asked = conversation.say("stop\n")?;
    // It may have come just before.
    if let Some(early) = conversation.take_early() {
        return Ok((early, None));
    }
    let (text, at) = conversation.hear("bestmove", patience, turn)?;
    Ok((text, Some(conversation.took(asked, at))))
}

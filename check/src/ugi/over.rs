//! Positions where the game is over.

use std::time::Duration;

use engine_core::Rng;
use engine_process::driver::History;
use engine_process::driver::ugi::position;

use super::{Asked, hear_ready, movetime, turn};
use crate::conversation::{Conversation, quote};
use crate::finding::{Checked, Remark};
use crate::game;
use crate::positions::{random_game, start};

/// Number of finished games.
const GAMES: u64 = 3;

/// Time per turn, ms.
const TIME: u64 = 50;

/// How long to wait for an answer, which is optional here.
const WAIT: Duration = Duration::from_secs(1);

/// How long to wait for one after `stop`.
const LATE: Duration = Duration::from_millis(100);

/// An engine that is asked when the game is over may answer anything or nothing, but must keep
/// working.
pub(super) fn over(conversation: &mut Conversation<'_>) -> Checked {
    let plan = conversation.plan;
    let mut answers = Vec::new();
    for number in 0..GAMES {
        conversation.language.ready(conversation)?;
        let mut rng = Rng::new(plan.seed.wrapping_add(number));
        let line = position(&random_game(plan, &mut rng).history);
        let go = movetime(TIME);
        conversation.search(&format!("{line}\ngo{go}\n"))?;
        let received = conversation.hear_perhaps("bestmove or nothing", WAIT, turn)?;
        conversation.say("stop\nisready\n")?;
        hear_ready(conversation)?;
        let answer = match received {
            Some((text, _)) => Some(text),
            None => conversation.early_answer(LATE)?,
        };
        answers.push(answer.map_or("nothing".to_owned(), |text| {
            format!("bestmove {}", quote(&text))
        }));
        let mut player = Asked { go };
        game::turn(
            conversation,
            &mut player,
            &History::new(""),
            &mut *start(plan),
        )?;
    }
    answers.dedup();
    Ok(Remark::Fine(format!(
        "`go` after the end of a game: {}; still works",
        answers.join(", ")
    )))
}

//! One turn: the question, the answer, and what is done about an illegal one.

use std::time::Duration;

use catalog::Match;

use super::Trouble;
use crate::clock::Clock;
use crate::process::Failure;
use crate::protocol::{Driver, Question, Reply};
use crate::record::{EngineInfo, Reason};

/// The longest word of an engine that goes into a record, in characters.
const LONGEST_QUOTE: usize = 100;

/// A legal turn that has been played, and paid for.
pub(super) struct Answered {
    /// As UGI and the log write it.
    pub(super) turn: String,
    pub(super) used: Duration,
    pub(super) info: Option<EngineInfo>,
    /// The illegal turns before it, with what was wrong with each.
    pub(super) refused: Vec<String>,
}

/// Asks an engine for a turn and plays it, the engine's clock running to the end of the last answer.
/// It may answer `retries` times with an illegal turn, where its protocol has words to tell it so.
pub(super) fn ask(
    engine: &mut dyn Driver,
    question: &Question,
    game: &mut dyn Match,
    clock: &mut Clock,
    retries: u32,
) -> Result<Answered, Trouble> {
    let side = game.side();
    let mut refused = Vec::new();
    let lost = |reason, detail: String, refused: &[String]| {
        Trouble::Loss(side, reason, [&[detail], refused].concat().join("; after "))
    };
    let mut answer = engine.ask(question);
    loop {
        let Reply { text, used, info } = match answer {
            Ok(reply) => reply,
            Err(Failure::Stopped) => return Err(Trouble::Stopped),
            Err(failure) => {
                let (reason, detail) = in_turn(failure, question.patience);
                return Err(lost(reason, detail, &refused));
            }
        };
        let mut after = clock.clone();
        if let Err(fallen) = after.charge(used) {
            return Err(lost(Reason::Time, fallen.to_string(), &refused));
        }
        let error = match engine.play(game, &text) {
            Ok(turn) => {
                *clock = after;
                return Ok(Answered {
                    turn,
                    used,
                    info,
                    refused,
                });
            }
            Err(error) => error.to_string(),
        };
        if text.eq_ignore_ascii_case("resign") {
            return Err(lost(Reason::Resign, "resigns".into(), &refused));
        }
        let words = illegal(&text, &error);
        let again = ((refused.len() as u32) < retries).then(|| engine.ask_again(question));
        match again.flatten() {
            Some(next) => answer = next,
            None => return Err(lost(Reason::Illegal, words, &refused)),
        }
        refused.push(words);
    }
}

/// What a failure means in a side's turn.
fn in_turn(failure: Failure, patience: Duration) -> (Reason, String) {
    let reason = match failure {
        Failure::Late => Reason::Time,
        Failure::LongLine => Reason::Illegal,
        Failure::Start(_) | Failure::Exit { .. } | Failure::Stopped => Reason::Crash,
        Failure::Closed(_) => Reason::Disconnect,
    };
    let detail = match failure {
        Failure::Late => format!("no turn within {:.3} s", patience.as_secs_f64()),
        other => other.to_string(),
    };
    (reason, detail)
}

/// The words for an illegal turn: what was written, and what is wrong with it.
fn illegal(text: &str, error: &str) -> String {
    let quote: String = text.chars().take(LONGEST_QUOTE).collect();
    let cut = if quote.len() < text.len() { " …" } else { "" };
    let error: String = error.chars().take(3 * LONGEST_QUOTE).collect();
    format!("{quote:?}{cut}: {error}")
}

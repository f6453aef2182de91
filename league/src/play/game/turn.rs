//! One turn: the question, the answer, and retries after an illegal one.

use std::time::Duration;

use catalog::Match;
use engine_process::driver::{Driver, Question, Reply};
use engine_process::info::EngineInfo;
use engine_process::process::Failure;
use gamelog::record::Reason;
use task::clock::Clock;

use super::EarlyEnd;

/// The most of an engine's text that is quoted in a record, in characters.
const LONGEST_QUOTE: usize = 100;

/// A legal turn that has been played and charged to the clock.
pub struct Answered {
    /// In the notation of UGI and the log.
    pub turn: String,
    pub(crate) used: Duration,
    /// The engine's last report.
    pub info: Option<EngineInfo>,
    /// The illegal turns before it, each with its fault.
    pub(crate) refused: Vec<String>,
}

/// Asks an engine for a turn and plays it. The clock runs until the last answer. After an illegal
/// turn the engine is asked again, at most `retries` times and only if its protocol has a command
/// for that.
pub fn ask(
    engine: &mut dyn Driver,
    question: &Question,
    game: &mut dyn Match,
    clock: &mut Clock,
    retries: u32,
) -> Result<Answered, EarlyEnd> {
    let side = game.side();
    let mut refused = Vec::new();
    let lost = |reason, detail: String, refused: &[String]| {
        EarlyEnd::Loss(side, reason, [&[detail], refused].concat().join("; after "))
    };
    let mut answer = engine.ask(question);
    loop {
        let Reply { text, used, info } = match answer {
            Ok(reply) => reply,
            Err(Failure::Stopped) => return Err(EarlyEnd::Stopped),
            Err(failure) => {
                let (reason, detail) = turn_failure(failure, question.patience);
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

/// The loss that follows from a failure during a turn.
fn turn_failure(failure: Failure, patience: Duration) -> (Reason, String) {
    let reason = match failure {
        Failure::Late => Reason::Time,
        Failure::LongLine(_) => Reason::Illegal,
        Failure::Start(_) | Failure::Exit { .. } | Failure::Stopped => Reason::Crash,
        Failure::Closed(_) => Reason::Disconnect,
    };
    let detail = match failure {
        Failure::Late => format!("no turn within {:.3} s", patience.as_secs_f64()),
        other => other.to_string(),
    };
    (reason, detail)
}

/// Describes an illegal turn: its text and its fault.
fn illegal(text: &str, error: &str) -> String {
    let quote: String = text.chars().take(LONGEST_QUOTE).collect();
    let cut = if quote.len() < text.len() { " …" } else { "" };
    let error: String = error.chars().take(3 * LONGEST_QUOTE).collect();
    format!("{quote:?}{cut}: {error}")
}

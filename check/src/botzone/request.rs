//! The first request of a game, answered by a new process.

use std::time::Duration;

use engine_core::Side;
use protocol::botzone::{Exchange, Extra, Grammar, KEEP_RUNNING, words};
use serde_json::Value;
use task::Protocol;

use super::TURN;
use crate::conversation::{Conversation, Next, quote};
use crate::finding::{Checked, Fault, Remark};
use crate::positions::start;
use crate::{Plan, closing};

/// How long a bot that keeps running is observed after its answer.
const QUIET: Duration = Duration::from_millis(200);

/// The longest `debug` that Botzone's judge keeps, in bytes: "1 KB" in its wiki, page "Bot" of 2020-02-10,
/// which states no limit of `data`.
const LONGEST_DEBUG: usize = 1024;

/// The grammar of the game.
fn grammar(conversation: &Conversation<'_>) -> Grammar {
    let Plan {
        engine,
        rules,
        variant,
        ..
    } = conversation.plan;
    let announced = rules.announce(engine.protocol, variant);
    Grammar {
        announcement: announced.expect("the variant was checked"),
        simplified: engine.protocol == Protocol::BotzoneSimple,
    }
}

/// The input with the first request of a game.
fn first_input(conversation: &Conversation<'_>) -> String {
    let grammar = grammar(conversation);
    let extra = Extra {
        time_limit: Some(TURN.as_secs_f64()),
        memory_limit: Some(conversation.plan.engine.confinement.memory_mb),
        ..Extra::default()
    };
    grammar.write_input(&Exchange::with(Side::First, &[], grammar.width()), &extra)
}

/// How a bot has answered the first request of a game.
struct First {
    /// Its answer.
    answer: String,
    /// From the request to the answer.
    used: Duration,
    /// Whether it keeps running.
    stays: bool,
}

/// Sends a new process the first request, and reads a legal answer and what follows it.
fn answer_first(conversation: &mut Conversation<'_>, input: &str) -> Result<First, Fault> {
    conversation.kill();
    conversation.start()?;
    let patience = conversation.plan.patience;
    let asked = conversation.say(input)?;
    let (answer, at) = loop {
        match conversation.next("a response", patience)? {
            Next::Line(line) if line.text.trim().is_empty() => {}
            Next::Line(line) => break (line.text, line.at),
            Next::End(status) => {
                return Err(conversation.wrong(&status.to_string(), "a response before it"));
            }
        }
    };
    check_legal(conversation, &answer)?;
    Ok(First {
        stays: stays(conversation)?,
        answer,
        used: at.saturating_duration_since(asked),
    })
}

/// Checks the answer to the first request of a game.
fn check_legal(conversation: &Conversation<'_>, answer: &str) -> Result<(), Fault> {
    let wrong = |error: String| conversation.wrong(answer, &format!("a legal turn: {error}"));
    let (numbers, _) = grammar(conversation).read_response(answer).map_err(wrong)?;
    let plan = conversation.plan;
    let played = start(plan).play_part_in(plan.engine.protocol, &words(&numbers));
    played.map_err(|error| wrong(error.to_string()))
}

/// What a bot does after its answer: whether it keeps running. Otherwise it must exit.
fn stays(conversation: &mut Conversation<'_>) -> Result<bool, Fault> {
    let patience = conversation.plan.patience;
    let simplified = grammar(conversation).simplified;
    let expected = "its exit after the response, or the request to keep running";
    loop {
        match conversation.next(expected, patience)? {
            Next::Line(line) if line.text.trim() == KEEP_RUNNING => {
                conversation.listen(QUIET)?;
                return Ok(true);
            }
            // In the simplified form these are the data that it stores.
            Next::Line(_) if simplified => {}
            Next::Line(line) => conversation.observe(&line.text),
            Next::End(status) if status.success() => {
                conversation.end()?;
                return Ok(false);
            }
            Next::End(status) => {
                let expected = "exit status: 0 after the response";
                return Err(conversation.wrong(&status.to_string(), expected));
            }
        }
    }
}

/// The bot starts, answers the first request of a game with a legal turn, and exits or stays.
pub(super) fn first_request(conversation: &mut Conversation<'_>) -> Checked {
    let input = first_input(conversation);
    let first = answer_first(conversation, &input)?;
    let text = format!(
        "{} after {} ms, including its start; {}",
        quote(first.answer.trim()),
        first.used.as_millis(),
        if first.stays {
            "asks to keep running"
        } else {
            "exits after its answer"
        }
    );
    Ok(match debug_of(&first.answer) {
        Some(bytes) if bytes > LONGEST_DEBUG => Remark::Note(format!(
            "{text}; its `debug` has {bytes} bytes, and Botzone keeps {LONGEST_DEBUG} at most"
        )),
        _ => Remark::Fine(text),
    })
}

/// The length of the `debug` of an answer in JSON, in bytes.
fn debug_of(answer: &str) -> Option<usize> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let debug = answer.get("debug")?;
    Some(debug.as_str().map_or(debug.to_string().len(), str::len))
}

/// CRLF, trailing blanks and unknown keys do not disturb the bot.
pub(super) fn chatter(conversation: &mut Conversation<'_>) -> Checked {
    let input = first_input(conversation);
    let simplified = grammar(conversation).simplified;
    let (unusual, what) = if simplified {
        (input.replace('\n', " \r\n"), "CRLF and trailing blanks")
    } else {
        (
            input
                .replacen('{', "{\"xyzzy\":[{}],", 1)
                .replace('\n', " \r\n"),
            "an unknown key, CRLF and trailing blanks",
        )
    };
    answer_first(conversation, &unusual)?;
    Ok(Remark::Fine(format!("{what} do not disturb it")))
}

/// A bot that keeps running exits when its input ends; Botzone would kill it.
pub(super) fn end_of_input(conversation: &mut Conversation<'_>) -> Checked {
    let input = first_input(conversation);
    if !answer_first(conversation, &input)?.stays {
        return Ok(Remark::Fine("exits after every answer".to_owned()));
    }
    match closing::end_of_input(conversation) {
        Err(Fault(text)) => Ok(Remark::Note(format!("{text}; Botzone kills it"))),
        checked => checked,
    }
}

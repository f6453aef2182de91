//! The points of a check in UGI, and what they share.

mod chatter;
mod clock;
mod games;
mod introduction;
mod legality;
mod options;
mod over;
mod ready;
mod stop;

use std::time::Duration;

use catalog::Match;
use engine_core::ParseError;
use entry::ugi::{self, Answer as Line, Go};

use super::conversation::{self, Conversation};
use super::finding::Fault;
use super::game::Answer;
use super::{Language, Point, closing, league};
use crate::deviation::Deviation;
use crate::game::START_UP;
use crate::protocol::ugi::{Declared, preparation};

/// The points, in order.
pub(super) const POINTS: &[Point] = &[
    Point::vital("handshake", introduction::handshake),
    Point::new("name", introduction::name),
    Point::new("options", options::declared),
    Point::vital("isready", ready::twice),
    Point::new("setoption", options::set),
    Point::new("unknown option", options::unknown),
    Point::new("legality", legality::legality),
    Point::new("movetime", clock::fixed),
    Point::new("clock", clock::game),
    Point::new("nearly no time", clock::nearly_none),
    Point::new("other limits", clock::other_limits),
    Point::new("stop", stop::stop),
    Point::new("isready in search", ready::in_search),
    Point::new("finished game", over::over),
    Point::new("several games", games::several),
    Point::new("chatter", chatter::chatter),
    Point::new("league game", league::game),
    Point::new("unasked", closing::unasked),
    Point::new("output", closing::output),
    Point::new("quit", closing::quit),
    Point::new("quit in search", closing::quit_in_search),
    Point::new("end of input", closing::end_of_input),
    Point::new("processes", closing::processes),
    Point::new("confinement", closing::confinement),
];

/// How long to wait for a turn with a short limit. An engine that exceeds the limit is late; one
/// that exceeds this does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes sure that an engine is running and prepared for a game.
pub(super) fn ready(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    if conversation.is_running() {
        return Ok(());
    }
    introduction::introduce(conversation)?;
    prepare(conversation)
}

/// Prepares the engine for another game.
fn prepare(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    let mut declared = Declared::default();
    for line in &conversation.introduction {
        if let Ok(Line::Option(option)) = Line::parse(line) {
            declared.add(&option);
        }
    }
    let plan = conversation.plan;
    let lines = preparation(declared, &plan.engine.options, plan.rules, &plan.variant);
    conversation.say(&lines)?;
    hear_ready(conversation)?;
    Ok(())
}

fn hear_ready(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    let ready = |line: &str| (Line::parse(line) == Ok(Line::ReadyOk)).then_some(());
    conversation.hear("readyok", START_UP, ready)?;
    Ok(())
}

/// A turn as the engine wrote it, and the time it took.
struct Reply {
    text: String,
    used: Duration,
}

/// Asks for a turn in the position set up by `line`.
fn ask(conversation: &mut Conversation<'_>, line: &str, go: &Go) -> Result<Reply, Fault> {
    let start = conversation.say(&format!("{line}\ngo{go}\n"))?;
    let (text, at) = conversation.hear("bestmove", PATIENCE, turn)?;
    let used = at.saturating_duration_since(start);
    if let Some(time) = go.movetime {
        let late = used.saturating_sub(Duration::from_millis(time));
        let observed = &mut conversation.observed;
        observed.timed += 1;
        observed.latest = observed.latest.max(late);
    }
    Ok(Reply { text, used })
}

/// The turn in a line.
fn turn(line: &str) -> Option<String> {
    conversation::turn(Language::Ugi, line)
}

/// Plays a turn of the engine.
fn play(game: &mut dyn Match, text: &str) -> Result<Answer, ParseError> {
    match game.play_turn(text) {
        Ok(turn) => Ok(Answer::Played(turn)),
        Err(_) if text.eq_ignore_ascii_case("resign") => Ok(Answer::Resigned),
        Err(error) => Err(error),
    }
}

/// Asks for a turn and plays it.
fn ask_and_play(
    conversation: &mut Conversation<'_>,
    line: &str,
    go: &Go,
    game: &mut dyn Match,
) -> Result<(Answer, Duration), Fault> {
    let Reply { text, used } = ask(conversation, line, go)?;
    let answer = play(game, &text).map_err(|error| illegal(conversation, &text, &error))?;
    note_spelling(conversation, &text, &answer);
    Ok((answer, used))
}

/// Counts a turn that is not in UGI's spelling as a deviation.
fn note_spelling(conversation: &mut Conversation<'_>, text: &str, answer: &Answer) {
    if let Answer::Played(turn) = answer {
        conversation.note(Deviation::of_turn(text, turn));
    }
}

fn illegal(conversation: &Conversation<'_>, text: &str, error: &ParseError) -> Fault {
    let expected = format!("a legal turn: {error}");
    conversation.wrong(&format!("bestmove {text}"), &expected)
}

/// A limit of `ms` per turn.
fn movetime(ms: u64) -> Go {
    Go {
        movetime: Some(ms),
        ..Go::default()
    }
}

/// The line of a command.
fn line(command: &ugi::Command) -> String {
    format!("{command}\n")
}

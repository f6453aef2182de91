//! The points of a check in SAU, the contest platform's protocol.

use std::time::{Duration, Instant};

use engine_core::{Rng, Side};
use entry::sau::{Answer as Line, Command};

use super::conversation::{self, Conversation, quote};
use super::finding::{Checked, Fault, Remark};
use super::game::{self, Answer, Played};
use super::positions::start;
use super::{Language, Plan, Point, closing, league};
use crate::deviation::Deviation;
use crate::game::START_UP;
use crate::protocol::sau::Briefing;
use crate::protocol::{History, NAME_TIMEOUT};
use crate::task::Protocol;

/// The points, in order.
pub(super) const POINTS: &[Point] = &[
    Point::vital("handshake", handshake),
    Point::new("first turn", first_turn),
    Point::new("several games", several),
    Point::new("end", end),
    Point::new("error", error),
    Point::new("chatter", chatter),
    Point::new("league game", league::game),
    Point::new("unasked", closing::unasked),
    Point::new("output", closing::output),
    Point::new("quit", closing::quit),
    Point::new("quit in search", closing::quit_in_search),
    Point::new("end of input", closing::end_of_input),
    Point::new("processes", closing::processes),
    Point::new("confinement", closing::confinement),
];

/// How long an engine that is not to move is observed.
const QUIET: Duration = Duration::from_millis(200);

/// How long to wait for another turn after `error`, in addition to twice the slowest turn; it need
/// not come.
const ANOTHER: Duration = Duration::from_secs(1);

/// The engine starts and sends its name in time, or can play without it.
fn handshake(conversation: &mut Conversation<'_>) -> Checked {
    let begun = Instant::now();
    introduce(conversation)?;
    let Some(question) = conversation.questions.first() else {
        // A turn tells it from an engine that hangs.
        begin(conversation)?;
        hear(conversation)?;
        conversation.say(&line(&Command::End))?;
        return Ok(Remark::Note(format!(
            "`name?` and `name`: no answer within {} ms each, expected name X; it can play without",
            NAME_TIMEOUT.as_millis()
        )));
    };
    Ok(Remark::Fine(format!(
        "`{question}`: {:?} {} ms after the start",
        conversation.name,
        begun.elapsed().as_millis()
    )))
}

/// Starts the engine and asks for its name; some know the question only without its question mark.
fn introduce(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    conversation.start()?;
    while let Some(&question) = conversation.questions.first() {
        conversation.say(&format!("{question}\n"))?;
        if let Some((name, _)) = conversation.hear_perhaps("name X", NAME_TIMEOUT, name)? {
            conversation.name = quote(&name);
            let again = question != Command::Name.to_string();
            conversation.note(again.then_some(Deviation::AskedAgain));
            return Ok(());
        }
        conversation.questions.remove(0);
    }
    conversation.note(Deviation::NoName);
    Ok(())
}

/// The name in a line.
fn name(line: &str) -> Option<String> {
    match Line::parse(line) {
        Some(Line::Name(name)) => Some(name),
        _ => None,
    }
}

/// Makes sure that an engine is running and has sent its name.
pub(super) fn ready(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    if conversation.is_running() {
        return Ok(());
    }
    introduce(conversation)
}

/// Starts a game in which the engine moves first.
pub(super) fn begin(conversation: &mut Conversation<'_>) -> Result<Instant, Fault> {
    let colour = conversation.plan.rules.sau_colours()[Side::First.index()];
    conversation.say(&line(&Command::New(colour.into())))
}

/// The turn that the engine was asked for.
fn hear(conversation: &mut Conversation<'_>) -> Result<(String, Instant), Fault> {
    let patience = conversation.plan.patience;
    conversation.hear("move", patience, turn)
}

fn turn(line: &str) -> Option<String> {
    conversation::turn(Language::Sau, line)
}

/// `First` answers `new` with its first turn.
fn first_turn(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    let asked = begin(conversation)?;
    let (text, at) = hear_legal(conversation)?;
    conversation.say(&line(&Command::End))?;
    Ok(Remark::Fine(format!(
        "`{}`: move {text} after {} ms",
        Command::New(conversation.plan.rules.sau_colours()[Side::First.index()].into()),
        at.saturating_duration_since(asked).as_millis()
    )))
}

/// The first turn of a game, if it is legal.
fn hear_legal(conversation: &mut Conversation<'_>) -> Result<(String, Instant), Fault> {
    let (text, at) = hear(conversation)?;
    let plan = conversation.plan;
    match start(plan).play_turn_in(Protocol::Sau, &text) {
        Ok(turn) => {
            let own = briefing(plan, Side::First).played(&turn);
            conversation.note(Deviation::of_turn(&text, &own));
            Ok((text, at))
        }
        Err(error) => Err(illegal(conversation, &text, &error.to_string())),
    }
}

/// Translates a game for an engine that plays `side`.
fn briefing(plan: &Plan, side: Side) -> Briefing {
    Briefing::new(plan.rules, side, start(plan))
}

fn illegal(conversation: &Conversation<'_>, text: &str, error: &str) -> Fault {
    conversation.wrong(&format!("move {text}"), &format!("a legal turn: {error}"))
}

/// Whole games against random turns, with alternating sides, in one process.
fn several(conversation: &mut Conversation<'_>) -> Checked {
    conversation.quit_engine();
    ready(conversation)?;
    let turns = game::several(conversation, play)?;
    Ok(Remark::Fine(format!(
        "{} games against random turns in one process, {turns} turns, all legal, the slowest after \
         {} ms; no clock is sent, so the engine must limit itself",
        conversation.plan.games,
        conversation.observed.slowest.as_millis()
    )))
}

/// One game. The engine gets the opponent's last turn and `end` together and must not answer.
fn play(conversation: &mut Conversation<'_>, side: Side, rng: &mut Rng) -> Result<Played, Fault> {
    let plan = conversation.plan;
    let mut briefing = briefing(plan, side);
    if let Some(line) = briefing.beginning() {
        conversation.say(&line)?;
    }
    let played = game::play(plan, side, rng, |history: &History, game| {
        let asked = conversation.say(&briefing.update(history))?;
        let (text, at) = hear(conversation)?;
        let slowest = &mut conversation.observed.slowest;
        *slowest = (*slowest).max(at.saturating_duration_since(asked));
        match game.play_turn_in(Protocol::Sau, &text) {
            Ok(turn) => {
                conversation.note(Deviation::of_turn(&text, &briefing.played(&turn)));
                Ok(Answer::Played(turn))
            }
            Err(_) if text.eq_ignore_ascii_case("resign") => Ok(Answer::Resigned),
            Err(error) => Err(illegal(conversation, &text, &error.to_string())),
        }
    })?;
    let update = briefing.update(&played.history);
    conversation.say(&format!("{update}{}", line(&Command::End)))?;
    conversation.listen(QUIET)?;
    Ok(played)
}

/// A game that ends early leaves no state: in the next game the engine waits for its turn.
fn end(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    let before = conversation.observed.unasked.count;
    begin(conversation)?;
    hear_legal(conversation)?;
    let colour = conversation.plan.rules.sau_colours()[Side::Second.index()];
    let new = Command::New(colour.into());
    conversation.say(&format!("{}{}", line(&Command::End), line(&new)))?;
    conversation.listen(QUIET)?;
    if conversation.observed.unasked.count > before {
        return Err(Fault(format!(
            "{}, expected nothing before the opponent's turn",
            conversation.observed.unasked.first
        )));
    }
    conversation.say(&line(&Command::End))?;
    Ok(Remark::Fine(format!(
        "`end / {new}` after one turn: waits for the opponent's turn"
    )))
}

/// After `error` another turn is expected. A league sends `error` only if its file allows retries;
/// otherwise an illegal turn loses.
fn error(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    begin(conversation)?;
    let (first, _) = hear_legal(conversation)?;
    conversation.say(&line(&Command::Error))?;
    let patience = ANOTHER + 2 * conversation.observed.slowest;
    let second = conversation.hear_perhaps("another move", patience, turn)?;
    // The engine's state is unclear now, so the next point starts a new process.
    conversation.quit_engine();
    Ok(match second {
        None => Remark::Note(format!(
            "`error` after its move {first}: no answer within {} ms, expected another move; a \
             platform sends it, as does a league with `illegal = {{ retry = … }}`",
            patience.as_millis()
        )),
        Some((second, _)) if second == first => Remark::Note(format!(
            "`error` after its move {first}: the same move, expected another"
        )),
        Some((second, _)) => Remark::Fine(format!(
            "`error` after its move {first}: {}",
            quote(&second)
        )),
    })
}

/// Blank lines, an unknown command, CRLF and trailing blanks do not disturb the engine.
fn chatter(conversation: &mut Conversation<'_>) -> Checked {
    ready(conversation)?;
    let colour = conversation.plan.rules.sau_colours()[Side::First.index()];
    conversation.say(&format!(
        "\n   \n\r\nxyzzy nothing happens\n{} \r\n",
        Command::New(colour.into())
    ))?;
    hear_legal(conversation)?;
    let question = conversation.questions.first().copied();
    conversation.say(&format!("end \r\n{} \r\n", question.unwrap_or_default()))?;
    if question.is_some() {
        conversation.hear("name X", START_UP, name)?;
    }
    Ok(Remark::Fine(
        "blank lines, an unknown command, CRLF and trailing blanks do not disturb it".to_owned(),
    ))
}

/// The line of a command.
fn line(command: &Command) -> String {
    format!("{command}\n")
}

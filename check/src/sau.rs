//! The points of a check in SAU, the contest platform's protocol.

use std::time::{Duration, Instant};

use engine_core::Side;
use engine_process::START_UP;
use engine_process::deviation::Deviation;
use engine_process::driver::sau::Briefing;
use engine_process::driver::{History, NAME_TIMEOUT};
use protocol::sau::{Answer as Line, Command};
use task::clock::ClockSpec;

use super::conversation::{Conversation, quote};
use super::finding::{Checked, Fault, Remark};
use super::game::{self, Player, Reply};
use super::language::{Kind, Language};
use super::positions::start;
use super::{Plan, Point, closing, league};

/// The points, in order.
const POINTS: &[Point] = &[
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
    Point::new("quit in search", quit_in_search),
    Point::new("end of input", closing::end_of_input),
    Point::new("processes", closing::processes),
    Point::new("confinement", closing::confinement),
];

/// How long an engine that is not to move is observed.
const QUIET: Duration = Duration::from_millis(200);

/// How long to wait for another turn after `error`, in addition to twice the slowest turn; it need
/// not come.
const ANOTHER: Duration = Duration::from_secs(1);

/// The spellings of the question for the name; some engines know only the second.
const QUESTIONS: [&str; 2] = ["name?", "name"];

/// The protocol of the SAU Game Platform.
pub(super) struct Sau;

impl Language for Sau {
    fn points(&self) -> &'static [Point] {
        POINTS
    }

    fn kind(&self, line: &str) -> Kind {
        match Line::parse(line) {
            Some(Line::Move(turn)) => Kind::Answer(turn),
            Some(Line::Name(_)) => Kind::Known,
            None => Kind::Foreign,
        }
    }

    fn deviation(&self, answer: &str) -> Option<Deviation> {
        Deviation::of_keyword(answer)
    }

    fn ready(&self, conversation: &mut Conversation<'_>) -> Result<(), Fault> {
        if conversation.is_running() {
            return Ok(());
        }
        introduce(conversation)
    }

    fn begin(
        &self,
        conversation: &mut Conversation<'_>,
        side: Side,
    ) -> Result<Box<dyn Player>, Fault> {
        initialize(conversation)?;
        let player = Briefed(briefing(conversation.plan, side));
        if let Some(line) = player.0.beginning() {
            conversation.say(&line)?;
        }
        Ok(Box::new(player))
    }

    fn quit(&self) -> Option<&'static str> {
        Some("quit")
    }

    fn clock(&self, conversation: &Conversation<'_>) -> ClockSpec {
        league::patience(conversation.plan)
    }
}

/// An engine that is sent what it does not know yet.
struct Briefed(Briefing);

impl Player for Briefed {
    fn ask(
        &mut self,
        conversation: &mut Conversation<'_>,
        history: &History,
    ) -> Result<Reply, Fault> {
        let asked = conversation.say(&self.0.update(history))?;
        let (text, at) = hear(conversation)?;
        Ok(reply(text, conversation.took(asked, at)))
    }

    fn spelling(&mut self, turn: &str) -> Option<String> {
        Some(self.0.played(turn))
    }

    /// The engine gets the opponent's last turn and `end` together and must not answer.
    fn end(&mut self, conversation: &mut Conversation<'_>, history: &History) -> Result<(), Fault> {
        let update = self.0.update(history);
        conversation.say(&format!("{update}{}", line(&Command::End)))?;
        conversation.listen(QUIET)
    }
}

/// Translates a game for an engine that plays `side`.
fn briefing(plan: &Plan, side: Side) -> Briefing {
    Briefing::new(plan.rules, side, start(plan))
}

/// The command that begins a game.
fn new(plan: &Plan, side: Side) -> Command {
    Command::New(plan.rules.sau_colours()[side.index()].into())
}

fn reply(text: String, used: Duration) -> Reply {
    let answer = format!("move {text}");
    Reply { text, answer, used }
}

/// The engine starts and sends its name in time, or can play without it.
fn handshake(conversation: &mut Conversation<'_>) -> Checked {
    let begun = Instant::now();
    introduce(conversation)?;
    let Some(question) = question(conversation) else {
        // A turn tells it from an engine that hangs.
        first(conversation)?;
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

/// Starts the engine and asks for its name.
fn introduce(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    conversation.start()?;
    while let Some(question) = question(conversation) {
        conversation.say(&format!("{question}\n"))?;
        if let Some((name, _)) = conversation.hear_perhaps("name X", NAME_TIMEOUT, name)? {
            conversation.name = quote(&name);
            let again = question != Command::Name.to_string();
            conversation.note(again.then_some(Deviation::AskedAgain));
            return Ok(());
        }
        conversation.unanswered.push(question);
    }
    conversation.note(Deviation::NoName);
    Ok(())
}

/// The question for the name that it may answer.
fn question(conversation: &Conversation<'_>) -> Option<&'static str> {
    let mut questions = QUESTIONS.into_iter();
    questions.find(|question| !conversation.unanswered.contains(question))
}

/// Sends the engine's own commands, as before every game.
fn initialize(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    let question = question(conversation);
    conversation.initialize(question, |line| name(line).is_some())
}

/// The name in a line.
fn name(line: &str) -> Option<String> {
    match Line::parse(line) {
        Some(Line::Name(name)) => Some(name),
        _ => None,
    }
}

/// The turn that the engine was asked for.
fn hear(conversation: &mut Conversation<'_>) -> Result<(String, Instant), Fault> {
    let patience = conversation.plan.patience;
    conversation.hear("move", patience, turn)
}

/// The turn in a line.
fn turn(line: &str) -> Option<String> {
    match Line::parse(line) {
        Some(Line::Move(turn)) => Some(turn),
        _ => None,
    }
}

/// `First` answers `new` with its first turn.
fn first_turn(conversation: &mut Conversation<'_>) -> Checked {
    Sau.ready(conversation)?;
    let reply = first(conversation)?;
    conversation.say(&line(&Command::End))?;
    Ok(Remark::Fine(format!(
        "`{}`: {} after {} ms",
        new(conversation.plan, Side::First),
        reply.answer,
        reply.used.as_millis()
    )))
}

/// Begins a game in which the engine moves first, and checks its first turn.
fn first(conversation: &mut Conversation<'_>) -> Result<Reply, Fault> {
    initialize(conversation)?;
    let new = line(&new(conversation.plan, Side::First));
    let asked = conversation.say(&new)?;
    hear_first(conversation, asked)
}

/// The first turn of a game, if it is legal.
fn hear_first(conversation: &mut Conversation<'_>, asked: Instant) -> Result<Reply, Fault> {
    let (text, at) = hear(conversation)?;
    let reply = reply(text, conversation.took(asked, at));
    let plan = conversation.plan;
    let mut player = Briefed(briefing(plan, Side::First));
    match game::accept(conversation, &mut player, &reply, &mut *start(plan)) {
        Ok(_) => Ok(reply),
        Err(error) => Err(game::illegal(conversation, &reply, &error)),
    }
}

/// Whole games against random turns, with alternating sides, in one process.
fn several(conversation: &mut Conversation<'_>) -> Checked {
    let played = game::several(conversation)?;
    Ok(Remark::Fine(format!(
        "{played}, in one process; no clock is sent, and the slowest turn came after {} ms",
        conversation.observed.slowest.as_millis()
    )))
}

/// A game that ends early leaves no state: in the next game the engine waits for its turn.
fn end(conversation: &mut Conversation<'_>) -> Checked {
    Sau.ready(conversation)?;
    let before = conversation.observed.unasked.count;
    first(conversation)?;
    let new = new(conversation.plan, Side::Second);
    let mut ending = line(&Command::End);
    if !conversation.plan.engine.init.is_empty() {
        conversation.say(&ending)?;
        initialize(conversation)?;
        ending.clear();
    }
    conversation.say(&(ending + &line(&new)))?;
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
    Sau.ready(conversation)?;
    let first = first(conversation)?.text;
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
    Sau.ready(conversation)?;
    initialize(conversation)?;
    let asked = conversation.say(&format!(
        "\n   \n\r\nxyzzy nothing happens\n{} \r\n",
        new(conversation.plan, Side::First)
    ))?;
    hear_first(conversation, asked)?;
    let question = question(conversation);
    conversation.say(&format!("end \r\n{} \r\n", question.unwrap_or_default()))?;
    if question.is_some() {
        conversation.hear("name X", START_UP, name)?;
    }
    Ok(Remark::Fine(
        "blank lines, an unknown command, CRLF and trailing blanks do not disturb it".to_owned(),
    ))
}

/// `quit` while it is to move.
fn quit_in_search(conversation: &mut Conversation<'_>) -> Checked {
    Sau.ready(conversation)?;
    initialize(conversation)?;
    conversation.search(&line(&new(conversation.plan, Side::First)))?;
    closing::quit_in_search(conversation)
}

/// The line of a command.
fn line(command: &Command) -> String {
    format!("{command}\n")
}

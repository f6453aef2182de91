//! The points of a check in UGI, and what they share.

mod chatter;
mod clock;
mod introduction;
mod options;
mod over;
mod ready;
mod stop;

use std::time::Duration;

use engine_core::Side;
use engine_process::START_UP;
use engine_process::deviation::Deviation;
use engine_process::driver::History;
use engine_process::driver::ugi::{Declared, position, preparation};
use jiff::SignedDuration;
use protocol::ugi::{self, Answer as Line, Go};
use task::clock::ClockSpec;

use super::conversation::Conversation;
use super::finding::{Checked, Fault, Remark};
use super::game::{self, Player, Reply};
use super::language::{Kind, Language};
use super::legality::legality;
use super::{Point, closing, league};

/// The points, in order.
const POINTS: &[Point] = &[
    Point::vital("handshake", introduction::handshake),
    Point::new("name", introduction::name),
    Point::new("options", options::declared),
    Point::vital("isready", ready::twice),
    Point::new("setoption", options::set),
    Point::new("unknown option", options::unknown),
    Point::new("legality", legality),
    Point::new("movetime", clock::fixed),
    Point::new("clock", clock::game),
    Point::new("nearly no time", clock::nearly_none),
    Point::new("other limits", clock::other_limits),
    Point::new("stop", stop::stop),
    Point::new("isready in search", ready::in_search),
    Point::new("finished game", over::over),
    Point::new("several games", several),
    Point::new("chatter", chatter::chatter),
    Point::new("league game", league::game),
    Point::new("unasked", closing::unasked),
    Point::new("output", closing::output),
    Point::new("quit", closing::quit),
    Point::new("quit in search", quit_in_search),
    Point::new("end of input", closing::end_of_input),
    Point::new("processes", closing::processes),
    Point::new("confinement", closing::confinement),
];

/// How long to wait for a turn with a short limit. An engine that exceeds the limit is late; one
/// that exceeds this does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Time per turn where it matters little, ms.
const TIME: u64 = 20;

/// The Universal Game Interface.
pub(super) struct Ugi;

impl Language for Ugi {
    fn points(&self) -> &'static [Point] {
        POINTS
    }

    fn kind(&self, line: &str) -> Kind {
        match Line::parse(line) {
            Ok(Line::BestMove(turn)) => Kind::Answer(turn),
            Ok(_) => Kind::Known,
            Err(_) => Kind::Foreign,
        }
    }

    fn deviation(&self, answer: &str) -> Option<Deviation> {
        Deviation::of_keyword(answer)
    }

    fn ready(&self, conversation: &mut Conversation<'_>) -> Result<(), Fault> {
        if conversation.is_running() {
            return Ok(());
        }
        introduction::introduce(conversation)?;
        prepare(conversation)
    }

    fn begin(
        &self,
        conversation: &mut Conversation<'_>,
        side: Side,
    ) -> Result<Box<dyn Player>, Fault> {
        prepare(conversation)?;
        self.consult(conversation, side)
    }

    fn consult(&self, _: &mut Conversation<'_>, _: Side) -> Result<Box<dyn Player>, Fault> {
        Ok(Box::new(Asked { go: movetime(TIME) }))
    }

    fn quit(&self) -> Option<&'static str> {
        Some("quit")
    }

    fn clock(&self, _: &Conversation<'_>) -> ClockSpec {
        league::whole_game(SignedDuration::from_secs(3))
    }
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

/// An engine that is asked with these limits.
struct Asked {
    go: Go,
}

impl Player for Asked {
    fn ask(
        &mut self,
        conversation: &mut Conversation<'_>,
        history: &History,
    ) -> Result<Reply, Fault> {
        let go = &self.go;
        let start = conversation.say(&format!("{}\ngo{go}\n", position(history)))?;
        let (text, at) = conversation.hear("bestmove", PATIENCE, turn)?;
        let used = conversation.took(start, at);
        if let Some(time) = go.movetime {
            conversation
                .observed
                .late(used.saturating_sub(Duration::from_millis(time)));
        }
        Ok(reply(text, used))
    }

    fn spelling(&mut self, turn: &str) -> Option<String> {
        Some(turn.to_owned())
    }
}

/// The turn in a line.
fn turn(line: &str) -> Option<String> {
    match Line::parse(line) {
        Ok(Line::BestMove(turn)) => Some(turn),
        _ => None,
    }
}

fn reply(text: String, used: Duration) -> Reply {
    let answer = format!("bestmove {text}");
    Reply { text, answer, used }
}

/// Whole games against random turns, in one process.
fn several(conversation: &mut Conversation<'_>) -> Checked {
    let played = game::several(conversation)?;
    Ok(Remark::Fine(format!("{played}, in one process")))
}

/// `quit` during a search.
fn quit_in_search(conversation: &mut Conversation<'_>) -> Checked {
    Ugi.ready(conversation)?;
    conversation.search("position startpos\ngo infinite\n")?;
    closing::quit_in_search(conversation)
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

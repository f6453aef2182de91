//! The points of a check in the Gomocup protocol, and what they share.

mod commands;
mod introduction;
mod time;

use std::time::{Duration, Instant};

use engine_core::Side;
use engine_process::driver::History;
use engine_process::driver::gomocup::{clock_commands, turn_commands};
use engine_process::driver::mirror::Mirror;
use jiff::SignedDuration;
use protocol::gomocup::{Answer as Line, Command};
use protocol::ugi::Go;
use task::Protocol;
use task::clock::ClockSpec;

use super::conversation::Conversation;
use super::finding::{Checked, Fault, Remark};
use super::game::{self, Player, Reply};
use super::language::{Kind, Language};
use super::legality::legality;
use super::positions::start;
use super::{Point, closing, league};

/// The points, in order.
const POINTS: &[Point] = &[
    Point::vital("handshake", introduction::handshake),
    Point::new("name", introduction::name),
    Point::new("board", introduction::board),
    Point::new("INFO", commands::info),
    Point::new("unknown command", commands::unknown),
    Point::new("optional commands", commands::optional),
    Point::new("legality", legality),
    Point::new("turn time", time::turns),
    Point::new("several games", several),
    Point::new("chatter", commands::chatter),
    Point::new("league game", league::game),
    Point::new("unasked", closing::unasked),
    Point::new("output", closing::output),
    Point::new("quit", closing::quit),
    Point::new("end of input", closing::end_of_input),
    Point::new("processes", closing::processes),
    Point::new("confinement", closing::confinement),
];

/// Time per turn where it matters little, ms.
const TIME: u64 = 100;

/// The Gomocup protocol.
pub(super) struct Gomocup;

impl Language for Gomocup {
    fn points(&self) -> &'static [Point] {
        POINTS
    }

    fn kind(&self, line: &str) -> Kind {
        match Line::parse(line) {
            Some(Line::Turn(turn)) => Kind::Answer(turn),
            Some(Line::Ok | Line::Error(_)) => Kind::Answer(line.to_owned()),
            Some(Line::Message(_) | Line::Unknown(_) | Line::About(_)) => Kind::Known,
            None => Kind::Foreign,
        }
    }

    fn ready(&self, conversation: &mut Conversation<'_>) -> Result<(), Fault> {
        if conversation.is_running() {
            return Ok(());
        }
        conversation.start()?;
        introduction::prepare(conversation)
    }

    fn begin(
        &self,
        conversation: &mut Conversation<'_>,
        side: Side,
    ) -> Result<Box<dyn Player>, Fault> {
        Ok(Box::new(player(conversation, side, TIME)?))
    }

    fn quit(&self) -> Option<&'static str> {
        Some("END")
    }

    fn clock(&self, _: &Conversation<'_>) -> ClockSpec {
        league::whole_game(SignedDuration::from_secs(3))
    }
}

/// The commands as lines.
fn lines(commands: &[Command]) -> String {
    commands.iter().map(|line| format!("{line}\n")).collect()
}

/// The turn, or the error instead of it, and when it came.
fn hear(conversation: &mut Conversation<'_>) -> Result<(String, Instant), Fault> {
    let patience = conversation.plan.patience;
    let answer = |line: &str| match Line::parse(line) {
        Some(Line::Turn(turn)) => Some(Ok(turn)),
        Some(Line::Error(_) | Line::Unknown(_)) => Some(Err(line.to_owned())),
        _ => None,
    };
    match conversation.hear("x,y", patience, answer)? {
        (Ok(turn), at) => Ok((turn, at)),
        (Err(line), _) => Err(conversation.wrong(&line, "a turn")),
    }
}

/// An engine that is sent the turns that it does not know yet.
struct Asked {
    mirror: Mirror,
    go: Go,
}

/// Begins a game in which the engine plays `side` with `time` ms per turn.
fn player(conversation: &mut Conversation<'_>, side: Side, time: u64) -> Result<Asked, Fault> {
    introduction::prepare(conversation)?;
    let go = Go {
        movetime: Some(time),
        ..Go::default()
    };
    let mirror = Mirror::new(Protocol::Gomocup, side, start(conversation.plan));
    Ok(Asked { mirror, go })
}

impl Player for Asked {
    fn ask(
        &mut self,
        conversation: &mut Conversation<'_>,
        history: &History,
    ) -> Result<Reply, Fault> {
        let side = self.mirror.side;
        let update = self.mirror.update(history);
        let first = update.first;
        let turns: Vec<_> = update.turns().collect();
        let mut commands = clock_commands(&self.go, side, first);
        commands.extend(turn_commands(&turns, side, first));
        let asked = conversation.say(&lines(&commands))?;
        let (text, at) = hear(conversation)?;
        Ok(reply(text, conversation.took(asked, at)))
    }
}

fn reply(text: String, used: Duration) -> Reply {
    let answer = text.clone();
    Reply { text, answer, used }
}

/// Asks for the first turn of a game.
fn first_turn(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    let asked = conversation.say(&lines(&[Command::Begin]))?;
    hear_first(conversation, asked)
}

/// The first turn of a game, if it is legal.
fn hear_first(conversation: &mut Conversation<'_>, asked: Instant) -> Result<(), Fault> {
    let (text, at) = hear(conversation)?;
    let reply = reply(text, conversation.took(asked, at));
    let played = start(conversation.plan).play_turn_in(Protocol::Gomocup, &reply.text);
    played.map_err(|error| game::illegal(conversation, &reply, &error))?;
    Ok(())
}

/// Whole games against random turns, with alternating sides, in one process.
fn several(conversation: &mut Conversation<'_>) -> Checked {
    let played = game::several(conversation)?;
    Ok(Remark::Fine(format!(
        "{played}, at {TIME} ms in one process"
    )))
}

//! The points of a check in GTP, and what they share.

mod chatter;
mod commands;
mod exchange;
mod introduction;
mod letters;
mod moves;
mod time;

use std::time::Duration;

use engine_core::{ParseError, Side};
use engine_process::START_UP;
use engine_process::driver::gtp::clock::ClockCommands;
use engine_process::driver::gtp::letters::read;
use engine_process::driver::gtp::{board_commands, turn_commands};
use engine_process::driver::mirror::Mirror;
use engine_process::driver::{History, option_text};
use jiff::SignedDuration;
use protocol::gtp::{Command, colour};
use protocol::ugi::Go;
use task::clock::ClockSpec;
use task::{Letters, Protocol};

use self::exchange::{Exchange, succeed};
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
    Point::new("commands", introduction::commands),
    Point::vital("board", introduction::board),
    Point::vital("letters", letters::letters),
    Point::new("ids", commands::ids),
    Point::new("unknown command", commands::unknown),
    Point::new("illegal move", moves::illegal),
    Point::new("undo", moves::undo),
    Point::new("time commands", time::commands),
    Point::new("legality", legality),
    Point::new("clock", time::clock),
    Point::new("several games", several),
    Point::new("chatter", chatter::chatter),
    Point::new("league game", league::game),
    Point::new("unasked", closing::unasked),
    Point::new("output", closing::output),
    Point::new("quit", closing::quit),
    Point::new("end of input", closing::end_of_input),
    Point::new("processes", closing::processes),
    Point::new("confinement", closing::confinement),
];

/// The Go Text Protocol.
pub(super) struct Gtp;

impl Language for Gtp {
    fn points(&self) -> &'static [Point] {
        POINTS
    }

    /// Text within a response follows its first line, so it counts as chatter if nobody asked.
    fn kind(&self, line: &str) -> Kind {
        match line.trim_start().chars().next() {
            Some('=' | '?') => Kind::Answer(line.to_owned()),
            _ => Kind::Foreign,
        }
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
        Ok(Box::new(player(conversation, side, Go::default())?))
    }

    fn quit(&self) -> Option<&'static str> {
        Some("quit")
    }

    /// An engine without time commands limits itself.
    fn clock(&self, conversation: &Conversation<'_>) -> ClockSpec {
        if time::known(conversation).is_empty() {
            league::patience(conversation.plan)
        } else {
            league::whole_game(SignedDuration::from_secs(5))
        }
    }
}

/// Prepares the engine for another game.
fn prepare(conversation: &mut Conversation<'_>) -> Result<(), Fault> {
    let plan = conversation.plan;
    let options = plan.engine.options.iter();
    let mut commands: Vec<Command> = options
        .filter_map(|(name, value)| Command::parse(&format!("{name} {}", option_text(value))))
        .collect();
    commands.extend(board_commands(&introduction::size(plan)));
    succeed(conversation, &commands, START_UP)?;
    Ok(())
}

/// The command that plays a turn of the engine or its opponent.
fn play(side: Side, turn: &str) -> Command {
    Command::new("play", &[colour(side), turn])
}

fn genmove(side: Side) -> Command {
    Command::new("genmove", &[colour(side)])
}

/// An engine that is told the turns that it does not know yet.
struct Asked {
    mirror: Mirror,
    /// Its clock, if it has one.
    go: Go,
}

/// Begins a game in which the engine plays `side` with this clock.
fn player(conversation: &mut Conversation<'_>, side: Side, go: Go) -> Result<Asked, Fault> {
    prepare(conversation)?;
    let mirror = Mirror::new(Protocol::Gtp, side, start(conversation.plan));
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
        let played = Side::BOTH[self.mirror.colour()];
        let mut commands = turn_commands(&update, side, conversation.plan.engine.letters);
        let known = conversation.introduction.iter().cloned().collect();
        let clock = ClockCommands::of(&known);
        commands.extend(clock.before_turn(&self.go, side, update.first, played));
        commands.push(genmove(played));
        let Exchange {
            mut responses,
            used,
        } = succeed(conversation, &commands, conversation.plan.patience)?;
        let text = responses.pop().map_or(String::new(), |it| it.text);
        Ok(reply(&text, conversation.plan.engine.letters, used))
    }
}

/// What an engine with these letters has answered.
fn reply(text: &str, letters: Letters, used: Duration) -> Reply {
    let answer = format!("= {text}");
    let text = read(text, letters).into_owned();
    Reply { text, answer, used }
}

/// Asks for a turn of `side`, which must be legal on this board.
fn ask_legal(
    conversation: &mut Conversation<'_>,
    side: Side,
    board: &mut dyn catalog::Match,
) -> Result<(), Fault> {
    let patience = conversation.plan.patience;
    let Exchange {
        mut responses,
        used,
    } = succeed(conversation, &[genmove(side)], patience)?;
    let text = responses.pop().map_or(String::new(), |it| it.text);
    let reply = reply(&text, conversation.plan.engine.letters, used);
    let wrong = |error: ParseError| game::illegal(conversation, &reply, &error);
    if !reply.text.eq_ignore_ascii_case("resign") {
        board
            .play_turn_in(Protocol::Gtp, &reply.text)
            .map_err(wrong)?;
    }
    Ok(())
}

/// Whole games against random turns, with alternating sides, in one process.
fn several(conversation: &mut Conversation<'_>) -> Checked {
    let played = game::several(conversation)?;
    Ok(Remark::Fine(format!(
        "{played}, in one process; without time commands the slowest turn came after {} ms",
        conversation.observed.slowest.as_millis()
    )))
}

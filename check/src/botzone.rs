//! The points of a check in Botzone's protocol, JSON or simplified.

mod request;

use std::time::Duration;

use engine_core::Side;
use engine_process::driver::{self, Driver, History, Question, Setup};
use protocol::botzone::{KEEP_RUNNING, numbers_of_line};
use protocol::ugi::Go;
use task::clock::ClockSpec;

use super::conversation::Conversation;
use super::finding::{Checked, Fault, Remark};
use super::game::{self, Player, Reply};
use super::language::{Kind, Language};
use super::legality::legality;
use super::{Point, closing, league};

/// The points, in order.
const POINTS: &[Point] = &[
    Point::vital("first request", request::first_request),
    Point::new("legality", legality),
    Point::new("several games", several),
    Point::new("turn time", turn_time),
    Point::new("chatter", request::chatter),
    Point::new("league game", league::game),
    Point::new("unasked", closing::unasked),
    Point::new("output", closing::output),
    Point::new("end of input", request::end_of_input),
    Point::new("processes", closing::processes),
    Point::new("confinement", closing::confinement),
];

/// Botzone's time limit per turn. The first turn may take twice as long.
const TURN: Duration = Duration::from_secs(1);

/// Number of words of the history in a message.
const LAST_WORDS: usize = 4;

/// Botzone's protocol. A bot gets a request, answers, and exits unless it asks to keep running.
pub(super) struct Botzone {
    /// Whether lines of numbers are exchanged instead of JSON.
    pub(super) simplified: bool,
}

impl Language for Botzone {
    fn points(&self) -> &'static [Point] {
        POINTS
    }

    fn kind(&self, line: &str) -> Kind {
        let answers = if self.simplified {
            numbers_of_line(line).is_ok()
        } else {
            line.trim_start().starts_with("{\"response\"")
        };
        if answers || line.trim() == KEEP_RUNNING {
            Kind::Answer(line.to_owned())
        } else {
            Kind::Foreign
        }
    }

    fn ready(&self, conversation: &mut Conversation<'_>) -> Result<(), Fault> {
        if conversation.is_running() {
            Ok(())
        } else {
            conversation.start()
        }
    }

    fn begin(
        &self,
        conversation: &mut Conversation<'_>,
        side: Side,
    ) -> Result<Box<dyn Player>, Fault> {
        conversation.kill();
        let plan = conversation.plan;
        let setup = Setup {
            rules: plan.rules,
            variant: &plan.variant,
            side,
            opening: "",
            options: &plan.engine.options,
            init: &[],
        };
        let until = conversation.until(plan.patience);
        let started = driver::start(&plan.engine, format!("check {}", plan.engine.name));
        let driver = started.and_then(|mut driver| {
            driver.new_game(&setup, until)?;
            Ok(driver)
        });
        conversation.describe("the start of a game");
        let driver = driver.map_err(|failure| {
            conversation.failure(&failure, "a bot that starts", plan.patience)
        })?;
        Ok(Box::new(Driven(driver)))
    }

    fn quit(&self) -> Option<&'static str> {
        None
    }

    /// The bot is told Botzone's limit and may exceed it: the machine may be slower.
    fn clock(&self, conversation: &Conversation<'_>) -> ClockSpec {
        ClockSpec {
            per_move: Some(league::signed(TURN)),
            margin: league::signed(conversation.plan.patience),
            ..ClockSpec::default()
        }
    }
}

/// A bot in a game of a league.
struct Driven(Box<dyn Driver>);

impl Player for Driven {
    fn ask(
        &mut self,
        conversation: &mut Conversation<'_>,
        history: &History,
    ) -> Result<Reply, Fault> {
        let patience = conversation.plan.patience;
        conversation.describe(&after(history));
        let go = Go {
            movetime: Some(TURN.as_millis() as u64),
            ..Go::default()
        };
        let question = Question {
            history,
            go: &go,
            patience,
            stop: conversation.stop(),
            watch: None,
            delayed: None,
        };
        let answered = self.0.ask(&question);
        let expected = "a response, and then its exit or the request to keep running";
        let driver::Reply { text, used, .. } =
            answered.map_err(|failure| conversation.failure(&failure, expected, patience))?;
        let answer = text.clone();
        Ok(Reply { text, answer, used })
    }

    fn end(&mut self, conversation: &mut Conversation<'_>, history: &History) -> Result<(), Fault> {
        self.0.game_over(history);
        conversation.observed.deviations.add(&self.0.deviations());
        Ok(())
    }
}

/// Names the request for the turn after this history.
fn after(history: &History) -> String {
    let words: Vec<&str> = history.words().collect();
    let last = words[words.len().saturating_sub(LAST_WORDS)..].join(" ");
    match words.len() {
        0 => "the first request".to_owned(),
        count if count <= LAST_WORDS => format!("the request after {last}"),
        count => format!("the request after {count} turns, the last {last}"),
    }
}

/// Whole games against random turns, with alternating sides.
fn several(conversation: &mut Conversation<'_>) -> Checked {
    game::several(conversation).map(Remark::Fine)
}

/// No turn takes longer than on Botzone, whose machine may be faster or slower.
fn turn_time(conversation: &mut Conversation<'_>) -> Checked {
    let slowest = conversation.observed.slowest;
    let text = format!(
        "the slowest turn of these games came after {} ms; Botzone allows {} ms, and twice that \
         for the first turn",
        slowest.as_millis(),
        TURN.as_millis()
    );
    Ok(if slowest > TURN {
        Remark::Note(text)
    } else {
        Remark::Fine(text)
    })
}

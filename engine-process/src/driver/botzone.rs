//! The referee's side of Botzone's protocol.
//!
//! A bot gets one request, answers it and exits. For the next request a new process gets the whole
//! history, unless the bot has asked to keep running. Starting the process and its exit count as
//! thinking time. In games that exchange single actions, a turn takes several requests, and the bot
//! passes during the opponent's turn.

use std::time::{Duration, Instant};

use catalog::Match;
use engine_core::{ParseError, Side};
use protocol::announcement::BETWEEN_ACTIONS;
use protocol::botzone::{Exchange, Extra, Grammar, KEEP_RUNNING, is_none, numbers_of_line, words};
use serde_json::Value;
use task::{EngineSpec, Protocol};

use super::mirror::{Mirror, no_game, refused};
use super::{Driver, History, Question, Reply, Setup};
use crate::deviation::{Deviation, Deviations};
use crate::process::{Failure, Process, Until};

/// The most `data` that a bot may save between its turns in the simplified form, in bytes.
const LONGEST_DATA: usize = 1 << 20;

/// Where a turn takes several requests, each may take the time left divided by this number: the last
/// requests of a long turn decide little.
const REQUESTS: u64 = 8;

/// A bot of Botzone.
pub(super) struct Botzone {
    spec: EngineSpec,
    label: String,
    bot: Bot,
    game: Option<Game>,
    /// Deviations of processes that have exited.
    deviations: Deviations,
    /// Their CPU time; `None` if it is unknown.
    spent: Option<Duration>,
}

/// The bot's process.
enum Bot {
    /// Started; does not know the game yet.
    Fresh(Process),
    /// Asked to keep running, or has failed; knows the game.
    Running(Process),
    /// Exited.
    Exited,
}

/// A game that the bot plays.
struct Game {
    grammar: Grammar,
    mirror: Mirror,
    /// All actions so far.
    actions: Vec<(Side, Vec<i64>)>,
    /// How many requests the bot has answered.
    answered: usize,
    /// The data that the bot wants back with the next request.
    saved: Extra,
}

impl Game {
    /// All requests and responses, including the next request.
    fn exchange(&self) -> Exchange {
        Exchange::with(self.mirror.side, &self.actions, self.grammar.width())
    }
}

/// A bot's response.
enum Response {
    Numbers(Vec<i64>),
    /// A line that is not a response.
    Invalid(String),
}

impl Botzone {
    pub(super) fn new(process: Process, spec: &EngineSpec, label: String) -> Botzone {
        Botzone {
            spec: spec.clone(),
            label,
            bot: Bot::Fresh(process),
            game: None,
            deviations: Deviations::default(),
            spent: Some(Duration::ZERO),
        }
    }

    /// A process that does not know the game yet.
    fn fresh(&mut self) -> Result<Process, Failure> {
        let mut process = match std::mem::replace(&mut self.bot, Bot::Exited) {
            Bot::Fresh(process) => process,
            Bot::Running(_) | Bot::Exited => Process::start(&self.spec, self.label.clone())?,
        };
        process.check_unsolicited(unsolicited);
        Ok(process)
    }

    /// Sends the next request and reads the response. `begun` is when the turn began.
    fn request(&mut self, question: &Question, begun: Instant) -> Result<Response, Failure> {
        let until = question.until(begun);
        let game = self.game.as_mut().ok_or_else(no_game)?;
        let mut exchange = game.exchange();
        let index = game.answered;
        exchange.requests.truncate(index + 1);
        exchange.responses.truncate(index);
        game.answered += 1;
        let (grammar, mut extra) = (game.grammar.clone(), game.saved.clone());
        let passes = grammar.announcement.passes;
        extra.time_limit = (question.go.movetime).map(|ms| limit(ms, begun.elapsed(), passes));
        extra.memory_limit = Some(self.spec.confinement.memory_mb);
        let (mut process, text) = match std::mem::replace(&mut self.bot, Bot::Exited) {
            Bot::Running(process) => {
                let request = &exchange.requests[index];
                (process, grammar.write_request(request, index == 0))
            }
            other => {
                self.bot = other;
                (self.fresh()?, grammar.write_input(&exchange, &extra))
            }
        };
        let answered =
            (process.send(&text, until)).and_then(|_| answer(&mut process, &grammar, until));
        let (response, saved) = match answered {
            Ok((response @ Response::Numbers(_), saved)) => (response, saved),
            // The process stays, for what it has written.
            other => {
                self.bot = Bot::Running(process);
                return other.map(|(response, _)| response);
            }
        };
        self.finish_response(process, saved, until)?;
        Ok(response)
    }

    /// Reads the data that the bot saves, and keeps the process if it asks to keep running, or if it
    /// fails.
    fn finish_response(
        &mut self,
        mut process: Process,
        mut saved: Extra,
        until: Until,
    ) -> Result<(), Failure> {
        let game = self.game.as_mut().ok_or_else(no_game)?;
        let (keeps_running, trailing) = match read_trailing(&mut process, until) {
            Ok(read) => read,
            Err(failure) => {
                self.bot = Bot::Running(process);
                return Err(failure);
            }
        };
        if game.grammar.simplified {
            saved.data = (!trailing.is_empty()).then(|| Value::String(trailing.trim_end().into()));
        } else if !trailing.trim().is_empty() {
            process.note(Deviation::Chatter);
        }
        game.saved.data = saved.data;
        game.saved.globaldata = saved.globaldata.or(game.saved.globaldata.take());
        if keeps_running {
            self.bot = Bot::Running(process);
        } else {
            self.deviations.add(&process.deviations());
            self.spent = (self.spent.zip(process.total_time())).map(|(spent, more)| spent + more);
        }
        Ok(())
    }

    /// Sends requests until the turn is complete. Returns the text of the turn.
    fn turn(&mut self, question: &Question, begun: Instant) -> Result<String, Failure> {
        let mut text = String::new();
        loop {
            let numbers = match self.request(question, begun)? {
                Response::Numbers(numbers) => numbers,
                Response::Invalid(line) => return Ok(line),
            };
            let game = self.game.as_mut().ok_or_else(no_game)?;
            if game.exchange().requests[game.answered - 1].pass {
                if is_none(&numbers) {
                    continue;
                }
                return Ok(format!("{} instead of a pass", words(&numbers)));
            }
            let action = words(&numbers);
            if !game.grammar.announcement.passes {
                return Ok(action);
            }
            if !text.is_empty() {
                text.push(BETWEEN_ACTIONS);
            }
            text.push_str(&action);
            // An illegal action ends the turn here; the referee then finds the fault itself.
            let complete = game.mirror.play_part(&action).unwrap_or(true);
            game.actions.push((game.mirror.side, numbers));
            if complete {
                return Ok(text);
            }
        }
    }
}

/// The deviation, if any, of a line that was not asked for.
fn unsolicited(line: &str) -> Option<Deviation> {
    match line.trim() {
        "" => None,
        KEEP_RUNNING => Some(Deviation::Unasked),
        _ => Some(Deviation::Chatter),
    }
}

/// The time limit of one request, in seconds: the whole turn, or a fraction of the time left if a
/// turn takes several requests, whose number is not known in advance.
fn limit(turn_ms: u64, elapsed: Duration, several: bool) -> f64 {
    let left = if several {
        turn_ms.saturating_sub(elapsed.as_millis() as u64) / REQUESTS
    } else {
        turn_ms
    };
    left as f64 / 1000.0
}

/// The bot's response, on its first line that is not empty.
fn answer(
    process: &mut Process,
    grammar: &Grammar,
    until: Until,
) -> Result<(Response, Extra), Failure> {
    loop {
        let line = next_line(process, until)?;
        if line.trim().is_empty() {
            continue;
        }
        return Ok(match grammar.read_response(&line) {
            Ok((numbers, saved)) => (Response::Numbers(numbers), saved),
            Err(_) => (Response::Invalid(line.trim().into()), Extra::default()),
        });
    }
}

/// Reads what follows the response, until the bot asks to keep running or exits. Returns whether it
/// keeps running, and the text.
fn read_trailing(process: &mut Process, until: Until) -> Result<(bool, String), Failure> {
    let mut lines = String::new();
    loop {
        let (status, words) = match next_line(process, until) {
            Ok(line) if line.trim() == KEEP_RUNNING => return Ok((true, lines)),
            Ok(line) => {
                if lines.len() + line.len() < LONGEST_DATA {
                    lines.push_str(&line);
                    lines.push('\n');
                }
                continue;
            }
            // It has closed its output, so it must exit now.
            Err(Failure::Closed("output")) => (process.ends(until)?, String::new()),
            Err(Failure::Exit { status, words }) => (status, words),
            Err(failure) => return Err(failure),
        };
        return if status.success() {
            Ok((false, lines))
        } else {
            Err(Failure::Exit { status, words })
        };
    }
}

/// The next line; the last line of a bot needs no line end.
fn next_line(process: &mut Process, until: Until) -> Result<String, Failure> {
    let failure = match process.receive(until) {
        Ok(line) => return Ok(line.text),
        Err(failure) => failure,
    };
    let last = match failure {
        Failure::Exit { .. } | Failure::Closed("output") => process.unfinished(),
        _ => None,
    };
    last.map(|line| line.text).ok_or(failure)
}

impl Driver for Botzone {
    fn name(&mut self, label: String) {
        if let Bot::Fresh(process) | Bot::Running(process) = &mut self.bot {
            process.name(label.clone());
        }
        self.label = label;
    }

    fn introduce(&mut self, _: Until) -> Result<(), Failure> {
        Ok(())
    }

    fn version(&self) -> &str {
        ""
    }

    fn new_game(&mut self, setup: &Setup, _: Until) -> Result<(), Failure> {
        let protocol = self.spec.protocol;
        let announced = setup.rules.announce(protocol, setup.variant);
        let globaldata = self.game.take().and_then(|game| game.saved.globaldata);
        self.bot = Bot::Fresh(self.fresh()?);
        self.game = Some(Game {
            grammar: Grammar {
                announcement: announced.map_err(|message| refused(&message))?,
                simplified: protocol == Protocol::BotzoneSimple,
            },
            mirror: Mirror::of(protocol, setup)?,
            actions: Vec::new(),
            answered: 0,
            saved: Extra {
                globaldata,
                ..Extra::default()
            },
        });
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, Failure> {
        let start = Instant::now();
        let game = self.game.as_mut().ok_or_else(no_game)?;
        for (side, turn) in game.mirror.update(question.history).turns() {
            for action in turn.split(BETWEEN_ACTIONS) {
                let numbers = numbers_of_line(action);
                let numbers = numbers.expect("the game's words are numbers");
                game.actions.push((side, numbers));
            }
        }
        // The opening needs no responses of the bot.
        let played = |&&(side, _): &&(Side, Vec<i64>)| side == game.mirror.side;
        if game.answered == 0 && game.actions.iter().any(|action| played(&action)) {
            game.answered = game.exchange().responses.len();
        }
        let text = self.turn(question, start)?;
        Ok(Reply {
            text,
            used: start.elapsed(),
            info: None,
        })
    }

    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<String, ParseError> {
        game.play_turn_in(self.spec.protocol, text)
    }

    fn deviations(&mut self) -> Deviations {
        if let Bot::Fresh(process) | Bot::Running(process) = &mut self.bot {
            self.deviations.add(&process.deviations());
        }
        std::mem::take(&mut self.deviations)
    }

    fn game_over(&mut self, _: &History) {
        // A bot that keeps running would wait forever.
        self.bot = Bot::Exited;
    }

    fn process(&self) -> Option<&Process> {
        match &self.bot {
            Bot::Fresh(process) | Bot::Running(process) => Some(process),
            Bot::Exited => None,
        }
    }

    /// Also that of processes that have exited: a bot may be one for every turn.
    fn processor_time(&self) -> Option<Duration> {
        let running = match self.process() {
            Some(process) => process.total_time()?,
            None => Duration::ZERO,
        };
        Some(self.spent? + running)
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        match &mut self.bot {
            Bot::Fresh(process) | Bot::Running(process) => Some(process),
            Bot::Exited => None,
        }
    }

    fn quit(&mut self) {
        self.bot = Bot::Exited;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_one_turn_share_its_time() {
        let elapsed = Duration::from_millis(200);
        assert_eq!(limit(1000, elapsed, false), 1.0);
        assert_eq!(limit(1000, Duration::ZERO, true), 0.125);
        assert_eq!(limit(1000, elapsed, true), 0.1);
        assert_eq!(limit(100, elapsed, true), 0.0);
    }
}

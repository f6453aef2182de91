//! The referee's side of Botzone's interaction.
//!
//! A bot gets one request and answers it. Then it ends, and another process gets the whole history
//! next time, unless it asks to stay. Starting it and its end are a part of its turn. Where actions
//! are exchanged one by one, a turn is several requests, and the bot passes in the opponent's.

use std::time::{Duration, Instant};

use catalog::Match;
use engine_core::{ParseError, Side};
use entry::botzone::{Exchange, Extra, Grammar, KEEP_RUNNING, is_none, numbers_of_line, words};
use entry::dialect::BETWEEN_ACTIONS;
use serde_json::Value;

use super::mirror::{Mirror, no_game, refused};
use super::{Driver, History, Question, Reply, Setup};
use crate::deviation::{Deviation, Deviations};
use crate::process::{Failure, Process, Until};
use crate::task::{EngineSpec, Protocol};

/// The most that a bot may keep for itself in the simplified form, in bytes.
const LONGEST_DATA: usize = 1 << 20;

/// How many requests still get time where a turn is several of them. The last ones of a long turn have
/// little to decide.
const REQUESTS: u64 = 8;

/// A bot of Botzone.
pub(super) struct Botzone {
    spec: EngineSpec,
    label: String,
    bot: Bot,
    game: Option<Game>,
    /// Those of processes that have ended.
    deviations: Deviations,
}

/// The bot's process.
enum Bot {
    /// It has been started, and knows nothing.
    Fresh(Process),
    /// It has asked to stay, and knows the game.
    Staying(Process),
    /// It has ended.
    Gone,
}

/// A game that the bot plays.
struct Game {
    grammar: Grammar,
    mirror: Mirror,
    /// All actions so far.
    actions: Vec<(Side, Vec<i64>)>,
    /// How many requests the bot has answered.
    answered: usize,
    /// What it wants to be told next time.
    kept: Extra,
}

impl Game {
    /// What the bot has been told, and what it is to be told next.
    fn exchange(&self) -> Exchange {
        Exchange::with(self.mirror.side, &self.actions, self.grammar.width())
    }
}

/// What a bot says to a request.
enum Said {
    Numbers(Vec<i64>),
    /// Nothing that can be played.
    Nonsense(String),
}

impl Botzone {
    pub(super) fn new(process: Process, spec: &EngineSpec, label: String) -> Botzone {
        Botzone {
            spec: spec.clone(),
            label,
            bot: Bot::Fresh(process),
            game: None,
            deviations: Deviations::default(),
        }
    }

    /// A process that knows nothing.
    fn fresh(&mut self) -> Result<Process, Failure> {
        let mut process = match std::mem::replace(&mut self.bot, Bot::Gone) {
            Bot::Fresh(process) => process,
            Bot::Staying(_) | Bot::Gone => Process::start(&self.spec, self.label.clone())?,
        };
        process.judge_strays(stray);
        Ok(process)
    }

    /// Has the bot answer its next request, in a turn that began then.
    fn request(&mut self, question: &Question, begun: Instant) -> Result<Said, Failure> {
        let until = question.until(begun);
        let game = self.game.as_mut().ok_or_else(no_game)?;
        let mut exchange = game.exchange();
        let index = game.answered;
        exchange.requests.truncate(index + 1);
        exchange.responses.truncate(index);
        game.answered += 1;
        let (grammar, mut extra) = (game.grammar.clone(), game.kept.clone());
        let passes = grammar.announcement.passes;
        extra.time_limit = (question.go.movetime).map(|ms| limit(ms, begun.elapsed(), passes));
        extra.memory_limit = Some(self.spec.confinement.memory_mb);
        let (mut process, text) = match std::mem::replace(&mut self.bot, Bot::Gone) {
            Bot::Staying(process) => {
                let request = &exchange.requests[index];
                (process, grammar.write_request(request, index == 0))
            }
            other => {
                self.bot = other;
                (self.fresh()?, grammar.write_input(&exchange, &extra))
            }
        };
        process.send(&text, until)?;
        let (said, kept) = answer(&mut process, &grammar, until)?;
        if let Said::Numbers(_) = said {
            self.conclude(process, kept, until)?;
        }
        Ok(said)
    }

    /// Takes what the bot keeps for itself, and the process, if it stays.
    fn conclude(
        &mut self,
        mut process: Process,
        mut kept: Extra,
        until: Until,
    ) -> Result<(), Failure> {
        let game = self.game.as_mut().ok_or_else(no_game)?;
        let (stays, rest) = rest(&mut process, until)?;
        if game.grammar.simplified {
            kept.data = (!rest.is_empty()).then(|| Value::String(rest.trim_end().into()));
        } else if !rest.trim().is_empty() {
            process.note(Deviation::Chatter);
        }
        game.kept.data = kept.data;
        game.kept.globaldata = kept.globaldata.or(game.kept.globaldata.take());
        if stays {
            self.bot = Bot::Staying(process);
        } else {
            self.deviations.add(&process.deviations());
        }
        Ok(())
    }

    /// Asks until the turn is complete. Returns its text.
    fn turn(&mut self, question: &Question, begun: Instant) -> Result<String, Failure> {
        let mut text = String::new();
        loop {
            let numbers = match self.request(question, begun)? {
                Said::Numbers(numbers) => numbers,
                Said::Nonsense(line) => return Ok(line),
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
            // What is illegal the referee finds out by itself.
            let complete = game.mirror.play_part(&action).unwrap_or(true);
            game.actions.push((game.mirror.side, numbers));
            if complete {
                return Ok(text);
            }
        }
    }
}

/// What is odd about a line that nobody waits for.
fn stray(line: &str) -> Option<Deviation> {
    match line.trim() {
        "" => None,
        KEEP_RUNNING => Some(Deviation::Unasked),
        _ => Some(Deviation::Chatter),
    }
}

/// Seconds that a request may take in a turn of so many ms, of which so much is over. Where a turn is
/// several requests, nobody knows how many.
fn limit(turn_ms: u64, over: Duration, several: bool) -> f64 {
    let left = match several {
        false => turn_ms,
        true => turn_ms.saturating_sub(over.as_millis() as u64) / REQUESTS,
    };
    left as f64 / 1000.0
}

/// The bot's first line that is not empty.
fn answer(
    process: &mut Process,
    grammar: &Grammar,
    until: Until,
) -> Result<(Said, Extra), Failure> {
    loop {
        let line = next_line(process, until)?;
        if line.trim().is_empty() {
            continue;
        }
        return Ok(match grammar.read_response(&line) {
            Ok((numbers, kept)) => (Said::Numbers(numbers), kept),
            Err(_) => (Said::Nonsense(line.trim().into()), Extra::default()),
        });
    }
}

/// What a bot writes after its answer, until it asks to stay or ends, and whether it stays.
fn rest(process: &mut Process, until: Until) -> Result<(bool, String), Failure> {
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
            // It has nothing more to say, and has to end.
            Err(Failure::Closed("output")) => (process.ends(until)?, String::new()),
            Err(Failure::Exit { status, words }) => (status, words),
            Err(failure) => return Err(failure),
        };
        return match status.success() {
            true => Ok((false, lines)),
            false => Err(Failure::Exit { status, words }),
        };
    }
}

/// The next line of a bot, of which the last one needs no end.
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
        if let Bot::Fresh(process) | Bot::Staying(process) = &mut self.bot {
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
        let globaldata = self.game.take().and_then(|game| game.kept.globaldata);
        self.bot = Bot::Fresh(self.fresh()?);
        self.game = Some(Game {
            grammar: Grammar {
                announcement: announced.map_err(|message| refused(&message))?,
                simplified: protocol == Protocol::BotzoneSimple,
            },
            mirror: Mirror::of(protocol, setup)?,
            actions: Vec::new(),
            answered: 0,
            kept: Extra {
                globaldata,
                ..Extra::default()
            },
        });
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, Failure> {
        let start = Instant::now();
        let game = self.game.as_mut().ok_or_else(no_game)?;
        for (side, turn) in game.mirror.news(question.history).turns() {
            for action in turn.split(BETWEEN_ACTIONS) {
                let numbers = numbers_of_line(action);
                let numbers = numbers.expect("the game's words are numbers");
                game.actions.push((side, numbers));
            }
        }
        // What was played before the engines took over needs no answer.
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
        if let Bot::Fresh(process) | Bot::Staying(process) = &mut self.bot {
            self.deviations.add(&process.deviations());
        }
        std::mem::take(&mut self.deviations)
    }

    fn game_over(&mut self, _: &History) {
        // A bot that stays would wait for ever.
        self.bot = Bot::Gone;
    }

    fn pause(&self, pause: bool) {
        if let Bot::Fresh(process) | Bot::Staying(process) = &self.bot {
            process.pause(pause);
        }
    }

    fn quit(&mut self) {
        self.bot = Bot::Gone;
    }

    fn end(self: Box<Self>, _: Instant) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_several_requests_is_shared_among_them() {
        let over = Duration::from_millis(200);
        assert_eq!(limit(1000, over, false), 1.0);
        assert_eq!(limit(1000, Duration::ZERO, true), 0.125);
        assert_eq!(limit(1000, over, true), 0.1);
        assert_eq!(limit(100, over, true), 0.0);
    }
}

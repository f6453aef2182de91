//! The referee's side of SAU, the contest platform's protocol.
//!
//! SAU has no clock, variants, openings, options or search reports; the referee's clock runs all
//! the same. An engine may have commands of its own instead of options. `error` is only sent if the
//! league file allows retries.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use catalog::{AnyMatch, Match, Rules};
use engine_core::{ParseError, Side};
use game::turn::Told;
use protocol::sau::{Answer, Command};
use task::Protocol;

use super::mirror::{Mirror, Update, no_game, refused, start};
use super::{
    Driver, History, LONGEST_NAME, NAME_TIMEOUT, Question, Reply, Setup, initialize,
    send_best_effort,
};
use crate::deviation::Deviation;
use crate::process::{Failure, Process, Until};

/// How engines, known by their commands, answer the question for their name. An engine that has to
/// be waited for is waited for once, not in every game.
static MANNERS: Mutex<Option<HashMap<Vec<String>, Manner>>> = Mutex::new(None);

/// How an engine answers the question for its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// It understands the question only without its question mark, as `name`.
    AskedAgain,
    /// It does not.
    Silent,
}

fn manners() -> MutexGuard<'static, Option<HashMap<Vec<String>, Manner>>> {
    MANNERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An engine that speaks SAU.
pub(super) struct Sau {
    process: Process,
    command: Vec<String>,
    name: String,
    game: Option<Briefing>,
    /// When the clock of the last question started.
    asked: Instant,
}

/// Translates a game for an engine and tracks what the engine knows of it.
pub struct Briefing {
    /// The command that begins a game.
    new: Command,
    mirror: Mirror,
}

impl Briefing {
    /// For an engine that plays `side` from this first position.
    pub fn new(rules: &dyn Rules, side: Side, start: Box<dyn AnyMatch>) -> Briefing {
        let colour = rules.sau_colours()[side.index()];
        Briefing {
            new: Command::New(colour.into()),
            mirror: Mirror::new(Protocol::Sau, side, start),
        }
    }

    /// The line that begins a game for `Second`, which then waits. `First` gets it with
    /// [`Briefing::update`], because its first turn is the answer.
    pub fn beginning(&self) -> Option<String> {
        (self.mirror.side == Side::Second).then(|| format!("{}\n", self.new))
    }

    /// The lines with everything the engine does not know yet.
    pub fn update(&mut self, history: &History) -> String {
        let (side, update) = (self.mirror.side, self.mirror.update(history));
        let begins = (update.first && side == Side::First).then(|| format!("{}\n", self.new));
        begins.unwrap_or_default() + &lines(update, side)
    }

    /// Plays a legal turn of the engine, in UGI notation, and returns it in SAU notation.
    pub fn played(&mut self, turn: &str) -> String {
        self.mirror.play(turn)
    }
}

impl Sau {
    /// `command` is the engine's, as in the league file.
    pub(super) fn new(mut process: Process, command: &[String]) -> Sau {
        process.check_unsolicited(unsolicited);
        process.check_turns(is_turn);
        Sau {
            process,
            command: command.to_owned(),
            name: String::new(),
            game: None,
            asked: Instant::now(),
        }
    }

    /// The name, if the engine sent it before it was asked.
    fn early_name(&mut self) -> Option<String> {
        let mut early = None;
        for line in self.process.waiting() {
            self.process.note(unsolicited(&line.text));
            early = Answer::parse(&line.text).and_then(name).or(early);
        }
        early
    }

    /// How this engine answers the question for its name, if not as it should.
    fn manner(&self) -> Option<Manner> {
        let known = manners();
        known.as_ref()?.get(&self.command).copied()
    }

    /// Sends the engine's own commands. Its name is asked for again, to know that it has read them;
    /// an engine without a name is not waited for.
    fn initialize(&mut self, commands: &[String], until: Until) -> Result<(), Failure> {
        let question = match self.manner() {
            None => Some("name?"),
            Some(Manner::AskedAgain) => Some("name"),
            Some(Manner::Silent) => None,
        };
        let is_name = |line: &str| Answer::parse(line).and_then(name).is_some();
        initialize(&mut self.process, commands, question, is_name, until)
    }

    /// The name, asked for as this engine is known to answer. It can play without one.
    fn find_name(&mut self, until: Until) -> Result<Option<String>, Failure> {
        match self.manner() {
            Some(Manner::Silent) => {
                self.process.note(Deviation::NoName);
                Ok(None)
            }
            Some(Manner::AskedAgain) => {
                self.process.note(Deviation::AskedAgain);
                self.ask_name("name", until)
            }
            None => self.learn_name(until),
        }
    }

    /// The name of an engine that was not asked before. How it answers is remembered.
    fn learn_name(&mut self, until: Until) -> Result<Option<String>, Failure> {
        let early = self.early_name();
        let name = self.ask_name(&Command::Name.to_string(), until)?.or(early);
        if name.is_some() {
            return Ok(name);
        }
        let name = self.ask_name("name", until)?;
        let (manner, deviation) = match name {
            Some(_) => (Manner::AskedAgain, Deviation::AskedAgain),
            None => (Manner::Silent, Deviation::NoName),
        };
        self.process.note(deviation);
        manners()
            .get_or_insert_default()
            .insert(self.command.clone(), manner);
        Ok(name)
    }

    /// Asks for the name in one spelling; `None` if no answer comes in time.
    fn ask_name(&mut self, question: &str, until: Until) -> Result<Option<String>, Failure> {
        self.process.send(&format!("{question}\n"), until)?;
        match self.receive(until.within(NAME_TIMEOUT), name) {
            Ok((name, _)) => Ok(Some(name)),
            Err(Failure::Late) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The turn, with the time since it was first asked for.
    fn answer(&mut self, question: &Question) -> Result<Reply, Failure> {
        let (text, at) = self.receive(question.until(self.asked), turn)?;
        Ok(Reply {
            text,
            used: at.saturating_duration_since(self.asked),
            info: None,
        })
    }

    /// Waits for the next line that `pick` accepts; other lines count as unsolicited.
    fn receive<T>(
        &mut self,
        until: Until,
        pick: impl Fn(Answer) -> Option<T>,
    ) -> Result<(T, Instant), Failure> {
        loop {
            let line = self.process.receive(until)?;
            if let Some(picked) = Answer::parse(&line.text).and_then(&pick) {
                self.process.note(Deviation::of_keyword(&line.text));
                return Ok((picked, line.at));
            }
            self.process.note(unsolicited(&line.text));
        }
    }
}

/// Whether a line that begins so is a turn.
fn is_turn(line: &str) -> bool {
    let word = line.split_whitespace().next();
    word.is_some_and(|word| word.eq_ignore_ascii_case("move"))
}

/// The deviation, if any, of a line that was not asked for.
fn unsolicited(line: &str) -> Option<Deviation> {
    match Answer::parse(line) {
        Some(Answer::Name(_)) => Some(Deviation::UnaskedName),
        Some(Answer::Move(_)) => Some(Deviation::UnaskedTurn),
        None if line.trim().is_empty() => None,
        None => Some(Deviation::Chatter),
    }
}

/// The name in an answer.
fn name(answer: Answer) -> Option<String> {
    match answer {
        Answer::Name(name) => Some(name),
        Answer::Move(_) => None,
    }
}

/// The turn in an answer.
fn turn(answer: Answer) -> Option<String> {
    match answer {
        Answer::Move(text) => Some(text),
        Answer::Name(_) => None,
    }
}

/// The opponent's turns and all rolls, as lines. Every roll is sent to both sides; it belongs to
/// the side to move.
fn lines(update: Update, side: Side) -> String {
    let commands = update.events.into_iter().filter_map(|event| match event {
        Told::Turn(by, ..) if by == side => None,
        Told::Turn(_, _, text) => Some(Command::Move(text)),
        Told::Roll(face) => Some(Command::Dice(face)),
    });
    commands.map(|command| format!("{command}\n")).collect()
}

impl Driver for Sau {
    fn name(&mut self, label: String) {
        self.process.name(label);
    }

    fn introduce(&mut self, until: Until) -> Result<(), Failure> {
        let name = self.find_name(until)?.unwrap_or_default();
        self.name = name.chars().take(LONGEST_NAME).collect();
        Ok(())
    }

    fn version(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure> {
        if !setup.opening.is_empty() {
            return Err(refused("SAU has no words for an engine's own turns"));
        }
        if !setup.init.is_empty() {
            self.initialize(setup.init, until)?;
        }
        let briefing = Briefing::new(setup.rules, setup.side, start(setup)?);
        if let Some(line) = briefing.beginning() {
            self.process.send(&line, until)?;
        }
        self.game = Some(briefing);
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, Failure> {
        let game = self.game.as_mut().ok_or_else(no_game)?;
        let lines = game.update(question.history);
        self.asked = self.process.send(&lines, question.until(Instant::now()))?;
        self.answer(question)
    }

    fn ask_again(&mut self, question: &Question) -> Option<Result<Reply, Failure>> {
        self.process.note(Deviation::Illegal);
        let line = format!("{}\n", Command::Error);
        let sent = self.process.send(&line, question.until(self.asked));
        Some(sent.and_then(|_| self.answer(question)))
    }

    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<String, ParseError> {
        let turn = game.play_turn_in(Protocol::Sau, text)?;
        let own = self.game.as_mut().map(|game| game.played(&turn));
        (self.process).note(own.and_then(|own| Deviation::of_turn(text, &own)));
        Ok(turn)
    }

    fn game_over(&mut self, history: &History) {
        let lines = self.game.as_mut().map(|game| game.update(history));
        let lines = lines.unwrap_or_default();
        send_best_effort(&mut self.process, &format!("{lines}{}\n", Command::End));
    }

    fn process(&self) -> Option<&Process> {
        Some(&self.process)
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        Some(&mut self.process)
    }

    fn quit(&mut self) {
        send_best_effort(&mut self.process, &format!("{}\n", Command::Quit));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The platform has no Hex and no EinStein; there the words are this project's own.
    #[test]
    fn engines_get_the_platform_s_words() {
        for rules in catalog::GAMES {
            let colour = match rules.id() {
                "hex" | "einstein" => "red",
                _ => "black",
            };
            let start = rules.start(&json!({})).unwrap();
            let mut engine = Briefing::new(*rules, Side::First, start);
            let line = engine.update(&History::new(""));
            assert_eq!(line, format!("new {colour}\n"), "{}", rules.id());
        }
    }

    #[test]
    fn an_engine_gets_the_opponent_s_turns_and_all_rolls() {
        let rules = catalog::find("einstein").unwrap();
        let start = || rules.start(&json!({})).unwrap();
        let [first, second] = rules.sau_colours();
        let hear = |briefing: &mut Briefing, words: &str| briefing.update(&History::new(words));
        let mut engine = Briefing::new(rules, Side::Second, start());
        assert_eq!(engine.beginning(), Some(format!("new {second}\n")));
        let opening = "R:123456 B:654321";
        assert_eq!(hear(&mut engine, "R:123456"), "move 123456\n");
        assert_eq!(engine.played("B:654321"), "654321");
        assert_eq!(hear(&mut engine, &format!("{opening} d4")), "dice 4\n");

        let mut engine = Briefing::new(rules, Side::First, start());
        assert_eq!(engine.beginning(), None);
        assert_eq!(hear(&mut engine, ""), format!("new {first}\n"));
        assert_eq!(engine.played("R:123456"), "123456");
        let update = hear(&mut engine, &format!("{opening} d4"));
        assert_eq!(update, "move 654321\ndice 4\n");
    }
}

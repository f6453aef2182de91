//! The referee's side of GTP.
//!
//! All commands before an engine's turn are written together with the final `genmove`; its clock
//! starts just before. Only before its first turn, the commands that tell its time are sent alone,
//! so that others can replace refused ones. A colour of GTP is that of the stones: after a swap in
//! which the players exchange colours, `First` plays white.

pub mod clock;
pub mod letters;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use catalog::Match;
use engine_core::{ParseError, Side};
use game::turn::Told;
use protocol::gtp::{Command, Read, Reader, Response, colour};
use serde_json::Value;
use task::{Letters, Protocol};

use self::clock::ClockCommands;
use super::mirror::{Mirror, Update, no_game, refused};
use super::{Driver, LONGEST_NAME, Question, Reply, Setup, option_text, send_best_effort};
use crate::deviation::Deviation;
use crate::process::{Failure, Process, Until};

/// An engine that speaks GTP.
pub(super) struct Gtp {
    process: Process,
    name: String,
    /// The commands that the engine lists.
    known: BTreeSet<String>,
    /// How it is told its time in the current game.
    clock: ClockCommands,
    letters: Letters,
    game: Option<Mirror>,
}

impl Gtp {
    /// `letters` are the engine's, as the league file has them.
    pub(super) fn new(mut process: Process, letters: Letters) -> Gtp {
        process.check_unsolicited(unsolicited);
        process.check_turns(is_answer);
        Gtp {
            process,
            name: String::new(),
            known: BTreeSet::new(),
            clock: ClockCommands::default(),
            letters,
            game: None,
        }
    }

    /// Writes the commands together. Returns when the engine's clock starts.
    fn send(&mut self, commands: &[Command], until: Until) -> Result<Instant, Failure> {
        let text: String = commands.iter().map(|line| format!("{line}\n")).collect();
        self.process.send(&text, until)
    }

    /// The next `count` responses, in order, and when the last one was complete.
    fn receive(&mut self, count: usize, until: Until) -> Result<(Vec<Response>, Instant), Failure> {
        let mut reader = Reader::default();
        let mut responses = Vec::new();
        loop {
            let line = self.process.receive(until)?;
            match reader.line(&line.text) {
                Read::Response(response) => responses.push(response),
                Read::Chatter => self.process.note(Deviation::Chatter),
                Read::Part => {}
            }
            if responses.len() == count {
                return Ok((responses, line.at));
            }
        }
    }

    /// Writes commands and waits for their responses.
    fn exchange(&mut self, commands: &[Command], until: Until) -> Result<Vec<Response>, Failure> {
        self.send(commands, until)?;
        let (responses, _) = self.receive(commands.len(), until)?;
        Ok(responses)
    }

    /// Sets the options. A boolean is sent as `1` or `0`, as HTP has it, and if that is refused, as
    /// `true` or `false`.
    fn set_options(
        &mut self,
        options: &BTreeMap<String, Value>,
        until: Until,
    ) -> Result<(), Failure> {
        let command = |name: &str, text: String| Command::parse(&format!("{name} {text}"));
        let (options, commands): (Vec<_>, Vec<_>) = options
            .iter()
            .filter_map(|(name, value)| Some(((name, value), command(name, digit_text(value))?)))
            .unzip();
        if commands.is_empty() {
            return Ok(());
        }
        let responses = self.exchange(&commands, until)?;
        for (((name, value), sent), response) in options.iter().zip(&commands).zip(responses) {
            let word = command(name, option_text(value)).filter(|_| value.is_boolean());
            let accepted = response.success
                || match word {
                    Some(word) => self.exchange(&[word], until)?[0].success,
                    None => false,
                };
            if !accepted {
                return Err(refused_option(name, sent, &response.text));
            }
        }
        Ok(())
    }

    /// Learns how the engine is told its time, after its options are set.
    fn learn_clock(
        &mut self,
        options: &BTreeMap<String, Value>,
        until: Until,
    ) -> Result<(), Failure> {
        self.clock = ClockCommands::of(&self.known);
        let parameters = self.known.iter().filter(|name| name.starts_with("param_"));
        let commands: Vec<Command> = parameters.map(|name| Command::new(name, &[])).collect();
        if !commands.is_empty() {
            let responses = self.exchange(&commands, until)?;
            for (command, response) in commands.iter().zip(&responses) {
                if response.success {
                    self.clock.add_parameters(&command.name, &response.text);
                }
            }
        }
        options.keys().for_each(|name| self.clock.skip_option(name));
        Ok(())
    }

    /// Counts the refused clock commands, and leaves them out from now on. Returns whether there
    /// were any.
    fn note_refused(&mut self, commands: &[Command], responses: &[Response]) -> bool {
        let mut any = false;
        for (command, _) in commands.iter().zip(responses).filter(|(_, it)| !it.success) {
            if self.clock.refuse(command) {
                self.process.note(Deviation::RefusedClock);
                any = true;
            }
        }
        any
    }

    /// Tells the engine its time before its first turn, by the commands that it accepts. Returns
    /// when its clock started, if there was anything to tell.
    fn tell_first_time(
        &mut self,
        question: &Question,
        (side, played): (Side, Side),
    ) -> Result<Option<Instant>, Failure> {
        let mut start = None;
        loop {
            let first = start.is_none();
            let commands = self.clock.before_turn(question.go, side, first, played);
            if commands.is_empty() {
                return Ok(start);
            }
            let sent = self.send(&commands, question.until(Instant::now()))?;
            let start = *start.get_or_insert(sent);
            let (responses, _) = self.receive(commands.len(), question.until(start))?;
            if !self.note_refused(&commands, &responses) {
                return Ok(Some(start));
            }
        }
    }
}

/// The commands that play what an engine of `side` does not know yet. It has already played its own
/// turns, as its answers to `genmove`.
pub fn turn_commands(update: &Update, side: Side, letters: Letters) -> Vec<Command> {
    let turns = update.events.iter().filter_map(|event| match event {
        Told::Turn(by, colour, text) if update.first || *by != side => Some((*colour, text)),
        _ => None,
    });
    turns
        .map(|(index, turn)| {
            let turn = letters::written(turn, letters);
            Command::new("play", &[colour(Side::BOTH[index]), &turn])
        })
        .collect()
}

/// The commands that empty a board of this size.
pub fn board_commands(board: &str) -> [Command; 2] {
    let size: Vec<&str> = board.split(' ').collect();
    [
        Command::new("boardsize", &size),
        Command::new("clear_board", &[]),
    ]
}

/// An option's value as HTP has it: a boolean is a digit.
fn digit_text(value: &Value) -> String {
    match value {
        Value::Bool(value) => u8::from(*value).to_string(),
        _ => option_text(value),
    }
}

/// The failure of an engine that refuses an option, and how to write it otherwise.
fn refused_option(name: &str, command: &Command, message: &str) -> Failure {
    refused(&format!(
        "{command} is refused: {message}; expected an option that the engine knows, written as it \
         reads it: {name:?} = \"…\""
    ))
}

impl Driver for Gtp {
    fn name(&mut self, label: String) {
        self.process.name(label);
    }

    fn introduce(&mut self, until: Until) -> Result<(), Failure> {
        let commands = ["name", "version", "list_commands"].map(|name| Command::new(name, &[]));
        let responses = self.exchange(&commands, until)?;
        let text = |index: usize| match &responses[index] {
            response if response.success => response.text.as_str(),
            _ => "",
        };
        let name = format!("{} {}", text(0), text(1)).replace('\n', " ");
        self.name = name.trim().chars().take(LONGEST_NAME).collect();
        self.known = text(2).split_whitespace().map(String::from).collect();
        Ok(())
    }

    fn version(&self) -> &str {
        &self.name
    }

    fn find_letters(&mut self, setup: &Setup, until: Until) -> Result<Option<Letters>, Failure> {
        let Some(questions) = letters::questions(setup.rules, setup.variant) else {
            return Ok(None);
        };
        let mut accepts = [false; 2];
        for (question, accepts) in questions.iter().zip(&mut accepts) {
            *accepts = self.exchange(question, until)?[1].success;
        }
        Ok(letters::told(accepts))
    }

    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure> {
        let announced = setup.rules.announce(Protocol::Gtp, setup.variant);
        let board = announced.map_err(|message| refused(&message))?.board;
        self.set_options(setup.options, until)?;
        self.learn_clock(setup.options, until)?;
        let commands = board_commands(&board);
        let responses = self.exchange(&commands, until)?;
        let asked = commands.iter().zip(&responses);
        if let Some((command, response)) = asked.into_iter().find(|(_, it)| !it.success) {
            return Err(refused(&format!("{command} is refused: {}", response.text)));
        }
        self.game = Some(Mirror::of(Protocol::Gtp, setup)?);
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, Failure> {
        let game = self.game.as_mut().ok_or_else(no_game)?;
        let side = game.side;
        let update = game.update(question.history);
        let played = Side::BOTH[game.colour()];
        let first = update.first;
        let told = if first {
            self.tell_first_time(question, (side, played))?
        } else {
            None
        };
        let mut commands = turn_commands(&update, side, self.letters);
        if !first {
            commands.extend(self.clock.before_turn(question.go, side, false, played));
        }
        commands.push(Command::new("genmove", &[colour(played)]));
        let sent = self.send(&commands, question.until(told.unwrap_or_else(Instant::now)))?;
        let start = told.unwrap_or(sent);
        let (responses, at) = self.receive(commands.len(), question.until(start))?;
        self.note_refused(&commands, &responses);
        let answered = commands.iter().zip(&responses);
        // The turns are legal and so is `genmove`, so a refusal is the engine's fault.
        let refused = answered
            .filter(|(command, _)| ["play", "genmove"].contains(&command.name.as_str()))
            .find(|(_, response)| !response.success);
        let text = match (refused, responses.last()) {
            (Some((command, response)), _) => format!("? to {command}: {}", response.text),
            (None, Some(response)) => letters::read(&response.text, self.letters).into_owned(),
            (None, None) => String::new(),
        };
        Ok(Reply {
            text,
            used: at.saturating_duration_since(start),
            info: None,
        })
    }

    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<String, ParseError> {
        let turn = game
            .play_turn_in(Protocol::Gtp, text)
            .map_err(|mut error| {
                if self.letters == Letters::All && error.expected.contains("a column letter") {
                    error.expected += " (letters = \"skip-i\" if the engine leaves out i)";
                }
                error
            })?;
        let own = self.game.as_mut().map(|game| game.play(&turn));
        // GTP ignores case.
        let written = text.to_ascii_lowercase();
        (self.process).note(own.and_then(|own| Deviation::of_turn(&written, &own)));
        Ok(turn)
    }

    fn process(&self) -> Option<&Process> {
        Some(&self.process)
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        Some(&mut self.process)
    }

    fn quit(&mut self) {
        send_best_effort(&mut self.process, "quit\n");
    }
}

/// Whether a line that begins so answers a command.
fn is_answer(line: &str) -> bool {
    line.trim_start().starts_with(['=', '?'])
}

/// The deviation, if any, of a line that was not asked for.
fn unsolicited(line: &str) -> Option<Deviation> {
    match line.trim_start().chars().next()? {
        '=' | '?' => Some(Deviation::Unasked),
        _ => Some(Deviation::Chatter),
    }
}

//! The referee's side of GTP.
//!
//! All commands before an engine's turn are written together with the final `genmove`; its clock
//! starts just before. GTP has whole seconds; they are rounded down.

use std::collections::BTreeSet;
use std::time::Instant;

use catalog::Match;
use engine_core::{ParseError, Side};
use entry::gtp::{Command, Read, Reader, Response, colour};
use entry::ugi::Go;

use super::mirror::{Mirror, no_game, refused};
use super::{Driver, History, LONGEST_NAME, Question, Reply, Setup, option_text, send_best_effort};
use crate::deviation::{Deviation, Deviations};
use crate::process::{Failure, Process, Until};
use crate::task::Protocol;

/// An engine that speaks GTP.
pub(super) struct Gtp {
    process: Process,
    name: String,
    /// The commands that the engine lists.
    known: BTreeSet<String>,
    game: Option<Mirror>,
}

impl Gtp {
    pub(super) fn new(mut process: Process) -> Gtp {
        process.check_unsolicited(unsolicited);
        Gtp {
            process,
            name: String::new(),
            known: BTreeSet::new(),
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

    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure> {
        let announced = setup.rules.announce(Protocol::Gtp, setup.variant);
        let board = announced.map_err(|message| refused(&message))?.board;
        let options = setup.options.iter();
        let mut commands: Vec<Command> = options
            .filter_map(|(name, value)| Command::parse(&format!("{name} {}", option_text(value))))
            .collect();
        let size: Vec<&str> = board.split(' ').collect();
        commands.push(Command::new("boardsize", &size));
        commands.push(Command::new("clear_board", &[]));
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
        let first = update.first;
        // The engine has already played its own turns, as its answers to `genmove`.
        let turns = update.turns().filter(|&(by, _)| first || by != side);
        let mut commands: Vec<Command> = turns
            .map(|(by, turn)| Command::new("play", &[colour(by), &turn]))
            .collect();
        commands.extend(clock_commands(question.go, side, first, &self.known));
        commands.push(Command::new("genmove", &[colour(side)]));
        let start = self.send(&commands, question.until(Instant::now()))?;
        let (responses, at) = self.receive(commands.len(), question.until(start))?;
        let answered = commands.iter().zip(&responses);
        // The turns are legal and so is `genmove`, so a refusal is the engine's fault.
        let refused = answered
            .filter(|(command, _)| ["play", "genmove"].contains(&command.name.as_str()))
            .find(|(_, response)| !response.success);
        let text = match (refused, responses.last()) {
            (Some((command, response)), _) => format!("? to {command}: {}", response.text),
            (None, Some(response)) => response.text.clone(),
            (None, None) => String::new(),
        };
        Ok(Reply {
            text,
            used: at.saturating_duration_since(start),
            info: None,
        })
    }

    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<String, ParseError> {
        game.play_turn_in(Protocol::Gtp, text)
    }

    fn deviations(&mut self) -> Deviations {
        self.process.deviations()
    }

    fn game_over(&mut self, _: &History) {}

    fn pause(&self, pause: bool) {
        self.process.pause(pause);
    }

    fn quit(&mut self) {
        send_best_effort(&mut self.process, "quit\n");
    }

    fn end(self: Box<Self>, deadline: Instant) {
        self.process.end(deadline);
    }
}

/// The deviation, if any, of a line that was not asked for.
fn unsolicited(line: &str) -> Option<Deviation> {
    match line.trim_start().chars().next()? {
        '=' | '?' => Some(Deviation::Unasked),
        _ => Some(Deviation::Chatter),
    }
}

/// The clock commands: before the first turn the time settings, if GTP can express them, and before
/// each turn the time left, if the engine knows `time_left`.
fn clock_commands(go: &Go, side: Side, first: bool, known: &BTreeSet<String>) -> Vec<Command> {
    let command = |name: &str, arguments: &[&dyn ToString]| Command {
        id: None,
        name: name.into(),
        arguments: arguments.iter().map(|word| word.to_string()).collect(),
    };
    let clock = go.clock(side);
    let mut commands = Vec::new();
    if first {
        let period = go
            .movetime
            .map(|ms| (0, ms / 1000, 1))
            .or(clock.map(|clock| {
                let left = clock.left.as_secs();
                match (clock.turns, clock.period.as_secs()) {
                    (Some(turns), _) => (0, left, turns),
                    (None, 0) => (left, 0, 0),
                    (None, period) => (left, period, 1),
                }
            }));
        // GTP would take 0 s as no time at all.
        let settings = period.filter(|(main, period, _)| main + period > 0);
        commands.extend(
            settings
                .map(|(main, period, turns)| command("time_settings", &[&main, &period, &turns])),
        );
    }
    let left = clock.filter(|_| known.contains("time_left"));
    commands.extend(left.map(|clock| {
        let (left, turns) = match clock.turns {
            None if clock.left.is_zero() && !clock.period.is_zero() => (clock.period, 1),
            turns => (clock.left, turns.unwrap_or(0)),
        };
        command("time_left", &[&colour(side), &left.as_secs(), &turns])
    }));
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(go: Go, first: bool) -> Vec<String> {
        let known = BTreeSet::from(["time_left".to_owned()]);
        let commands = clock_commands(&go, Side::Second, first, &known);
        commands.iter().map(Command::to_string).collect()
    }

    #[test]
    fn clocks_are_sent_in_whole_seconds() {
        let sudden = Go {
            p1time: Some(1),
            p2time: Some(60_900),
            ..Go::default()
        };
        assert_eq!(
            commands(sudden.clone(), true),
            ["time_settings 60 0 0", "time_left w 60 0"]
        );
        assert_eq!(commands(sudden, false), ["time_left w 60 0"]);
        let periods = Go {
            p2time: Some(300_000),
            movestogo: Some(40),
            ..Go::default()
        };
        assert_eq!(
            commands(periods, true),
            ["time_settings 0 300 40", "time_left w 300 40"]
        );
        let byoyomi = Go {
            p2time: Some(0),
            byoyomi: Some(5_000),
            ..Go::default()
        };
        assert_eq!(
            commands(byoyomi, true),
            ["time_settings 0 5 1", "time_left w 5 1"]
        );
        let fixed = Go {
            movetime: Some(2_500),
            ..Go::default()
        };
        assert_eq!(commands(fixed, true), ["time_settings 0 2 1"]);
        let short = Go {
            movetime: Some(100),
            ..Go::default()
        };
        assert_eq!(commands(short, true), [""; 0]);
    }
}

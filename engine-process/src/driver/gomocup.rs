//! The referee's side of the Gomocup protocol.

use std::collections::BTreeMap;
use std::time::Instant;

use catalog::Match;
use engine_core::{ParseError, Side};
use protocol::gomocup::{Answer, Command};
use protocol::ugi::Go;
use serde_json::Value;
use task::Protocol;

use super::mirror::{Mirror, no_game, refused};
use super::{
    Driver, LONGEST_NAME, NAME_TIMEOUT, Question, Reply, Setup, initialize, option_text,
    send_best_effort,
};
use crate::deviation::Deviation;
use crate::process::{Failure, Process, Until};

/// Means "no limit", in ms, where the protocol requires a number.
const NO_LIMIT: u64 = i32::MAX as u64;

/// An engine that speaks the Gomocup protocol.
pub(super) struct Gomocup {
    process: Process,
    name: String,
    game: Option<Mirror>,
}

impl Gomocup {
    pub(super) fn new(mut process: Process) -> Gomocup {
        process.check_unsolicited(unsolicited);
        process.check_turns(is_turn);
        Gomocup {
            process,
            name: String::new(),
            game: None,
        }
    }

    /// The next answer that is not a message for humans.
    fn receive(&mut self, until: Until) -> Result<(Answer, Instant), Failure> {
        loop {
            let line = self.process.receive(until)?;
            match Answer::parse(&line.text) {
                None | Some(Answer::Message(_)) => self.process.note(unsolicited(&line.text)),
                Some(answer) => return Ok((answer, line.at)),
            }
        }
    }
}

impl Driver for Gomocup {
    fn name(&mut self, label: String) {
        self.process.name(label);
    }

    fn introduce(&mut self, until: Until) -> Result<(), Failure> {
        self.process.send(&format!("{}\n", Command::About), until)?;
        match self.receive(until.within(NAME_TIMEOUT)) {
            Ok((Answer::About(name), _)) => {
                self.name = name.chars().take(LONGEST_NAME).collect();
                Ok(())
            }
            // It has no name, or an unreadable one; only its answer to `START` matters.
            Ok(_) | Err(Failure::Late) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    fn version(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure> {
        let announced = setup.rules.announce(Protocol::Gomocup, setup.variant);
        let announced = announced.map_err(|message| refused(&message))?;
        let size = announced.board.parse();
        let start = Command::Start(size.map_err(|_| refused("not a board size"))?);
        self.process.send(&format!("{start}\n"), until)?;
        loop {
            match self.receive(until)?.0 {
                Answer::Ok => break,
                Answer::Error(words) | Answer::Unknown(words) => {
                    return Err(refused(&format!("{start} is refused: {words}")));
                }
                _ => self.process.note(Deviation::Unasked),
            }
        }
        // `INFO` has no answer.
        let options = rule_command(announced.rule)
            .into_iter()
            .chain(option_commands(setup.options));
        let lines: String = options.map(|line| format!("{line}\n")).collect();
        self.process.send(&lines, until)?;
        if !setup.init.is_empty() {
            let question = Command::About.to_string();
            let is_name = |line: &str| matches!(Answer::parse(line), Some(Answer::About(_)));
            let process = &mut self.process;
            initialize(process, setup.init, Some(&question), is_name, until)?;
        }
        self.game = Some(Mirror::of(Protocol::Gomocup, setup)?);
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, Failure> {
        let game = self.game.as_mut().ok_or_else(no_game)?;
        let update = game.update(question.history);
        let first = update.first;
        let turns: Vec<_> = update.turns().collect();
        let mut commands = clock_commands(question.go, game.side, first);
        commands.extend(turn_commands(&turns, game.side, first));
        let text: String = commands.iter().map(|line| format!("{line}\n")).collect();
        let start = self.process.send(&text, question.until(Instant::now()))?;
        let until = question.until(start);
        loop {
            let (text, at) = match self.receive(until)? {
                (Answer::Turn(text), at) => (text, at),
                (Answer::Error(words), at) => (format!("ERROR {words}"), at),
                _ => {
                    self.process.note(Deviation::Unasked);
                    continue;
                }
            };
            return Ok(Reply {
                text,
                used: at.saturating_duration_since(start),
                info: None,
            });
        }
    }

    fn play(&mut self, game: &mut dyn Match, text: &str) -> Result<String, ParseError> {
        game.play_turn_in(Protocol::Gomocup, text)
    }

    fn process(&self) -> Option<&Process> {
        Some(&self.process)
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        Some(&mut self.process)
    }

    fn quit(&mut self) {
        send_best_effort(&mut self.process, &format!("{}\n", Command::End));
    }
}

/// Whether a line that begins so is a turn: two coordinates.
fn is_turn(line: &str) -> bool {
    line.trim_start()
        .starts_with(|letter: char| letter.is_ascii_digit())
}

/// The deviation, if any, of a line that was not asked for.
fn unsolicited(line: &str) -> Option<Deviation> {
    match Answer::parse(line) {
        Some(Answer::Message(_)) => None,
        Some(Answer::Turn(_)) => Some(Deviation::UnaskedTurn),
        Some(_) => Some(Deviation::Unasked),
        None if line.trim().is_empty() => None,
        None => Some(Deviation::Chatter),
    }
}

/// The `INFO` command that names the rules, if the game has several.
pub fn rule_command(rule: Option<u32>) -> Option<Command> {
    let info = |rule: u32| Command::Info {
        key: "rule".into(),
        value: rule.to_string(),
    };
    rule.map(info)
}

/// The `INFO` commands that set options.
pub fn option_commands(options: &BTreeMap<String, Value>) -> Vec<Command> {
    let options = options.iter();
    let commands = options.map(|(key, value)| Command::Info {
        key: key.clone(),
        value: option_text(value),
    });
    commands.collect()
}

/// The commands that ask for a turn: the first time with all turns so far, later with the
/// opponent's last turn only.
pub fn turn_commands(turns: &[(Side, String)], side: Side, first: bool) -> Vec<Command> {
    match turns {
        [] => vec![Command::Begin],
        [before @ .., (by, turn)] if *by != side && (!first || before.is_empty()) => {
            vec![Command::Turn(turn.clone())]
        }
        _ => {
            let stones = turns.iter().flat_map(|(by, turn)| {
                turn.split(' ').map(|cell| Command::Stone {
                    cell: cell.into(),
                    own: *by == side,
                })
            });
            [Command::Board]
                .into_iter()
                .chain(stones)
                .chain([Command::Done])
                .collect()
        }
    }
}

/// The `INFO` commands about the clock, in ms.
pub fn clock_commands(go: &Go, side: Side, first: bool) -> Vec<Command> {
    let info = |key: &str, value: u64| Command::Info {
        key: key.into(),
        value: value.min(NO_LIMIT).to_string(),
    };
    let left = go.clock(side).map(|clock| clock.left.as_millis() as u64);
    let Some(turn) = go.movetime.or(left) else {
        return Vec::new();
    };
    let left_now = info("time_left", left.unwrap_or(NO_LIMIT));
    if !first {
        return vec![left_now];
    }
    // 0 means that the match has no limit.
    vec![
        info("timeout_turn", turn),
        info("timeout_match", left.unwrap_or(0)),
        left_now,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(commands: Vec<Command>) -> Vec<String> {
        commands.iter().map(Command::to_string).collect()
    }

    #[test]
    fn an_engine_gets_the_turns_that_it_does_not_know() {
        let turn = |side, text: &str| (side, text.to_owned());
        let (first, second) = (Side::First, Side::Second);
        let game = [turn(first, "9,9"), turn(second, "8,8 7,7")];
        assert_eq!(lines(turn_commands(&[], first, true)), ["BEGIN"]);
        assert_eq!(lines(turn_commands(&game[..1], second, true)), ["TURN 9,9"]);
        assert_eq!(
            lines(turn_commands(&game, first, true)),
            ["BOARD", "9,9,1", "8,8,2", "7,7,2", "DONE"],
            "after an opening"
        );
        assert_eq!(lines(turn_commands(&game, first, false)), ["TURN 8,8 7,7"]);
        assert_eq!(
            lines(turn_commands(&game[1..], first, false)),
            ["TURN 8,8 7,7"]
        );
    }

    #[test]
    fn clocks_are_sent_in_milliseconds() {
        let clock = Go {
            p1time: Some(900_000),
            ..Go::default()
        };
        assert_eq!(
            lines(clock_commands(&clock, Side::First, true)),
            [
                "INFO timeout_turn 900000",
                "INFO timeout_match 900000",
                "INFO time_left 900000"
            ]
        );
        assert_eq!(
            lines(clock_commands(&clock, Side::First, false)),
            ["INFO time_left 900000"]
        );
        let fixed = Go {
            movetime: Some(100),
            ..Go::default()
        };
        assert_eq!(
            lines(clock_commands(&fixed, Side::Second, true)),
            [
                "INFO timeout_turn 100",
                "INFO timeout_match 0",
                "INFO time_left 2147483647"
            ]
        );
        assert_eq!(
            lines(clock_commands(&Go::default(), Side::First, true)),
            [""; 0]
        );
    }
}

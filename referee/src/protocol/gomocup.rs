//! The referee's side of the Gomocup protocol.

use std::time::Instant;

use catalog::Match;
use engine_core::{ParseError, Side};
use entry::gomocup::{Answer, Command};
use entry::ugi::Go;

use super::mirror::{Mirror, no_game, refused};
use super::{
    Driver, History, LONGEST_NAME, Question, Reply, SOON, Setup, option_text, send_in_passing,
};
use crate::deviation::{Deviation, Deviations};
use crate::process::{Failure, Process, Until};
use crate::task::Protocol;

/// What stands for no limit, in ms, where the protocol needs a number.
const NO_LIMIT: u64 = i32::MAX as u64;

/// An engine that speaks the Gomocup protocol.
pub(super) struct Gomocup {
    process: Process,
    name: String,
    game: Option<Mirror>,
}

impl Gomocup {
    pub(super) fn new(mut process: Process) -> Gomocup {
        process.judge_strays(stray);
        Gomocup {
            process,
            name: String::new(),
            game: None,
        }
    }

    /// The next answer that is not for people only.
    fn receive(&mut self, until: Until) -> Result<(Answer, Instant), Failure> {
        loop {
            let line = self.process.receive(until)?;
            match Answer::parse(&line.text) {
                None | Some(Answer::Message(_)) => self.process.note(stray(&line.text)),
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
        let soon = Until {
            deadline: until.deadline.min(Instant::now() + SOON),
            ..until
        };
        match self.receive(soon) {
            Ok((Answer::About(name), _)) => {
                self.name = name.chars().take(LONGEST_NAME).collect();
                Ok(())
            }
            // It has no name, or none that can be read; what counts is that it answers `START`.
            Ok(_) | Err(Failure::Late) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    fn version(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, setup: &Setup, until: Until) -> Result<(), Failure> {
        let announced = setup.rules.announce(Protocol::Gomocup, setup.variant);
        let board = announced.map_err(|message| refused(&message))?.board;
        let start = Command::Start(board.parse().map_err(|_| refused("no size of a board"))?);
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
        // There is no answer to these.
        let options = setup.options.iter();
        let options = options.map(|(key, value)| Command::Info {
            key: key.clone(),
            value: option_text(value),
        });
        let lines: String = options.map(|line| format!("{line}\n")).collect();
        self.process.send(&lines, until)?;
        self.game = Some(Mirror::of(Protocol::Gomocup, setup)?);
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, Failure> {
        let game = self.game.as_mut().ok_or_else(no_game)?;
        let news = game.news(question.history);
        let first = news.first;
        let turns: Vec<_> = news.turns().collect();
        let mut commands = time(question.go, game.side, first);
        commands.extend(told(&turns, game.side, first));
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

    fn deviations(&mut self) -> Deviations {
        self.process.deviations()
    }

    fn game_over(&mut self, _: &History) {}

    fn pause(&self, pause: bool) {
        self.process.pause(pause);
    }

    fn quit(&mut self) {
        send_in_passing(&mut self.process, &format!("{}\n", Command::End));
    }

    fn end(self: Box<Self>, deadline: Instant) {
        self.process.end(deadline);
    }
}

/// What is odd about a line that nobody waits for.
fn stray(line: &str) -> Option<Deviation> {
    match Answer::parse(line) {
        Some(Answer::Message(_)) => None,
        Some(Answer::Turn(_)) => Some(Deviation::UnaskedTurn),
        Some(_) => Some(Deviation::Unasked),
        None if line.trim().is_empty() => None,
        None => Some(Deviation::Chatter),
    }
}

/// The lines that ask for a turn. The first time they tell of all turns, later of the opponent's
/// last one.
fn told(turns: &[(Side, String)], side: Side, first: bool) -> Vec<Command> {
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

/// What an engine is told of its clock, ms.
fn time(go: &Go, side: Side, first: bool) -> Vec<Command> {
    let info = |key: &str, value: u64| Command::Info {
        key: key.into(),
        value: value.min(NO_LIMIT).to_string(),
    };
    let left = go.clock(side).map(|clock| clock.left.as_millis() as u64);
    let Some(turn) = go.movetime.or(left) else {
        return Vec::new();
    };
    let left_now = info("time_left", left.unwrap_or(NO_LIMIT));
    match first {
        // A match without a limit has 0 of it.
        true => vec![
            info("timeout_turn", turn),
            info("timeout_match", left.unwrap_or(0)),
            left_now,
        ],
        false => vec![left_now],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(commands: Vec<Command>) -> Vec<String> {
        commands.iter().map(Command::to_string).collect()
    }

    #[test]
    fn an_engine_is_told_what_it_does_not_know() {
        let turn = |side, text: &str| (side, text.to_owned());
        let (first, second) = (Side::First, Side::Second);
        let game = [turn(first, "9,9"), turn(second, "8,8 7,7")];
        assert_eq!(lines(told(&[], first, true)), ["BEGIN"]);
        assert_eq!(lines(told(&game[..1], second, true)), ["TURN 9,9"]);
        assert_eq!(
            lines(told(&game, first, true)),
            ["BOARD", "9,9,1", "8,8,2", "7,7,2", "DONE"],
            "after an opening"
        );
        assert_eq!(lines(told(&game, first, false)), ["TURN 8,8 7,7"]);
        assert_eq!(lines(told(&game[1..], first, false)), ["TURN 8,8 7,7"]);
    }

    #[test]
    fn clocks_are_told_in_milliseconds() {
        let clock = Go {
            p1time: Some(900_000),
            ..Go::default()
        };
        assert_eq!(
            lines(time(&clock, Side::First, true)),
            [
                "INFO timeout_turn 900000",
                "INFO timeout_match 900000",
                "INFO time_left 900000"
            ]
        );
        assert_eq!(
            lines(time(&clock, Side::First, false)),
            ["INFO time_left 900000"]
        );
        let fixed = Go {
            movetime: Some(100),
            ..Go::default()
        };
        assert_eq!(
            lines(time(&fixed, Side::Second, true)),
            [
                "INFO timeout_turn 100",
                "INFO timeout_match 0",
                "INFO time_left 2147483647"
            ]
        );
        assert_eq!(lines(time(&Go::default(), Side::First, true)), [""; 0]);
    }
}

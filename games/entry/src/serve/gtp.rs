//! A session with a GTP controller.

use std::time::Duration;

use engine_core::time::Clock;
use engine_core::{Outcome, Side};

use super::asking::Asking;
use super::{Next, for_each_line, on_clock, per_turn, print, resized};
use crate::game::Game;
use crate::gtp::{Command, Response, colour, side};
use crate::options::Options;
use crate::protocol::Protocol;
use crate::thinker::TurnLimits;
use crate::turn::play_part_in;

/// The commands, in alphabetical order.
const COMMANDS: [&str; 15] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Plays until `quit` or the end of the input.
pub(super) fn serve<G: Game>(options: &Options, start: G) {
    let mut session = Session {
        options: options.clone(),
        positions: vec![start],
        asking: Asking::new(options),
        time: Time::default(),
    };
    for_each_line(std::io::stdin().lock(), |line| session.line(line));
}

struct Session<G: Game> {
    options: Options,
    /// The start, and the position after each `play` or `genmove`.
    positions: Vec<G>,
    asking: Asking<G>,
    time: Time,
}

/// Times sent by the controller; none at first.
#[derive(Debug, Default)]
struct Time {
    settings: Option<Settings>,
    /// Remaining time of each side and the number of turns it covers; 0 turns for the whole game.
    left: [Option<(Duration, u32)>; 2],
}

/// `time_settings`: main time, then a number of turns in every period.
#[derive(Clone, Copy, Debug)]
struct Settings {
    main: Duration,
    period: Duration,
    turns: u32,
}

impl Settings {
    /// By GTP, a period for zero turns means no limit.
    fn unlimited(self) -> bool {
        self.turns == 0 && !self.period.is_zero()
    }
}

impl Time {
    /// The clock of the side to move, if it has one.
    fn clock(&self, side: Side) -> Option<Clock> {
        let settings = self.settings.filter(|settings| !settings.unlimited());
        let begin = settings.map(|settings| match settings.main {
            Duration::ZERO => (settings.period, settings.turns),
            main => (main, 0),
        });
        let (left, turns) = self.left[side.index()].or(begin)?;
        Some(Clock {
            left,
            turns: (turns > 0).then_some(turns),
            ..Clock::default()
        })
    }
}

/// The response to a command, or its error message.
type Answer = Result<String, String>;

impl<G: Game> Session<G> {
    fn line(&mut self, line: &str) -> Next {
        let Some(Command {
            id,
            name,
            arguments,
        }) = Command::parse(line)
        else {
            return Next::Line;
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (success, text) = match self.command(&name, &arguments) {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        let response = Response { id, success, text };
        // `print` adds the empty line's newline.
        print(response.to_string().trim_end_matches('\n').to_owned() + "\n");
        match name.as_str() {
            "quit" => Next::Quit,
            _ => Next::Line,
        }
    }

    fn command(&mut self, name: &str, arguments: &[&str]) -> Answer {
        match (name, arguments) {
            ("protocol_version", []) => Ok("2".into()),
            ("name", []) => Ok(G::NAME.into()),
            ("version", []) => Ok(env!("CARGO_PKG_VERSION").into()),
            ("list_commands", []) => Ok(COMMANDS.join("\n")),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("boardsize", [size, rest @ ..]) => self.board_size(size, rest),
            ("clear_board", []) => {
                self.positions.truncate(1);
                self.asking.new_game(&self.positions[0]);
                self.time.left = [None; 2];
                Ok(String::new())
            }
            ("play", [colour, turn]) => self.play(colour, turn),
            ("genmove", [colour]) => self.choose(colour),
            ("undo", []) if self.positions.len() == 1 => Err("cannot undo".into()),
            ("undo", []) => {
                self.positions.pop();
                Ok(String::new())
            }
            ("time_settings", [main, period, turns]) => self.time_settings(main, period, turns),
            ("time_left", [colour, time, turns]) => self.time_left(colour, time, turns),
            ("final_score", []) => Ok(match self.position().outcome() {
                Some(Outcome::Win(side)) => format!("{}+", colour(side).to_uppercase()),
                Some(Outcome::Draw) => "0".into(),
                None => return Err("the game is not over".into()),
            }),
            ("showboard", []) => Ok(board(&self.position().draw())),
            ("quit", []) => Ok(String::new()),
            (name, _) if COMMANDS.contains(&name) => Err("syntax error".into()),
            _ => Err("unknown command".into()),
        }
    }

    fn position(&self) -> &G {
        self.positions.last().expect("the start stays")
    }

    /// Accepts one number, or two equal ones.
    fn board_size(&mut self, size: &str, rest: &[&str]) -> Answer {
        let unacceptable = || "unacceptable size".to_owned();
        let number = size.parse().map_err(|_| "syntax error")?;
        if rest.iter().any(|&other| other != size) {
            return Err(unacceptable());
        }
        let start = resized::<G>(&self.options, number, Protocol::Gtp);
        self.positions = vec![start.ok_or_else(unacceptable)?];
        self.asking.new_game(&self.positions[0]);
        Ok(String::new())
    }

    fn to_move(&self, colour: &str) -> Result<Side, String> {
        let side = side(colour).ok_or("syntax error: expected b or w")?;
        match self.position() {
            position if position.outcome().is_some() => Err("the game is over".into()),
            position if position.side() != side => Err("it is the other side's turn".into()),
            _ => Ok(side),
        }
    }

    fn play(&mut self, colour: &str, turn: &str) -> Answer {
        let wrong = |error| format!("illegal move: {error}");
        self.to_move(colour).map_err(wrong)?;
        let mut position = self.position().clone();
        play_part_in(&mut position, Protocol::Gtp, turn)
            .map_err(|error| wrong(error.to_string()))?;
        self.positions.push(position);
        Ok(String::new())
    }

    fn choose(&mut self, colour: &str) -> Answer {
        let side = self.to_move(colour)?;
        let mut position = self.position().clone();
        let limits = self.limits(&position, side);
        let turn = self.asking.turn(&mut position, limits);
        let turn = turn.ok_or("no turn was found")?;
        self.positions.push(position);
        Ok(turn)
    }

    fn limits(&self, position: &G, side: Side) -> TurnLimits {
        let clock = self.time.clock(side);
        clock.map_or_else(
            || per_turn(&self.options),
            |clock| on_clock(&self.options, position, clock),
        )
    }

    fn time_settings(&mut self, main: &str, period: &str, turns: &str) -> Answer {
        self.time = Time {
            settings: Some(Settings {
                main: seconds(main)?,
                period: seconds(period)?,
                turns: turns.parse().map_err(|_| "syntax error")?,
            }),
            ..Time::default()
        };
        Ok(String::new())
    }

    fn time_left(&mut self, colour: &str, time: &str, turns: &str) -> Answer {
        let side = side(colour).ok_or("syntax error: expected b or w")?;
        let turns = turns.parse().map_err(|_| "syntax error")?;
        self.time.left[side.index()] = Some((seconds(time)?, turns));
        Ok(String::new())
    }
}

/// Reads seconds. Some controllers send fractions, or negative numbers when time has run out.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
    let time = number.and_then(|number| Duration::try_from_secs_f64(number.max(0.0)).ok());
    time.ok_or_else(|| "syntax error".into())
}

/// A picture as a response: it starts on a new line and has no empty lines.
fn board(picture: &str) -> String {
    let lines = picture.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("\n{}", line.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(settings: [u32; 3], left: Option<(u64, u32)>) -> Option<(u64, Option<u32>)> {
        let [main, period, turns] = settings;
        let seconds = |s: u32| Duration::from_secs(s.into());
        let left = left.map(|(s, turns)| (Duration::from_secs(s), turns));
        let time = Time {
            settings: Some(Settings {
                main: seconds(main),
                period: seconds(period),
                turns,
            }),
            left: [left, None],
        };
        let clock = time.clock(Side::First)?;
        Some((clock.left.as_secs(), clock.turns))
    }

    #[test]
    fn seconds_are_read_leniently() {
        for (text, ms) in [("5", 5000), ("2.5", 2500), ("0", 0), ("-1", 0)] {
            assert_eq!(seconds(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "x", "1e99", "inf", "NaN"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn time_is_that_of_the_clock_or_of_the_settings() {
        assert_eq!(clock([60, 0, 0], None), Some((60, None)));
        assert_eq!(clock([60, 10, 5], None), Some((60, None)));
        assert_eq!(clock([0, 10, 5], None), Some((10, Some(5))));
        assert_eq!(clock([60, 10, 5], Some((7, 2))), Some((7, Some(2))));
        assert_eq!(clock([0, 1, 0], None), None, "no limit");
        assert_eq!(clock([0, 0, 0], None), Some((0, None)), "no time");
    }
}

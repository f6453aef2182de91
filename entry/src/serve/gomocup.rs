//! A session with a Gomocup manager.

use std::time::Duration;

use engine_core::Side;
use engine_core::time::TimeLeft;
use game::Engine;
use game::turn::{play_part_in, play_turn_in};
use protocol::Protocol;
use protocol::gomocup::{Answer, Command};

use super::asking::Asking;
use super::{Next, for_each_line, on_clock, per_turn, print, resized, within};
use crate::setup::Setup;
use crate::thinker::TurnLimits;

/// The value for no limit, ms.
const NO_LIMIT: u64 = i32::MAX as u64;

/// Plays until `END` or the end of the input.
pub(super) fn serve<G: Engine>(setup: Setup, start: G) {
    let mut session = Session {
        position: start.clone(),
        start,
        size: None,
        stones: None,
        asking: Asking::new(setup.clone()),
        setup,
        time: Time::default(),
    };
    for_each_line(std::io::stdin().lock(), |line| session.line(line));
}

struct Session<G: Engine> {
    setup: Setup,
    start: G,
    /// Columns and rows of the board, once they are known.
    size: Option<u32>,
    position: G,
    /// The stones sent since `BOARD`: the cell, and whether the stone is the engine's.
    stones: Option<Vec<(String, bool)>>,
    asking: Asking<G>,
    time: Time,
}

/// Times sent by the manager, ms; unknown at first.
#[derive(Debug, Default)]
struct Time {
    turn: Option<u64>,
    /// Time for the whole game; 0 for no limit.
    game: Option<u64>,
    left: Option<u64>,
}

impl Time {
    /// The remaining time of the game, if it is limited.
    fn left(&self) -> Option<Duration> {
        let limited = self.game != Some(0);
        let left = self.left.or(self.game).filter(|&ms| ms < NO_LIMIT);
        left.filter(|_| limited).map(Duration::from_millis)
    }
}

impl<G: Engine> Session<G> {
    fn line(&mut self, line: &str) -> Next {
        let answer = match Command::parse(line) {
            Some(Command::End) => return Next::Quit,
            Some(command) => self.command(command),
            None => Some(Answer::Unknown("command".into())),
        };
        if let Some(answer) = answer {
            print(answer);
        }
        Next::Line
    }

    fn command(&mut self, command: Command) -> Option<Answer> {
        Some(match command {
            Command::Start(size) => match resized(&self.setup, size, Protocol::Gomocup) {
                Some(start) => {
                    self.start = start;
                    self.size = Some(size);
                    self.new_game()
                }
                None => Answer::Error(format!("no board of size {size}")),
            },
            Command::RectStart(_) => {
                Answer::Error("only square boards are played: START and one size".into())
            }
            Command::Swap2Board => {
                Answer::Error("no swap2 opening is played: BEGIN, TURN or BOARD".into())
            }
            Command::Restart => self.new_game(),
            Command::Begin => self.choose(),
            Command::Turn(turn) => match self.play(&turn) {
                Ok(()) => self.choose(),
                Err(error) => Answer::Error(error),
            },
            Command::Board => {
                self.stones = Some(Vec::new());
                return None;
            }
            Command::Stone { cell, own } => match &mut self.stones {
                Some(stones) => {
                    stones.push((cell, own));
                    return None;
                }
                None => Answer::Error("a stone without BOARD".into()),
            },
            Command::Done => match self.set_up() {
                Ok(()) => self.choose(),
                Err(error) => Answer::Error(error),
            },
            Command::Info { key, value } if key == "rule" => return self.set_rule(&value),
            Command::Info { key, value } => {
                self.inform(&key, &value);
                return None;
            }
            Command::About => Answer::About(format!("{} {}", G::NAME, env!("CARGO_PKG_VERSION"))),
            Command::End => return None,
        })
    }

    fn new_game(&mut self) -> Answer {
        self.position = self.start.clone();
        self.stones = None;
        self.asking.new_game(&self.start);
        Answer::Ok
    }

    /// Changes the rules before the first stone. What is wrong is said in a message, as `INFO` has no
    /// answer.
    fn set_rule(&mut self, value: &str) -> Option<Answer> {
        let variant = serde_json::from_value(self.setup.options.variant.clone()).ok()?;
        let rule = value.parse().ok();
        let Some(variant) = rule.and_then(|rule| G::with_rule(&variant, rule)) else {
            return Some(Answer::Message(format!("rule {value} is not known here")));
        };
        if self.position != self.start || self.stones.is_some() {
            return Some(Answer::Message("no other rule during a game".into()));
        }
        self.setup.options.variant = serde_json::to_value(variant).ok()?;
        let start = |size| resized(&self.setup, size, Protocol::Gomocup);
        if let Some(start) = self.size.and_then(start) {
            self.start = start;
            self.new_game();
        }
        None
    }

    /// Plays the opponent's whole turn; the engine moves next.
    fn play(&mut self, turn: &str) -> Result<(), String> {
        let played = play_turn_in(&mut self.position, Protocol::Gomocup, turn);
        played.map(|_| ()).map_err(|error| error.to_string())
    }

    fn set_up(&mut self) -> Result<(), String> {
        let stones = self.stones.take().ok_or("DONE without BOARD")?;
        self.position = arranged(&self.start, &stones)?;
        Ok(())
    }

    fn choose(&mut self) -> Answer {
        let limits = self.limits();
        match self.asking.turn(&mut self.position, limits) {
            Some(turn) => Answer::Turn(turn),
            None => Answer::Error("the game is over".into()),
        }
    }

    fn inform(&mut self, key: &str, value: &str) {
        // A clock that has run out may be negative.
        let Ok(value) = value.parse::<i64>().map(|ms| ms.max(0) as u64) else {
            return;
        };
        match key {
            "timeout_turn" => self.time.turn = Some(value),
            "timeout_match" => self.time.game = Some(value),
            "time_left" => self.time.left = Some(value),
            _ => {}
        }
    }

    fn limits(&self) -> TurnLimits {
        let turn = self.time.turn.map(Duration::from_millis);
        let turn = turn.map(|time| within(&self.setup.options, time));
        let mut limits = match self.time.left() {
            Some(left) => {
                let clock = TimeLeft {
                    left,
                    ..TimeLeft::default()
                };
                on_clock(&self.setup.options, &self.position, clock)
            }
            None if turn.is_some() => TurnLimits::default(),
            None => per_turn(&self.setup.options),
        };
        limits.hard = limits.hard.into_iter().chain(turn).min();
        limits
    }
}

/// The position with the given stones and the engine to move. Each side plays its stones in the
/// given order.
///
/// # Errors
/// No game reaches these numbers of stones, or a stone is illegal.
fn arranged<G: Engine>(start: &G, stones: &[(String, bool)]) -> Result<G, String> {
    let mut trouble = None;
    for engine in Side::BOTH {
        let mut position = start.clone();
        let of = |side| {
            let own = side == engine;
            stones.iter().filter(move |(_, of)| *of == own)
        };
        let mut queues = Side::BOTH.map(of);
        let mut played = 0;
        while position.outcome().is_none()
            && let Some((cell, _)) = queues[position.side().index()].next()
        {
            if let Err(error) = play_part_in(&mut position, Protocol::Gomocup, cell) {
                trouble.get_or_insert(format!("{cell}: {error}"));
                break;
            }
            played += 1;
        }
        if played == stones.len() && position.side() == engine {
            return Ok(position);
        }
    }
    Err(trouble.unwrap_or_else(|| "no game has so many stones of each side".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_time_from_the_manager_counts() {
        for (game, left, expected) in [
            (None, None, None),
            (Some(60_000), None, Some(60_000)),
            (Some(60_000), Some(7), Some(7)),
            (None, Some(7), Some(7)),
            (Some(60_000), Some(0), Some(0)),
            (Some(0), Some(NO_LIMIT), None),
            (Some(0), Some(7), None),
            (None, Some(NO_LIMIT), None),
        ] {
            let time = Time {
                turn: None,
                game,
                left,
            };
            let found = time.left().map(|left| left.as_millis() as u64);
            assert_eq!(found, expected, "{game:?} {left:?}");
        }
    }
}

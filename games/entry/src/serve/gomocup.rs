//! A session with a Gomocup manager.

use std::time::Duration;

use engine_core::Side;
use engine_core::time::Clock;

use super::asking::Asking;
use super::{Next, for_each_line, on_clock, overhead, per_turn, print, resized};
use crate::game::Game;
use crate::gomocup::{Answer, Command};
use crate::options::Options;
use crate::protocol::Protocol;
use crate::thinker::TurnLimits;
use crate::turn::play_part_in;

/// Plays until `END` or the end of the input.
pub(super) fn serve<G: Game>(options: &Options, start: G) {
    let mut session = Session {
        options: options.clone(),
        position: start.clone(),
        start,
        stones: None,
        asking: Asking::new(options),
        time: Time::default(),
    };
    for_each_line(std::io::stdin().lock(), |line| session.line(line));
}

struct Session<G: Game> {
    options: Options,
    start: G,
    position: G,
    /// The stones since `BOARD`: their cells, and whether they are the engine's.
    stones: Option<Vec<(String, bool)>>,
    asking: Asking<G>,
    time: Time,
}

/// What the manager has said of time, ms; nothing at first.
#[derive(Debug, Default)]
struct Time {
    turn: Option<u64>,
    /// Of the whole game; 0 for no limit.
    game: Option<u64>,
    left: Option<u64>,
}

impl<G: Game> Session<G> {
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
            Command::Start(size) => match resized(&self.options, size, Protocol::Gomocup) {
                Some(start) => {
                    self.start = start;
                    self.new_game()
                }
                None => Answer::Error(format!("no board of size {size}")),
            },
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

    fn play(&mut self, turn: &str) -> Result<(), String> {
        let played = play_part_in(&mut self.position, Protocol::Gomocup, turn);
        played.map(|_| ()).map_err(|error| error.to_string())
    }

    fn set_up(&mut self) -> Result<(), String> {
        let stones = self.stones.take().ok_or("DONE without BOARD")?;
        self.position = arranged(&self.start, &stones)?;
        self.asking.new_game(&self.start);
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
        let value = value.parse().ok();
        match key {
            "timeout_turn" => self.time.turn = value,
            "timeout_match" => self.time.game = value,
            "time_left" => self.time.left = value,
            _ => {}
        }
    }

    fn limits(&self) -> TurnLimits {
        let Time { turn, game, left } = self.time;
        let turn = turn.map(|ms| Duration::from_millis(ms).saturating_sub(overhead(&self.options)));
        let left = left.filter(|_| game.is_some_and(|ms| ms > 0));
        let mut limits = match left {
            Some(left) => {
                let left = Duration::from_millis(left);
                let clock = Clock {
                    left,
                    ..Clock::default()
                };
                on_clock(&self.options, &self.position, clock)
            }
            None if turn.is_some() => TurnLimits::default(),
            None => per_turn(&self.options),
        };
        let hard = limits.hard.into_iter().chain(turn).min();
        limits.hard = hard;
        limits
    }
}

/// The position with stones of the engine and of its opponent, in which the engine has the word. Each
/// side has played its stones in the order given.
///
/// # Errors
/// No game has come to such stones, or one of them cannot be played.
fn arranged<G: Game>(start: &G, stones: &[(String, bool)]) -> Result<G, String> {
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

//! What operators do, and what follows from it: an event, or the reason why it is refused.

use std::path::PathBuf;

use catalog::{AnyMatch, Match};
use engine_core::Side;
use game::turn::Told;
use gamelog::files::Encoding;
use gamelog::record::{GameResult, SideName};
use jiff::Timestamp;
use protocol::Protocol;
use serde::{Deserialize, Serialize};
use task::clock::MAX_TIME;
use task::{dice, opening};
use thiserror::Error;

use super::event::{By, Event};
use super::game::{Answer, Game};
use super::settings::{Dice, Settings};
use super::state::{Moment, State};

/// The longest reason, in characters.
const LONGEST_REASON: usize = 200;

/// The answer of an engine that resigns.
pub(super) const RESIGN: &str = "resign";

/// Something that an operator does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Operation {
    /// Makes a whole turn of the side to move on the common board, or enters a roll: `d3` or `3`. In
    /// place of an engine that has not answered, too.
    Enter {
        /// The turn in UGI notation, in one word or action by action.
        text: String,
    },
    /// Makes the turn that the engine has answered on the common board.
    Confirm,
    /// Enters a roll.
    Roll {
        /// The face, from 1.
        face: u8,
    },
    /// Takes back the end of the game. In a contest, a game that was over goes on paused.
    Correct {
        /// Number of the first turn or roll to take back, from 1; one more than there are to take
        /// back only the result or the engine's answer.
        from: usize,
        /// Why; may be empty.
        #[serde(default)]
        reason: String,
    },
    /// Stops the clocks.
    Pause,
    /// Lets the clocks go on.
    Resume,
    /// Charges the time in which the program did not run to the side to move.
    ChargeAway,
    /// Tells the engine of the side to move to answer at once.
    Hurry,
    /// Starts the engine of a seat again.
    Restart {
        /// The seat, 0 for A.
        seat: usize,
    },
    /// A side resigns.
    Resign {
        /// Who.
        side: SideName,
    },
    /// Claims that a side has lost on time.
    Claim {
        /// Who.
        side: SideName,
    },
    /// Sets a clock, by the referee's decision.
    SetClock {
        /// Whose.
        side: SideName,
        /// The time left from now on, µs.
        left_us: u64,
    },
    /// Ends the game with a result that the players agree on or the referee decides.
    Decide {
        /// Who won.
        result: GameResult,
        /// Why; may be empty.
        #[serde(default)]
        reason: String,
    },
    /// Begins the next game of the series.
    Next,
    /// Writes the contest record of the current game to a folder.
    Save(Saving),
}

impl Operation {
    /// Why it is refused for a page that has shown this `moment` of the session, and the session is at
    /// `now`: what concerns the position was meant for another one, and nothing is meant for another
    /// game of the series.
    pub(super) fn is_stale(&self, moment: Moment, now: Moment) -> Option<Refused> {
        let concerns_position = matches!(
            self,
            Operation::Enter { .. }
                | Operation::Confirm
                | Operation::Roll { .. }
                | Operation::Correct { .. }
                | Operation::ChargeAway
                | Operation::Hurry
        );
        let is_stale = if concerns_position {
            moment != now
        } else {
            moment.game != now.game
        };
        is_stale.then(|| Refused::because(STALE))
    }
}

/// The message for what was meant for another position.
const STALE: &str =
    "the game has gone on since this page showed it, expected an entry for what it shows now";

/// Where and how a contest record is saved. Empty fields are those of the settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Saving {
    /// The folder; it is created if needed.
    pub folder: PathBuf,
    /// The teams of `First` and `Second`.
    pub teams: [String; 2],
    /// The event.
    pub event: String,
    /// The place.
    pub place: String,
    /// Date and time as in the record, `2026.11.23 14:00`; by default when the game began,
    /// in the time zone of this machine.
    pub date: String,
    /// The encoding of the file.
    pub encoding: Encoding,
}

/// Why an operation is refused. Nothing has changed. The message says what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Refused {
    pub(super) fn because(message: impl Into<String>) -> Refused {
        Refused(message.into())
    }
}

/// A turn that is being entered.
pub struct Preview {
    /// The position after the actions so far; its actions are those that may follow.
    pub position: Box<dyn AnyMatch>,
    /// The whole turn in UGI notation, if nothing is missing.
    pub turn: Option<String>,
}

impl State {
    /// The event of an operation at this time. `Save` has none before it is done, and the seed of
    /// `Next` is the caller's.
    ///
    /// # Errors
    /// The operation is not possible now.
    pub(super) fn event_of(
        &self,
        now: Timestamp,
        operation: &Operation,
        seed: u64,
    ) -> Result<Event, Refused> {
        let game = self.game();
        match operation {
            Operation::Enter { text } => self.enter(text),
            Operation::Confirm => self.confirm(),
            Operation::Roll { face } => self.roll(*face),
            Operation::Correct { from, reason } => self.correction(*from, reason),
            Operation::Pause if self.paused => Err(Refused::because("paused already")),
            Operation::Pause => in_progress(game).map(|()| Event::Pause),
            Operation::Resume if !self.paused => {
                Err(Refused::because("not paused, expected a pause"))
            }
            Operation::Resume => Ok(Event::Resume),
            Operation::ChargeAway => match self.away {
                Some(_) => Ok(Event::Charged),
                None => Err(Refused::because(
                    "no time away, expected it right after the program was started again",
                )),
            },
            Operation::Hurry => self.hurry(),
            Operation::Restart { seat } => self.restart(*seat),
            Operation::Resign { side } => {
                in_progress(game).map(|()| Event::Resigned { side: *side })
            }
            Operation::Claim { side } => {
                in_progress(game)?;
                if self.fallen(now)[Side::from(*side).index()] {
                    Ok(Event::Flag { side: *side })
                } else {
                    Err(Refused(format!("{side:?} has time left, expected none")))
                }
            }
            Operation::SetClock { side, left_us } => self.set_clock(*side, *left_us),
            Operation::Decide { result, reason } => {
                in_progress(game)?;
                let (result, reason) = (*result, checked(reason)?);
                Ok(Event::Decided { result, reason })
            }
            Operation::Next if game.ending.is_none() => Err(Refused::because(
                "the game is not over, expected its result first",
            )),
            Operation::Next if self.is_over() => Err(Refused::because(
                "the series is over, expected a new session",
            )),
            Operation::Next => Ok(Event::Next { seed }),
            Operation::Save(_) => Err(Refused::because("a record, expected an event")),
        }
    }

    /// Refuses what only happens while the clocks run.
    fn running(&self) -> Result<(), Refused> {
        in_progress(self.game())?;
        if self.paused {
            Err(Refused::because("paused, expected resume first"))
        } else {
            Ok(())
        }
    }

    fn enter(&self, text: &str) -> Result<Event, Refused> {
        self.running()?;
        let game = self.game();
        if game.roll_due {
            let face = text.trim().trim_start_matches(['d', 'D']).parse();
            return match face {
                Ok(face) => self.roll(face),
                Err(_) => Err(Refused(format!("{text:?}, expected {}", self.a_roll()))),
            };
        }
        let preview = self.preview(text)?;
        let turn = preview.turn.ok_or_else(|| {
            Refused(format!(
                "{text:?}, expected the whole turn: {} may follow",
                some(&*preview.position)
            ))
        })?;
        match &game.answer {
            Some(answer) if answer.text == turn => self.confirm(),
            Some(Answer { text, .. }) => Err(Refused(format!(
                "{turn}, but the engine plays {text}: expected {text}, or a correction with the referee's consent"
            ))),
            None => Ok(Event::Turn {
                text: turn,
                by: By::Operator,
                info: None,
            }),
        }
    }

    /// The position after some actions of the turn of the side to move, in one word or several;
    /// nothing is stored.
    ///
    /// # Errors
    /// The game is over, a roll is due, or an action is illegal: which, and what was expected.
    pub fn preview(&self, text: &str) -> Result<Preview, Refused> {
        in_progress(self.game())?;
        let refuse = |error: engine_core::ParseError| Refused(error.to_string());
        let words: Vec<&str> = opening::split(text).collect();
        if let [word] = words[..] {
            let mut whole = self.position();
            if let Ok(turn) = whole.play_turn(word) {
                let (position, turn) = (whole, Some(turn));
                return Ok(Preview { position, turn });
            }
        }
        let mut position = self.position();
        let told = position.follow(Protocol::Ugi, &words).map_err(refuse)?;
        if told.len() > 1 {
            return Err(Refused(format!(
                "{text:?}, expected the actions of one turn"
            )));
        }
        let over = position.outcome().is_some() || position.roll_due();
        let complete = over || position.side() != self.game().side;
        let turn = told.into_iter().next().and_then(Told::turn);
        let turn = turn.map(|(_, text)| text).filter(|_| complete);
        Ok(Preview { position, turn })
    }

    fn confirm(&self) -> Result<Event, Refused> {
        self.running()?;
        let answer = self.game().answer.clone();
        let answer = answer.ok_or_else(|| {
            Refused::because("no turn of the engine to confirm, expected its answer first")
        })?;
        Ok(match answer.text.as_str() {
            RESIGN => Event::Resigned {
                side: self.game().side.into(),
            },
            _ => Event::Turn {
                text: answer.text,
                by: By::Engine,
                info: answer.info,
            },
        })
    }

    fn roll(&self, face: u8) -> Result<Event, Refused> {
        self.running()?;
        let faces = self.position().faces();
        if !self.game().roll_due {
            return Err(Refused::because("no roll is due, expected a turn"));
        }
        if self.settings.dice == Dice::Program {
            return Err(Refused::because("the program rolls the die"));
        }
        if (1..=faces).contains(&face) {
            Ok(Event::Roll { face })
        } else {
            Err(Refused(format!(
                "a roll of {face}, expected {}",
                self.a_roll()
            )))
        }
    }

    fn a_roll(&self) -> String {
        format!("a roll, d1 to d{}", self.position().faces())
    }

    /// The roll of the program, if one is due now.
    pub(super) fn own_roll(&self) -> Option<Event> {
        let game = self.game();
        let due = game.roll_due && game.ending.is_none() && !self.paused;
        if !due || self.settings.dice != Dice::Program {
            return None;
        }
        let faces = self.position().faces();
        let mut dice = dice::Dice::new(game.seed);
        let face = (0..=game.rolls()).map(|_| dice.roll(faces)).last()?;
        Some(Event::Roll { face })
    }

    fn correction(&self, from: usize, reason: &str) -> Result<Event, Refused> {
        let game = self.game();
        let turns = game.turns.len();
        let most = turns + usize::from(game.ending.is_some() || game.answer.is_some());
        if !(1..=most).contains(&from) {
            let expected = match most {
                0 => "a turn or roll first".to_owned(),
                most => format!("the number of a turn or roll, 1 to {most}"),
            };
            return Err(Refused(format!(
                "correction from {from}, expected {expected}"
            )));
        }
        let reason = checked(reason)?;
        Ok(Event::Correct { from, reason })
    }

    fn set_clock(&self, side: SideName, left_us: u64) -> Result<Event, Refused> {
        let game = self.game();
        in_progress(game)?;
        let clock = self.settings.clock_of(game.seats[Side::from(side).index()]);
        if clock.base.is_none() || clock.byoyomi.is_some() {
            return Err(Refused::because(
                "no clock that can be set, expected one with base and without byoyomi",
            ));
        }
        if u128::from(left_us) > MAX_TIME.as_micros().unsigned_abs() {
            return Err(Refused(format!(
                "{left_us} µs, expected at most {MAX_TIME:#}"
            )));
        }
        Ok(Event::Clock { side, left_us })
    }

    fn hurry(&self) -> Result<Event, Refused> {
        self.running()?;
        let game = self.game();
        let engine = self.settings.seats[game.seat()].engine.as_ref();
        let engine = engine
            .ok_or_else(|| Refused::because("no engine is to move, expected the turn of one"))?;
        if game.roll_due || game.answer.is_some() {
            return Err(Refused::because(
                "the engine does not think, expected its turn",
            ));
        }
        match engine.protocol {
            Protocol::Ugi => Ok(Event::Hurry),
            other => Err(Refused(format!(
                "{} has no command to answer at once, expected an engine in ugi",
                other.name()
            ))),
        }
    }

    fn restart(&self, seat: usize) -> Result<Event, Refused> {
        let Settings { seats, .. } = &self.settings;
        match seats.get(seat).map(|seat| seat.engine.is_some()) {
            Some(true) => Ok(Event::Restart { seat }),
            _ => Err(Refused(format!("no engine in seat {seat}, expected one"))),
        }
    }
}

fn in_progress(game: &Game) -> Result<(), Refused> {
    match game.ending {
        Some(_) => Err(Refused::because("the game is over")),
        None => Ok(()),
    }
}

/// A reason that fits on a line.
fn checked(reason: &str) -> Result<String, Refused> {
    if reason.chars().count() <= LONGEST_REASON && !reason.chars().any(char::is_control) {
        Ok(reason.to_owned())
    } else {
        Err(Refused(format!(
            "reason: expected at most {LONGEST_REASON} characters on one line"
        )))
    }
}

/// Some of the legal actions, for a message.
fn some(position: &dyn Match) -> String {
    const FEW: usize = 5;
    let actions = position.actions();
    let more = if actions.len() > FEW { ", …" } else { "" };
    let few = &actions[..actions.len().min(FEW)];
    format!("{}{more}", few.join(", "))
}

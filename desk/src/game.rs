//! One game of a session: its turns, clocks and result.

use std::time::Duration;

use catalog::{AnyMatch, Match, Rules};
use engine_core::Side;
use engine_process::info::EngineInfo;
use gamelog::record::{GameResult, Reason, SetClock, SideName, TurnRecord};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use task::clock::{Clock, ClockSpec};
use task::opening;

use super::event::By;

/// A game, in progress or over.
#[derive(Clone, Debug, Serialize)]
pub struct Game {
    /// The seats of `First` and `Second`: 0 is A.
    pub seats: [usize; 2],
    /// When it began.
    pub started: Timestamp,
    /// Seed of its dice, which pages do not get: it tells all rolls to come.
    #[serde(skip)]
    pub seed: u64,
    /// Turns and rolls, in order.
    pub turns: Vec<Turn>,
    /// The side to move, or for which the die is rolled.
    #[serde(serialize_with = "name")]
    pub side: Side,
    /// Whether a roll is due before the side can move.
    pub roll_due: bool,
    /// The turn that the engine of the side to move has answered, until it is made on the board.
    pub answer: Option<Answer>,
    /// How the game ended.
    pub ending: Option<Ending>,
    /// The clocks of both sides at the beginning of the present turn.
    #[serde(skip)]
    pub(super) clocks: [Clock; 2],
    /// The clocks that the referee has set.
    pub(super) set: Vec<SetClock>,
    /// How long the side to move has used, until `since`.
    #[serde(skip)]
    ran: Duration,
    /// Since when its clock runs; `None` while it is stopped.
    pub since: Option<Timestamp>,
    /// Whether a clock has run out, and the game went on.
    fallen: [bool; 2],
}

/// A turn or a roll.
#[derive(Clone, Debug, Serialize)]
pub struct Turn {
    /// As in the log.
    #[serde(flatten)]
    pub record: TurnRecord,
    /// Who chose it; `None` for a roll.
    pub by: Option<By>,
    /// The game before it.
    #[serde(skip)]
    before: Before,
}

/// What a correction restores.
#[derive(Clone, Debug)]
struct Before {
    clocks: [Clock; 2],
    fallen: [bool; 2],
    /// How long the side had used when the turn ended, or when the die was rolled.
    ran: Duration,
}

/// An engine's turn that is not on the common board yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// When it came.
    pub time: Timestamp,
    /// In UGI notation, or `resign`.
    pub text: String,
    /// The engine's last search report.
    pub info: Option<EngineInfo>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// When.
    pub time: Timestamp,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// The reason in words.
    pub detail: String,
}

fn name<S: serde::Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    SideName::from(*side).serialize(serializer)
}

impl Game {
    /// A game in which nothing was played.
    pub(super) fn new(
        started: Timestamp,
        seats: [usize; 2],
        clocks: [ClockSpec; 2],
        seed: u64,
    ) -> Game {
        Game {
            seats,
            started,
            seed,
            turns: Vec::new(),
            side: Side::First,
            roll_due: false,
            answer: None,
            ending: None,
            clocks: clocks.each_ref().map(Clock::new),
            set: Vec::new(),
            ran: Duration::ZERO,
            since: None,
            fallen: [false; 2],
        }
    }

    /// The seat of the side to move, or for which the die is rolled.
    pub fn seat(&self) -> usize {
        self.seats[self.side.index()]
    }

    /// The seat that won; `None` in a draw, or if the game is not over.
    pub fn winner(&self) -> Option<usize> {
        match self.ending.as_ref()?.result {
            GameResult::First => Some(self.seats[0]),
            GameResult::Second => Some(self.seats[1]),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }

    /// Turns and rolls in UGI notation.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.turns.iter().map(|turn| turn.record.text.as_str())
    }

    /// Number of rolls so far.
    pub(super) fn rolls(&self) -> usize {
        self.turns.iter().filter(|turn| turn.by.is_none()).count()
    }

    pub(super) fn position(
        &self,
        rules: &dyn Rules,
        variant: &Value,
        opening: &str,
    ) -> Box<dyn AnyMatch> {
        let begun = opening::begin(rules, variant, opening);
        let mut position = begun.expect("the settings were checked");
        for word in self.words() {
            position.play_words(word).expect("every turn was checked");
        }
        position
    }

    /// How long the side to move has used in this turn, in whole µs.
    pub fn used(&self, now: Timestamp) -> Duration {
        let runs = self.since.map(|since| now.duration_since(since));
        // A time before `since` is none.
        let runs = runs.and_then(|runs| Duration::try_from(runs).ok());
        self.ran + runs.unwrap_or_default()
    }

    /// The time until the flag of a side falls; zero if it has fallen. `None` for a side whose clock
    /// does not run and has no time that carries over between turns, and without a clock.
    pub fn left(&self, side: Side, now: Timestamp) -> Option<Duration> {
        let clock = &self.clocks[side.index()];
        if side == self.side && clock.is_timed() {
            return Some(clock.allowed().saturating_sub(self.used(now)));
        }
        clock.left()
    }

    /// The same in µs.
    pub fn left_us(&self, side: Side, now: Timestamp) -> Option<u64> {
        self.left(side, now).map(|left| left.as_micros() as u64)
    }

    /// Whether the time of a side is over now, or was over while the game went on.
    pub(super) fn has_fallen(&self, side: Side, now: Timestamp) -> bool {
        let clock = &self.clocks[side.index()];
        let over = side == self.side && clock.is_timed() && self.used(now) > clock.patience();
        over || self.fallen[side.index()]
    }

    /// The time at which the running clock runs out, if no turn is made.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        let clock = &self.clocks[self.side.index()];
        let left = clock.patience().saturating_sub(self.ran);
        let since = self.since.filter(|_| clock.is_timed())?;
        since.checked_add(left).ok()
    }

    fn before(&self, ran: Duration) -> Before {
        Before {
            clocks: self.clocks.clone(),
            fallen: self.fallen,
            ran,
        }
    }

    /// Plays a legal turn and charges its clock.
    pub(super) fn turn(&mut self, time: Timestamp, text: String, by: By, info: Option<EngineInfo>) {
        let used = self.used(time);
        let before = self.before(used);
        let index = self.side.index();
        if self.clocks[index].charge(used).is_err() {
            self.clocks[index].run_out();
            self.fallen[index] = true;
        }
        let left = self.clocks[index].left();
        let record = TurnRecord {
            used_us: used.as_micros() as u64,
            left_us: left.map(|left| left.as_micros() as u64),
            info,
            ..TurnRecord::given(self.side, text)
        };
        let by = Some(by);
        self.turns.push(Turn { record, by, before });
        (self.ran, self.since, self.answer) = (Duration::ZERO, None, None);
    }

    /// Adds a roll. The clock of the side to move runs on.
    pub(super) fn roll(&mut self, time: Timestamp, face: u8) {
        let record = TurnRecord::given(self.side, format!("d{face}"));
        let before = self.before(self.used(time));
        let by = None;
        self.turns.push(Turn { record, by, before });
    }

    /// Reads from the position whose turn it is, lets the clock of that side run, and ends a game
    /// that is over by its rules.
    pub(super) fn settle(&mut self, time: Timestamp, position: &dyn Match, paused: bool) {
        self.side = position.side();
        self.roll_due = position.roll_due();
        match position.outcome() {
            Some(outcome) => self.end(Ending {
                time,
                result: outcome.into(),
                reason: Reason::Rules,
                detail: position.ending().to_owned(),
            }),
            None if !paused => self.go_on(time),
            None => {}
        }
    }

    /// Takes back all but the first `kept` turns and rolls, and the end of the game. Returns what was
    /// taken back. The clocks are those before it. What the side had used for its turn stays used if
    /// `charged`.
    pub(super) fn take_back(&mut self, time: Timestamp, kept: usize, charged: bool) -> Vec<String> {
        self.stop(time);
        (self.answer, self.ending) = (None, None);
        let removed = self.turns.split_off(kept);
        if let Some(Turn { before, by, .. }) = removed.first() {
            self.clocks.clone_from(&before.clocks);
            self.fallen = before.fallen;
            self.ran = match by {
                Some(_) if !charged => Duration::ZERO,
                _ => before.ran,
            };
        }
        self.set.retain(|set| set.turn <= kept + 1);
        removed.into_iter().map(|turn| turn.record.text).collect()
    }

    /// Sets a clock. If it runs, the time is that from now on.
    pub(super) fn set_clock(&mut self, time: Timestamp, side: SideName, left_us: u64) {
        let index = Side::from(side).index();
        let mut left = Duration::from_micros(left_us);
        if self.side.index() == index {
            left += self.used(time);
        }
        self.clocks[index].set(left);
        self.fallen[index] = false;
        self.set.push(SetClock {
            turn: self.turns.len() + 1,
            side,
            left_us: left.as_micros() as u64,
        });
    }

    /// Takes more time from the side to move, whose clock stands.
    pub(super) fn charge(&mut self, time: Duration) {
        self.ran += time;
    }

    /// Stops the clocks.
    pub(super) fn stop(&mut self, time: Timestamp) {
        self.ran = self.used(time);
        self.since = None;
    }

    /// Lets the clock of the side to move run, unless the game is over or it runs.
    pub(super) fn go_on(&mut self, time: Timestamp) {
        if self.ending.is_none() && self.since.is_none() {
            self.since = Some(time);
        }
    }

    /// Ends the game, unless it is over.
    pub(super) fn end(&mut self, ending: Ending) {
        if self.ending.is_none() {
            self.stop(ending.time);
            self.answer = None;
            self.ending = Some(ending);
        }
    }
}

//! The state of a session: a fold over its events, a pure function.

use std::time::Duration;

use base::error::BadInput;
use catalog::{AnyGame, AnyMatch, Match};
use engine_core::Side;
use gamelog::record::{GameResult, Reason, SideName};
use jiff::Timestamp;
use league::tournament::plays_first;
use serde::{Deserialize, Serialize};

use super::event::{Entry, Event};
use super::game::{Answer, Ending, Game};
use super::settings::{Flag, Settings};

/// Everything that is known of a session. Clocks that run are as of their last change: see
/// [`Game::left`].
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// What was agreed.
    pub settings: Settings,
    /// The games of the series so far. The last one is the current one.
    pub games: Vec<Game>,
    /// Whether the clocks are stopped until somebody resumes.
    pub paused: bool,
    /// The corrections of all games.
    pub corrections: Vec<Correction>,
    /// What befell the engines of both seats.
    pub engines: [Health; 2],
    /// How often the program was started again within the session.
    pub reopened: u32,
    /// When it did not run, although a clock would have; until the game goes on or the time is charged.
    pub away: Option<Away>,
    /// The records that were saved.
    pub saved: Vec<Saved>,
    /// When the last event happened.
    pub time: Timestamp,
    /// How often something was taken back.
    pub taken_back: u32,
    /// Changes with each event after which an engine must be asked anew for the same turn.
    pub epoch: u32,
}

/// A time in which the program did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Away {
    /// When it is last known to have run.
    pub from: Timestamp,
    /// When it went on.
    pub to: Timestamp,
}

impl Away {
    /// How long it was.
    pub fn time(&self) -> Duration {
        let time = self.to.duration_since(self.from);
        Duration::try_from(time).unwrap_or_default()
    }
}

/// What befell the engine of a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Health {
    /// What it calls itself.
    pub version: String,
    /// How often it failed.
    pub failures: u32,
    /// What it did last; empty if it runs.
    pub fault: String,
    /// How often the operator had it started again.
    pub restarts: u32,
}

/// Turns that were taken back in a contest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Correction {
    /// When.
    pub time: Timestamp,
    /// The game of the series, from 1.
    pub game: usize,
    /// Number of the first turn or roll that was taken back, from 1.
    pub from: usize,
    /// The turns and rolls, in UGI notation.
    pub removed: Vec<String>,
    /// The clocks after it, of `First` and `Second`, µs.
    pub left_us: [Option<u64>; 2],
    /// Why; may be empty.
    pub reason: String,
}

/// A record that was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// Its path.
    pub path: String,
    /// The game of the series, from 1.
    pub game: usize,
    /// Whether the game went on or was corrected since.
    pub is_outdated: bool,
}

impl Health {
    fn ready(&mut self, version: &str) {
        self.version = version.to_owned();
        self.fault.clear();
    }

    fn lost(&mut self, detail: &str) {
        self.failures += 1;
        self.fault = detail.to_owned();
    }
}

impl State {
    /// The state after these events.
    ///
    /// # Errors
    /// The number of the first event that cannot have happened, from 1, and why.
    pub fn replay<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Result<State, BadInput> {
        let mut entries = (1..).zip(entries);
        let wrong = |number, fault| BadInput(format!("event {number}: {fault}"));
        let first = entries.next().and_then(|(_, entry)| State::begin(entry));
        let mut state = first.ok_or_else(|| wrong(1, "none, expected begin".to_owned()))??;
        for (number, entry) in entries {
            state.apply(entry).map_err(|fault| wrong(number, fault))?;
        }
        Ok(state)
    }

    /// The state after the first event; `None` if that is another one.
    fn begin(entry: &Entry) -> Option<Result<State, BadInput>> {
        let Event::Begin { settings, seed } = &entry.event else {
            return None;
        };
        Some(settings.clone().check().map(|settings| {
            let mut state = State {
                paused: settings.wait,
                settings,
                games: Vec::new(),
                corrections: Vec::new(),
                engines: Default::default(),
                reopened: 0,
                away: None,
                saved: Vec::new(),
                time: entry.time,
                taken_back: 0,
                epoch: 0,
            };
            state.next_game(*seed);
            state
        }))
    }

    /// Adds an event.
    ///
    /// # Errors
    /// It cannot have happened, and why; the state is then unspecified.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        if entry.time < self.time {
            return Err(format!("at {}, after {}", entry.time, self.time));
        }
        self.time = entry.time;
        let time = entry.time;
        match &entry.event {
            Event::Begin { .. } => return Err("the session has begun".to_owned()),
            Event::Next { seed } => self.next_game(*seed),
            Event::Answer { text, info } => {
                let (text, info) = (text.clone(), info.clone());
                self.game_mut().answer = Some(Answer { time, text, info });
            }
            Event::Turn { text, by, info } => {
                let mut position = self.position();
                let played = position.play_turn(text);
                played.map_err(|error| error.to_string())?;
                self.game_mut().turn(time, text.clone(), *by, info.clone());
                self.outdate();
                self.settle(&*position);
            }
            Event::Roll { face } => {
                let mut position = self.position();
                position.roll(*face).map_err(|error| error.to_string())?;
                self.game_mut().roll(time, *face);
                self.outdate();
                self.settle(&*position);
            }
            Event::Correct { from, reason } => self.correct(*from, reason)?,
            Event::Clock { side, left_us } => self.game_mut().set_clock(time, *side, *left_us),
            Event::Pause => self.pause(true),
            Event::Resume => self.pause(false),
            Event::Hurry => {}
            Event::Ready { seat, version } => self.engine(*seat)?.ready(version),
            Event::Lost { seat, detail } => self.engine(*seat)?.lost(detail),
            Event::Restart { seat } => self.engine(*seat)?.restarts += 1,
            Event::Resigned { side } => self.lose(*side, Reason::Resign, "resigns"),
            Event::Flag { side } => self.lose(*side, Reason::Time, "the time is over"),
            Event::Decided { result, reason } => self.end(*result, Reason::Decided, reason),
            Event::Saved { path } => self.saved.push(Saved {
                path: path.clone(),
                game: self.games.len(),
                is_outdated: false,
            }),
            Event::Reopened { until } => self.reopen(*until),
            Event::Charged => {
                let away = self.away.take().map(|away| away.time());
                self.game_mut().charge(away.unwrap_or_default());
            }
        }
        Ok(())
    }

    /// The rules of the game.
    pub fn rules(&self) -> &'static dyn AnyGame {
        self.settings.rules().expect("the settings were checked")
    }

    /// The current game.
    pub fn game(&self) -> &Game {
        self.games.last().expect("a session begins with a game")
    }

    fn game_mut(&mut self) -> &mut Game {
        self.games.last_mut().expect("a session begins with a game")
    }

    fn engine(&mut self, seat: usize) -> Result<&mut Health, String> {
        let engine = self.engines.get_mut(seat);
        engine.ok_or_else(|| format!("seat {seat}, expected 0 or 1"))
    }

    /// The position on the board; its actions are what may follow.
    pub fn position(&self) -> Box<dyn AnyMatch> {
        let Settings {
            variant, opening, ..
        } = &self.settings;
        self.game().position(self.rules(), variant, opening)
    }

    /// Points of A and B: 2 for a win, 1 for a draw.
    pub fn points(&self) -> [u32; 2] {
        let mut points = [0, 0];
        for game in &self.games {
            let won = match game.ending.as_ref().map(|ending| ending.result) {
                None | Some(GameResult::Unfinished) => [0, 0],
                Some(GameResult::First) => [2, 0],
                Some(GameResult::Second) => [0, 2],
                Some(GameResult::Draw) => [1, 1],
            };
            points[game.seats[0]] += won[0];
            points[game.seats[1]] += won[1];
        }
        points
    }

    /// Whether nothing has happened yet: no turn or roll was played, none taken back, and no game is
    /// over.
    pub fn is_unplayed(&self) -> bool {
        let game = self.game();
        let is_untouched = self.games.len() == 1 && self.corrections.is_empty();
        is_untouched && game.turns.is_empty() && game.ending.is_none()
    }

    /// Whether the series is over: a seat has won often enough, or all games were played.
    pub fn is_over(&self) -> bool {
        let wins = self.settings.wins as usize;
        let won = |seat: usize| {
            let games = self.games.iter();
            games.filter(|game| game.winner() == Some(seat)).count()
        };
        let all = self.games.len() == 2 * wins - 1;
        self.game().ending.is_some() && (all || won(0).max(won(1)) >= wins)
    }

    /// What a page shows of it now.
    pub fn moment(&self) -> Moment {
        Moment {
            game: self.games.len(),
            turns: self.game().turns.len(),
            taken_back: self.taken_back,
            over: self.game().ending.is_some(),
        }
    }

    /// Begins the next game of the series. Its clock runs at once, unless the session is paused.
    fn next_game(&mut self, seed: u64) {
        let seats = if plays_first(self.games.len() as u32) {
            [0, 1]
        } else {
            [1, 0]
        };
        let clocks = seats.map(|seat| self.settings.clock_of(seat));
        self.games.push(Game::new(self.time, seats, clocks, seed));
        self.settle(&*self.position());
    }

    /// Reads from the position whose turn it is, and whether the game is over.
    fn settle(&mut self, position: &dyn Match) {
        let (time, paused) = (self.time, self.paused);
        self.game_mut().settle(time, position, paused);
    }

    /// Goes on after the program was started again. It ran until a time before, and what came then is
    /// nobody's time.
    fn reopen(&mut self, until: Option<Timestamp>) {
        self.reopened += 1;
        let (now, paused) = (self.time, self.paused);
        let Some((until, since)) = until.zip(self.game().since) else {
            return;
        };
        let is_timed = self.game().deadline().is_some();
        let from = until.clamp(since, now);
        self.game_mut().stop(from);
        if is_timed {
            self.pause(true);
            self.away = Some(Away { from, to: now });
        } else if !paused {
            self.game_mut().go_on(now);
        }
    }

    fn pause(&mut self, paused: bool) {
        let time = self.time;
        self.away = None;
        if paused {
            self.game_mut().stop(time)
        } else {
            self.game_mut().go_on(time)
        }
        self.paused = paused;
        self.epoch += 1;
    }

    fn correct(&mut self, from: usize, reason: &str) -> Result<(), String> {
        let (number, contest, time) = (self.games.len(), self.settings.contest, self.time);
        let kept = from
            .checked_sub(1)
            .filter(|kept| *kept <= self.game().turns.len());
        let kept = kept.ok_or_else(|| format!("correction from {from}, expected a turn"))?;
        let removed = self.game_mut().take_back(time, kept, contest);
        self.away = None;
        self.settle(&*self.position());
        self.outdate();
        self.taken_back += 1;
        self.epoch += 1;
        if contest {
            let left_us = Side::BOTH.map(|side| self.game().left_us(side, time));
            let reason = reason.to_owned();
            self.corrections.push(Correction {
                time,
                game: number,
                from,
                removed,
                left_us,
                reason,
            });
        }
        Ok(())
    }

    fn lose(&mut self, side: SideName, reason: Reason, detail: &str) {
        self.end(GameResult::loss_of(side.into()), reason, detail);
    }

    fn end(&mut self, result: GameResult, reason: Reason, detail: &str) {
        let time = self.time;
        self.away = None;
        self.game_mut().end(Ending {
            time,
            result,
            reason,
            detail: detail.to_owned(),
        });
        self.outdate();
    }

    /// The records of the current game lack what happens now.
    fn outdate(&mut self) {
        let number = self.games.len();
        let records = self.saved.iter_mut().filter(|saved| saved.game == number);
        records.for_each(|saved| saved.is_outdated = true);
    }

    /// Whether the clocks of `First` and `Second` have run out at this moment, in the current game.
    pub fn fallen(&self, now: Timestamp) -> [bool; 2] {
        Side::BOTH.map(|side| self.game().has_fallen(side, now))
    }

    /// The side that has lost the game, because its clock has run out at this moment.
    pub fn lost_on_time(&self, now: Timestamp) -> Option<Side> {
        let side = self.game().side;
        let ends = self.settings.flag == Flag::Ends && self.game().ending.is_none();
        (ends && self.game().has_fallen(side, now)).then_some(side)
    }
}

/// What a page shows of a session: two different positions have different moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// Number of games of the series so far.
    pub game: usize,
    /// Number of turns and rolls in the current one.
    pub turns: usize,
    /// How often something was taken back.
    pub taken_back: u32,
    /// Whether the current game is over.
    pub over: bool,
}

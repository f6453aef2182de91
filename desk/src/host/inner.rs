//! What follows from operations and from news of engines: events, entries of the log, tasks.

use std::path::{Path, PathBuf};
use std::time::Instant;

use base::error::BadInput;
use engine_core::Side;
use engine_process::info::EngineInfo;
use jiff::Timestamp;
use task::seed::Seed;

use super::wall::Wall;
use super::{Live, Version};
use crate::engine::{Ask, Board, Limit, Pilot, Task};
use crate::event::{By, Entry, Event};
use crate::journal::{self, Journal};
use crate::operation::{Operation, RESIGN, Refused};
use crate::record;
use crate::settings::Settings;
use crate::state::State;

/// A session in progress, which one thread at a time may use.
pub(super) struct Inner {
    pub(super) folder: PathBuf,
    pub(super) state: State,
    pub(super) journal: Journal,
    pub(super) wall: Wall,
    pub(super) engines: [Option<Seated>; 2],
    /// Number of games of the session that are in the log.
    pub(super) logged: usize,
    pub(super) fault: Option<String>,
    pub(super) warnings: Vec<String>,
    pub(super) version: Version,
    pub(super) is_closed: bool,
}

/// The engine of a seat.
pub(super) struct Seated {
    pub(super) pilot: Pilot,
    /// What its present task is for.
    pub(super) duty: Option<Duty>,
    /// The number of that task.
    pub(super) number: u64,
    pub(super) live: Live,
}

/// What a task is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Duty {
    /// The game of the series, from 1.
    game: usize,
    /// How many of its processes the operator has ended.
    restarts: u32,
    /// If a turn is to be answered: its number and [`State::epoch`].
    turn: Option<(usize, u32)>,
}

/// A seed that every JSON reader represents exactly.
pub(super) fn draw() -> std::io::Result<u64> {
    Ok(Seed::draw()?.branch("desk").value() >> 11)
}

impl Inner {
    pub(super) fn name(&self) -> String {
        let name = self.folder.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The time. If a clock has run out that ends the game, the game is over now.
    pub(super) fn tick(&mut self) -> Timestamp {
        let now = self.wall.now();
        if let Some(side) = self.state.lost_on_time(now) {
            self.commit(now, Event::Flag { side: side.into() });
        }
        now
    }

    /// Notes that the program runs now, while a clock does.
    pub(super) fn beat(&self, now: Timestamp) {
        if self.state.game().since.is_some() {
            self.journal.beat(now);
        }
    }

    pub(super) fn act(&mut self, now: Timestamp, operation: &Operation) -> Result<(), Refused> {
        let event = match operation {
            Operation::Save(saving) => {
                let path = record::save(&self.state, saving)?;
                let path = path.to_string_lossy().into_owned();
                Event::Saved { path }
            }
            operation => {
                let failed = |error| Refused(format!("the seed of the dice: {error}"));
                let seed = match operation {
                    Operation::Next => draw().map_err(failed)?,
                    _ => 0,
                };
                self.state.event_of(now, operation, seed)?
            }
        };
        let hurry = event == Event::Hurry;
        let correct = matches!(event, Event::Correct { .. });
        let reopens = correct && self.state.game().ending.is_some();
        self.commit(now, event);
        if correct {
            // They are about turns that were taken back.
            for engine in self.engines.iter_mut().flatten() {
                engine.live.report = None;
            }
        }
        if reopens && self.state.settings.contest {
            // Nobody sits at the clocks of a finished game.
            self.commit(now, Event::Pause);
        }
        if hurry && let Some(engine) = &self.engines[self.state.game().seat()] {
            engine.pilot.hurry();
        }
        Ok(())
    }

    /// What follows from an engine's answer: the operator makes the turn on the common board, or the
    /// program does.
    pub(super) fn answered(&self, text: String, info: Option<EngineInfo>) -> Option<Event> {
        let side = self.state.game().side.into();
        Some(match self.state.settings.confirm {
            true => Event::Answer { text, info },
            false if text == RESIGN => Event::Resigned { side },
            false => Event::Turn {
                text,
                by: By::Engine,
                info,
            },
        })
    }

    /// Writes an event to the journal; then it counts. On a full disk it counts, too: a game must be
    /// able to go on.
    pub(super) fn commit(&mut self, time: Timestamp, event: Event) {
        let entry = Entry { time, event };
        let mut state = self.state.clone();
        if let Err(fault) = state.apply(&entry) {
            // Every operation is checked, and engines' turns are legal.
            unreachable!("{entry:?}: {fault}");
        }
        self.fault = self.journal.append(&entry).err().map(|error| {
            let path = self.folder.join(journal::FILE_NAME);
            format!(
                "{}: cannot be written: {error}; the game goes on, kept in memory",
                path.display()
            )
        });
        self.state = state;
    }

    /// Does what follows from the state.
    pub(super) fn follow(&mut self) {
        if self.is_closed {
            return;
        }
        while let Some(roll) = self.state.own_roll() {
            let now = self.wall.now();
            self.commit(now, roll);
        }
        if let Err(error) = self.log_games() {
            self.fault.get_or_insert(error.0);
        }
        for seat in [0, 1] {
            self.direct(seat);
        }
    }

    /// The folder of all sessions.
    fn desk(&self) -> PathBuf {
        self.folder.parent().unwrap_or(Path::new(".")).to_owned()
    }

    /// Finds out how many games of the session are in the log, after a start.
    pub(super) fn count_logged(&mut self) {
        let (desk, name) = (self.desk(), self.name());
        let is_logged = |number: &usize| record::is_logged(&desk, &record::id(&name, *number));
        let numbers = 1..=self.state.games.len();
        self.logged = numbers
            .take_while(|number| is_logged(number).unwrap_or(false))
            .count();
    }

    /// Brings the log up to date: it has the games that are over, and no other.
    fn log_games(&mut self) -> Result<(), BadInput> {
        let (desk, name) = (self.desk(), self.name());
        let over = self
            .state
            .games
            .iter()
            .filter(|game| game.ending.is_some())
            .count();
        while self.logged > over {
            record::give_up(&desk, &record::id(&name, self.logged))?;
            self.logged -= 1;
        }
        while self.logged < over {
            if let Some(game) = record::logged(&self.state, &name, self.logged + 1) {
                self.warnings.extend(record::append(&desk, &game)?);
            }
            self.logged += 1;
        }
        Ok(())
    }

    /// Gives the engine of a seat its task, unless it has it. While the session is over there is no
    /// process.
    fn direct(&mut self, seat: usize) {
        let Some(Seated { duty: current, .. }) = self.engines[seat] else {
            return;
        };
        if self.state.is_over() {
            return self.dismiss(seat);
        }
        let duty = self.duty(seat);
        if current == Some(duty) {
            return;
        }
        let is_asked = duty.turn.is_some();
        let task = self.task(seat, is_asked);
        if let Some(engine) = &mut self.engines[seat] {
            engine.duty = Some(duty);
            engine.number = engine.pilot.assign(Some(task));
            engine.live.thinks = is_asked;
            engine.live.given_up = false;
            if is_asked {
                engine.live.report = None;
            }
        }
    }

    /// Ends the process of the engine of a seat, if it has one.
    fn dismiss(&mut self, seat: usize) {
        if let Some(engine) = &mut self.engines[seat]
            && engine.duty.take().is_some()
        {
            engine.pilot.dismiss();
            engine.live.thinks = false;
            engine.live.is_ready = false;
        }
    }

    /// What the engine of a seat is to do now.
    fn duty(&self, seat: usize) -> Duty {
        let state = &self.state;
        let game = state.game();
        let is_asked = game.ending.is_none()
            && !state.paused
            && !game.roll_due
            && game.answer.is_none()
            && game.seat() == seat;
        Duty {
            game: state.games.len(),
            restarts: state.engines[seat].restarts,
            turn: is_asked.then_some((game.turns.len(), state.epoch)),
        }
    }

    /// The task for the engine of a seat: to answer the present turn, or to get ready.
    fn task(&self, seat: usize, is_asked: bool) -> Task {
        let Settings {
            game: id,
            variant,
            opening,
            ..
        } = &self.state.settings;
        let game = self.state.game();
        let side = if game.seats[0] == seat {
            Side::First
        } else {
            Side::Second
        };
        let used = game.used(self.wall.now());
        let now = Instant::now();
        // Before the machine was started, there is no time.
        let since = now.checked_sub(used).unwrap_or(now);
        Task {
            board: Board {
                number: self.state.games.len(),
                process: self.state.engines[seat].restarts,
                game: id.clone(),
                variant: variant.clone(),
                opening: opening.clone(),
                side,
            },
            ask: is_asked.then(|| Ask {
                words: game.words().map(str::to_owned).collect(),
                limit: Limit::Clocks(Box::new(game.clocks.clone()), since),
            }),
        }
    }
}

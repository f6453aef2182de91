//! A session in progress: its state, its journal and its engines, for several threads.

mod inner;
mod wall;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use base::error::BadInput;
use engine_process::info::EngineInfo;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use self::inner::{Inner, Seated, draw};
use self::wall::Wall;
use super::engine::{News, Pilot};
use super::event::{Entry, Event};
use super::journal::{self, Journal};
use super::operation::{Operation, Preview, RESIGN, Refused};
use super::record;
use super::settings::Settings;
use super::state::{Moment, State};

/// The longest wait of the timer while a clock runs: while the machine sleeps, clocks go on and waits do not.
/// So much time may be lost if the program is killed.
const TICK: Duration = Duration::from_secs(1);

/// The least time between two calls of [`Host::wait`] that return only because of a search report.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Why a session is not removed.
const PLAYED: &str = "a turn was played, expected a session without any";

/// A session in progress. Dropping it ends its engines; [`Host::open`] goes on with it.
pub struct Host {
    shared: Arc<Shared>,
    /// Ends a game whose clock has run out, and notes that the program runs.
    timer: Option<JoinHandle<()>>,
}

/// What the threads of the callers, of the engines and of the timer share.
struct Shared {
    inner: Mutex<Inner>,
    changed: Condvar,
}

/// What an engine does at this moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Live {
    /// Whether it is ready for a game, and has not failed since.
    pub is_ready: bool,
    /// Whether it is asked for a turn and has not answered.
    pub thinks: bool,
    /// Whether it failed too often, so that the operator must enter its turn or restart it.
    pub given_up: bool,
    /// Its last report of the present or last search.
    pub report: Option<EngineInfo>,
}

/// A session at a moment.
#[derive(Clone, Debug, Serialize)]
pub struct Snapshot {
    /// The name of the session: that of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its state.
    pub state: State,
    /// The engines of A and B, where there are any.
    pub engines: [Option<Live>; 2],
    /// The moment.
    pub now: Timestamp,
    /// Why events are not on the disk, or a game not in the log; they are kept in memory, and the
    /// next event tries again.
    pub fault: Option<String>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

impl Snapshot {
    /// The id of the current game in the log of the desk; `None` while it is not over.
    pub fn logged(&self) -> Option<String> {
        let is_over = self.state.game().ending.is_some();
        is_over.then(|| record::id(&self.name, self.state.games.len()))
    }
}

/// What somebody has seen of a session; the default is nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Version {
    /// Number of changes of the state.
    pub changes: u64,
    /// Number of search reports.
    pub reports: u64,
    /// When it was seen.
    seen: Option<Instant>,
}

impl Host {
    /// Begins a session in a new folder in `desk`.
    ///
    /// # Errors
    /// The settings cannot be, or the journal cannot be written.
    pub fn begin(desk: &Path, settings: Settings) -> Result<Host, BadInput> {
        let settings = settings.check()?;
        let wall = Wall::from(Timestamp::UNIX_EPOCH);
        let stem = format!("{}-{}", wall.now().strftime("%Y-%m-%d"), settings.game);
        let (folder, mut journal) = Journal::create(desk, &stem)?;
        let settings = Box::new(settings);
        let seed = draw().map_err(|error| BadInput(format!("the seed of the dice: {error}")))?;
        let entry = Entry {
            time: wall.now(),
            event: Event::Begin { settings, seed },
        };
        let written = journal.append(&entry);
        written.map_err(|error| {
            BadInput(format!(
                "{}: {error}, expected a folder for a session",
                folder.display()
            ))
        })?;
        let state = State::replay([&entry])?;
        Ok(Host::start(folder, state, journal, wall, Vec::new()))
    }

    /// Goes on with the session in a folder. While the program did not run, no clock did: one that was
    /// running stands, and the session is paused; see [`State::away`].
    ///
    /// # Errors
    /// The journal cannot be read or written, or another program goes on with the session.
    pub fn open(folder: &Path) -> Result<Host, BadInput> {
        let opened = Journal::open(folder)?;
        let state = replay(folder, &opened.entries)?;
        let wall = Wall::from(state.time);
        let warnings = opened.warning.into_iter().collect();
        let (is_over, last) = (state.is_over(), state.time);
        let host = Host::start(folder.to_owned(), state, opened.journal, wall, warnings);
        if !is_over {
            let mut inner = host.shared.lock();
            let now = inner.wall.now();
            let alive = opened.alive.unwrap_or(last).clamp(last, now);
            let until = Timestamp::from_microsecond(alive.as_microsecond()).ok();
            inner.commit(now, Event::Reopened { until });
            host.shared.publish(&mut inner);
        }
        Ok(host)
    }

    fn start(
        folder: PathBuf,
        state: State,
        journal: Journal,
        wall: Wall,
        warnings: Vec<String>,
    ) -> Host {
        let specs = state.settings.seats.clone().map(|seat| seat.engine);
        let mut inner = Inner {
            folder,
            state,
            journal,
            wall,
            engines: [None, None],
            logged: 0,
            fault: None,
            warnings,
            version: Version::default(),
            is_closed: false,
        };
        inner.count_logged();
        let shared = Arc::new(Shared {
            inner: Mutex::new(inner),
            changed: Condvar::new(),
        });
        for (seat, spec) in specs.into_iter().enumerate() {
            let hearing = Arc::clone(&shared);
            let hear = move |number, news| hearing.hear(seat, number, news);
            shared.lock().engines[seat] = spec.map(|spec| Seated {
                pilot: Pilot::start(spec, hear),
                duty: None,
                number: 0,
                live: Live::default(),
            });
        }
        shared.publish(&mut shared.lock());
        let timing = Arc::clone(&shared);
        let timer = thread::spawn(move || timing.run_timer());
        Host {
            shared,
            timer: Some(timer),
        }
    }

    /// Does what an operator asks for. What follows from it is done, too: the program's rolls, the
    /// questions to engines, the log.
    ///
    /// # Errors
    /// The operation is not possible now; nothing has changed.
    pub fn act(&self, operation: &Operation) -> Result<(), Refused> {
        self.act_at(operation, None)
    }

    /// The same for a page that has shown this moment of the session.
    ///
    /// # Errors
    /// As for [`Host::act`]; or the operation was meant for another position.
    pub fn act_at(&self, operation: &Operation, seen: Option<Moment>) -> Result<(), Refused> {
        let mut inner = self.shared.lock();
        if inner.is_closed {
            return Err(Refused::because("the session is closed"));
        }
        let moment = inner.state.moment();
        if let Some(stale) = seen.and_then(|seen| operation.is_stale(seen, moment)) {
            return Err(stale);
        }
        let now = inner.tick();
        let done = inner.act(now, operation);
        self.shared.publish(&mut inner);
        done
    }

    /// The position after some actions of the turn of the side to move; see [`State::preview`].
    ///
    /// # Errors
    /// As for [`State::preview`].
    pub fn preview(&self, actions: &str) -> Result<Preview, Refused> {
        self.shared.lock().state.preview(actions)
    }

    /// The session now.
    pub fn snapshot(&self) -> Snapshot {
        let inner = self.shared.lock();
        let live = |seated: &Option<Seated>| seated.as_ref().map(|seated| seated.live.clone());
        Snapshot {
            name: inner.name(),
            folder: inner.folder.clone(),
            state: inner.state.clone(),
            engines: inner.engines.each_ref().map(live),
            now: inner.wall.now(),
            fault: inner.fault.clone(),
            warnings: inner.warnings.clone(),
        }
    }

    /// Waits until something has changed since `seen`, and returns what there is to see now. Search
    /// reports alone are returned at most ten times a second. Returns after `timeout` in any case,
    /// and at once when the session is closed.
    pub fn wait(&self, seen: Version, timeout: Duration) -> Version {
        let end = Instant::now() + timeout;
        let mut inner = self.shared.lock();
        loop {
            let now = Instant::now();
            let next = match (inner.version.reports == seen.reports, seen.seen) {
                (true, _) => end,
                (false, Some(seen)) => end.min(seen + REPORT_INTERVAL),
                (false, None) => now,
            };
            let is_new = inner.version.changes != seen.changes || inner.is_closed;
            if is_new || now >= next {
                return Version {
                    seen: Some(now),
                    ..inner.version
                };
            }
            let waited = self.shared.changed.wait_timeout(inner, next - now);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Wakes everybody who waits, and ends the engines. Nothing is lost: [`Host::open`] goes on.
    pub fn close(&self) {
        self.close_locked(self.shared.lock());
    }

    /// Closes the session and removes it from the disk, if nothing has been played in it.
    ///
    /// # Errors
    /// A turn was played, or the journal cannot be removed.
    pub fn remove(&self) -> Result<(), Refused> {
        let inner = self.shared.lock();
        if !inner.state.is_unplayed() {
            return Err(Refused::because(PLAYED));
        }
        journal::remove(&inner.folder).map_err(|error| Refused(error.0))?;
        self.close_locked(inner);
        Ok(())
    }

    /// Whether the session was closed.
    pub fn is_closed(&self) -> bool {
        self.shared.lock().is_closed
    }

    fn close_locked(&self, mut inner: MutexGuard<'_, Inner>) {
        if !inner.is_closed {
            inner.beat(inner.wall.now());
        }
        inner.is_closed = true;
        self.shared.changed.notify_all();
        let engines = std::mem::take(&mut inner.engines);
        // Their threads may wait for the session.
        drop(inner);
        drop(engines);
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.close();
        if let Some(timer) = self.timer.take() {
            // A panic of the thread has been printed.
            let _ = timer.join();
        }
    }
}

/// The sessions in the desk's folder, by name: the folder of each, and its state.
///
/// # Errors
/// The folder cannot be read. A missing one has no sessions.
#[expect(
    clippy::type_complexity,
    reason = "a list of folders with their states"
)]
pub fn sessions(desk: &Path) -> Result<Vec<(PathBuf, Result<State, BadInput>)>, BadInput> {
    let failed = |error| BadInput(format!("{}: {error}, expected a folder", desk.display()));
    if !desk.exists() {
        return Ok(Vec::new());
    }
    let mut folders = Vec::new();
    for entry in desk.read_dir().map_err(failed)? {
        let folder = entry.map_err(failed)?.path();
        if is_session(&folder) {
            folders.push(folder);
        }
    }
    folders.sort();
    let read = |folder: &Path| replay(folder, &journal::read(folder)?);
    let read = |folder: PathBuf| (folder.clone(), read(&folder));
    Ok(folders.into_iter().map(read).collect())
}

/// Whether a folder is that of a session.
pub fn is_session(folder: &Path) -> bool {
    folder.join(journal::FILE_NAME).exists()
}

/// Removes the session in a folder, if nothing has been played in it. [`Host::remove`] removes one
/// that is open.
///
/// # Errors
/// A turn was played, the journal cannot be read or removed, or a program goes on with the session.
pub fn remove(folder: &Path) -> Result<(), BadInput> {
    let opened = Journal::open(folder)?;
    if replay(folder, &opened.entries)?.is_unplayed() {
        journal::remove(folder)
    } else {
        Err(BadInput(PLAYED.to_owned()))
    }
}

fn replay(folder: &Path, entries: &[Entry]) -> Result<State, BadInput> {
    let at = |fault| {
        BadInput(format!(
            "{}: {fault}",
            folder.join(journal::FILE_NAME).display()
        ))
    };
    State::replay(entries).map_err(at)
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what follows from the state, and wakes those who wait for a change.
    fn publish(&self, inner: &mut Inner) {
        inner.follow();
        inner.version.changes += 1;
        self.changed.notify_all();
    }

    /// Takes news of the engine of a seat about one of its tasks.
    fn hear(&self, seat: usize, number: u64, news: News) {
        let mut inner = self.lock();
        let now = inner.tick();
        let Some(engine) = &mut inner.engines[seat] else {
            return;
        };
        let is_current = engine.number == number && engine.duty.is_some();
        let event = match news {
            News::Report(info) if is_current => {
                engine.live.report = Some(info);
                inner.version.reports += 1;
                return self.changed.notify_all();
            }
            News::Turn(text, info) if is_current => inner.answered(text, info),
            News::Resigns if is_current => inner.answered(RESIGN.to_owned(), None),
            News::GivenUp if is_current => {
                engine.live.given_up = true;
                engine.live.thinks = false;
                None
            }
            News::Ready(version) => {
                engine.live.is_ready = true;
                Some(Event::Ready { seat, version })
            }
            News::Lost(detail) => {
                engine.live.is_ready = false;
                Some(Event::Lost { seat, detail })
            }
            _ => return,
        };
        if let Some(event) = event {
            inner.commit(now, event);
        }
        self.publish(&mut inner);
    }

    /// Until the session is closed, ends the game when a clock runs out, and notes every second, while a
    /// clock runs, that the program does.
    fn run_timer(&self) {
        let mut inner = self.lock();
        let mut beaten = Timestamp::UNIX_EPOCH;
        while !inner.is_closed {
            let now = inner.wall.now();
            if Duration::try_from(now.duration_since(beaten)).is_ok_and(|since| since >= TICK) {
                inner.beat(now);
                beaten = now;
            }
            if inner.state.lost_on_time(now).is_some() {
                inner.tick();
                self.publish(&mut inner);
            }
            let game = inner.state.game();
            let left = game.deadline().map(|end| end.duration_since(now));
            // The flag falls only after its time.
            let left = left.map(|left| left + SignedDuration::from_millis(1));
            let left = left.and_then(|left| Duration::try_from(left).ok());
            let runs = game.since.is_some();
            inner = if runs {
                let wait = left.unwrap_or(TICK).min(TICK);
                let woken = self.changed.wait_timeout(inner, wait);
                woken.unwrap_or_else(PoisonError::into_inner).0
            } else {
                let woken = self.changed.wait(inner);
                woken.unwrap_or_else(PoisonError::into_inner)
            };
        }
    }
}

#[cfg(test)]
mod tests;

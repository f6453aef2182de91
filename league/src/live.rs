//! The games in progress: for the display of a league, and in a file beside its log for other
//! programs, such as pages that show boards as they are played.
//!
//! The file is rewritten while games go on. At the end of the run it keeps how many games the league
//! has: the log alone does not tell a finished league from an interrupted one. It is small, never
//! synced, and no game waits for its readers.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use base::disk;
use base::input;
use gamelog::record::TurnRecord;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use task::GameTask;
use task::clock::ClockSpec;

/// Name of the file in the folder of a league.
pub const FILE_NAME: &str = "live.json";

/// Most bytes of the file that are read: 64 MiB, for thousands of games. A longer one is none of ours.
const MAX_BYTES: u64 = 64 << 20;

/// How often the file is written if something has changed.
const INTERVAL: Duration = Duration::from_millis(500);

/// How often it is written if nothing has: a reader can tell that the league still runs.
const HEARTBEAT: SignedDuration = SignedDuration::from_secs(3);

/// The age from which a file was left behind by a league that was killed.
const STALE: SignedDuration = SignedDuration::from_secs(12);

/// What the file holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When it was written.
    pub written: Timestamp,
    /// Number of games that the league has in all, as far as it is known.
    pub planned: usize,
    /// The games in progress, in the order in which they began.
    pub games: Vec<Playing>,
    /// Whether the run has ended.
    #[serde(default)]
    pub ended: bool,
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Playing {
    /// Its id.
    pub id: String,
    /// Id of the game played: `hex`.
    pub game: String,
    /// The variant, with all defaults filled in.
    pub variant: Value,
    /// The moves or position played before the engines take over; empty for none.
    pub opening: String,
    /// Names of the engines, `First` first.
    pub engines: [String; 2],
    /// Their clocks.
    pub clocks: [ClockSpec; 2],
    /// Time left over from the previous game of the meeting on both clocks, µs, if one clock covers
    /// the whole meeting.
    pub carried_us: Option<[u64; 2]>,
    /// When it began.
    pub started: Timestamp,
    /// When the last turn or roll was played; at first, when the game began.
    pub since: Timestamp,
    /// The turns and rolls so far.
    pub turns: Vec<TurnRecord>,
}

impl Snapshot {
    /// The snapshot of the league in `folder`; `None` if none is running there.
    pub fn read(folder: &Path) -> Option<Snapshot> {
        let snapshot = Snapshot::last(folder)?;
        let age = Timestamp::now().duration_since(snapshot.written);
        (!snapshot.ended && age.abs() < STALE).then_some(snapshot)
    }

    /// Number of games of the league in `folder`, as its last run has planned them; `None` if it is
    /// not known.
    pub fn planned(folder: &Path) -> Option<usize> {
        Some(Snapshot::last(folder)?.planned)
    }

    /// The last snapshot, however old.
    fn last(folder: &Path) -> Option<Snapshot> {
        let file = input::promptly(&folder.join(FILE_NAME)).ok()?;
        let mut text = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// The games in progress. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Live(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    planned: usize,
    games: BTreeMap<u64, Playing>,
    /// Number of games that have begun.
    begun: u64,
    changed: bool,
}

/// A game in progress; it ends when this is dropped.
#[derive(Debug)]
pub struct Started {
    live: Live,
    number: u64,
}

impl Live {
    /// Says how many games the league has in all.
    pub fn plan(&self, games: usize) {
        self.change(|state| state.planned = games);
    }

    /// Adds a game.
    pub fn start(&self, task: &GameTask) -> Started {
        let now = Timestamp::now();
        let game = Playing {
            id: task.id.clone(),
            game: task.game.clone(),
            variant: task.variant.clone(),
            opening: task.opening.clone(),
            engines: [&task.first, &task.second].map(|engine| engine.name.clone()),
            clocks: task.clocks(),
            carried_us: task.carried_us,
            started: now,
            since: now,
            turns: Vec::new(),
        };
        let mut number = 0;
        self.change(|state| {
            state.begun += 1;
            number = state.begun;
            state.games.insert(number, game);
        });
        let live = self.clone();
        Started { live, number }
    }

    /// The state now.
    pub fn snapshot(&self) -> Snapshot {
        let state = self.lock();
        Snapshot {
            written: Timestamp::now(),
            planned: state.planned,
            games: state.games.values().cloned().collect(),
            ended: false,
        }
    }

    /// Something of each game in progress, in the order in which they began. The games wait
    /// meanwhile, so it should be short.
    pub fn list<T>(&self, of: impl FnMut(&Playing) -> T) -> Vec<T> {
        self.lock().games.values().map(of).collect()
    }

    /// Keeps the file in `folder` up to date until the result is dropped, which writes the end.
    ///
    /// # Errors
    /// The file cannot be written, or there is no thread.
    pub fn write_to(&self, folder: &Path) -> io::Result<Writer> {
        let path = folder.join(FILE_NAME);
        write(&path, &self.snapshot())?;
        let (end, ended) = mpsc::channel::<()>();
        let (live, own) = (self.clone(), path.clone());
        let thread = thread::Builder::new().spawn(move || {
            let mut written = Timestamp::now();
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let is_due = Timestamp::now().duration_since(written) >= HEARTBEAT;
                if live.take_changed() || is_due {
                    // A full disk hides the boards for a while and harms no game.
                    let _ = write(&own, &live.snapshot());
                    written = Timestamp::now();
                }
            }
        })?;
        Ok(Writer {
            live: self.clone(),
            path,
            end: Some(end),
            thread: Some(thread),
        })
    }

    fn take_changed(&self) -> bool {
        std::mem::take(&mut self.lock().changed)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        state.changed = true;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Started {
    /// Adds a turn or a roll.
    pub fn turn(&self, turn: &TurnRecord) {
        self.live.change(|state| {
            if let Some(game) = state.games.get_mut(&self.number) {
                game.turns.push(turn.clone());
                game.since = Timestamp::now();
            }
        });
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.live
            .change(|state| drop(state.games.remove(&self.number)));
    }
}

/// Keeps the file up to date; dropping it writes that the run has ended.
#[derive(Debug)]
pub struct Writer {
    live: Live,
    path: PathBuf,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let end = Snapshot {
            games: Vec::new(),
            ended: true,
            ..self.live.snapshot()
        };
        if write(&self.path, &end).is_err() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn write(path: &Path, snapshot: &Snapshot) -> io::Result<()> {
    disk::replace_unsynced(path, &serde_json::to_vec(snapshot)?)
}

#[cfg(test)]
mod tests {
    use task::EngineSpec;
    use task::adjudication::Adjudication;

    use super::*;

    fn task(id: &str) -> GameTask {
        let engine = |name: &str| EngineSpec {
            name: name.to_owned(),
            ..EngineSpec::default()
        };
        GameTask {
            id: id.to_owned(),
            league: "test".to_owned(),
            game: "hex".to_owned(),
            variant: Value::Null,
            stage: String::new(),
            round: 1,
            number: 0,
            opening: String::new(),
            seed: 1,
            dice: None,
            first: engine("a"),
            second: engine("b"),
            clock: ClockSpec::default(),
            carried_us: None,
            adjudication: Adjudication::default(),
            pause_opponent: false,
            idle_cpu: Default::default(),
            overrides: Vec::new(),
            pace: None,
        }
    }

    fn ids(snapshot: &Snapshot) -> Vec<(&str, usize)> {
        let games = snapshot.games.iter();
        games.map(|game| (&*game.id, game.turns.len())).collect()
    }

    #[test]
    fn games_are_there_while_they_are_played() {
        let live = Live::default();
        live.plan(7);
        let one = live.start(&task("1"));
        let two = live.start(&task("2"));
        two.turn(&gamelog::record::sample::turn("a1"));
        assert_eq!(ids(&live.snapshot()), [("1", 0), ("2", 1)]);
        let games = live.snapshot().games;
        assert_eq!(games[0].since, games[0].started);
        assert!(games[1].since >= games[1].started);
        drop(one);
        assert_eq!(ids(&live.snapshot()), [("2", 1)]);
        assert_eq!(live.snapshot().planned, 7);
        assert_eq!(live.list(|game| game.id.clone()), ["2"]);
    }

    #[test]
    fn the_file_follows_the_games_and_keeps_how_many_there_are() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Snapshot::planned(folder.path()), None);
        let live = Live::default();
        live.plan(7);
        let writer = live.write_to(folder.path()).unwrap();
        assert_eq!(ids(&Snapshot::read(folder.path()).unwrap()), []);
        let game = live.start(&task("1"));
        game.turn(&gamelog::record::sample::turn("a1"));
        while ids(&Snapshot::read(folder.path()).unwrap()) != [("1", 1)] {
            thread::sleep(Duration::from_millis(10));
        }
        drop(writer);
        assert_eq!(Snapshot::read(folder.path()), None);
        assert_eq!(Snapshot::planned(folder.path()), Some(7));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_left_behind_shows_no_games() {
        let folder = tempfile::tempdir().unwrap();
        let old = Snapshot {
            written: Timestamp::now() - STALE - SignedDuration::from_secs(1),
            ..Live::default().snapshot()
        };
        write(&folder.path().join(FILE_NAME), &old).unwrap();
        assert_eq!(Snapshot::read(folder.path()), None);
        fs::write(folder.path().join(FILE_NAME), "{").unwrap();
        assert_eq!(Snapshot::read(folder.path()), None);
    }
}

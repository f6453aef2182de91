//! Events: a stream of JSON lines for other programs, written while a league runs.
//! `matches/README.md` describes every field.
//!
//! Games never wait for the reader of events. Game threads put events into a bounded queue, and a
//! separate thread writes them. If the reader is slow and the queue fills up, turns are dropped
//! first, then all other events, and the next line has the number of dropped events. Blocking would
//! let a reader stop the league; an unbounded queue would let it exhaust the memory.

mod watcher;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::error::tell;
use engine_process::info::EngineInfo;
use gamelog::record::{CpuTime, GameRecord, GameResult, Reason, SideName, TurnRecord, is_zero_us};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use task::GameTask;
use task::clock::ClockSpec;

use crate::results::standings::{Row, Standings, Table};

pub use self::watcher::EventWatcher;

/// Capacity of the queue: a few MiB at most, and some seconds of the fastest league.
const CAPACITY: usize = 8192;

/// Turns are dropped above this fill level, to leave room for the events at the start and end of
/// games.
const TURN_CAPACITY: usize = CAPACITY / 2;

/// How long the end of a run waits for a reader that reads nothing.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// Polling interval at the end of a run.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// One line of the stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// When it happened.
    pub time: Timestamp,
    /// Number of events dropped since the previous line.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// An event of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// A run begins, or results have determined more games to play.
    Planned {
        /// Name of the league.
        league: String,
        /// Number of games added to the plan of this run.
        games: usize,
        /// Number of games in the log.
        logged: usize,
    },
    /// A game begins.
    Started {
        /// Its id.
        id: String,
        /// Id of the game played: `hex`.
        game: String,
        /// The variant, with all defaults filled in.
        variant: Value,
        /// Its stage, as in the log.
        stage: String,
        /// Round, from 1.
        round: u32,
        /// Its number within its meeting, as in the log.
        number: u32,
        /// The moves or position played before the engines take over; empty for none.
        opening: String,
        /// Name of the engine that plays `First`.
        first: String,
        /// Name of the engine that plays `Second`.
        second: String,
        /// The clock of every engine that has no clock of its own.
        clock: Box<ClockSpec>,
    },
    /// A turn was played, or a die was rolled.
    Turn {
        /// The game's id.
        id: String,
        /// Number of the turn or roll in the game, from 1.
        ply: usize,
        /// The side that played the turn, or that plays after the roll.
        side: SideName,
        /// The turn in UGI notation, or the roll: `d6`.
        text: String,
        /// Time used, µs.
        used_us: u64,
        /// Time left on the side's clock, µs; absent without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_us: Option<u64>,
        /// What was taken from the clock before the turn for CPU time while the engine was not to move,
        /// µs; absent if nothing was.
        #[serde(default, skip_serializing_if = "is_zero_us")]
        charged_us: u64,
        /// The last search report of the engine.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        info: Option<EngineInfo>,
        /// The CPU time of the engine's processes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cpu: Option<CpuTime>,
        /// Illegal turns that the engine took back before this one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refused: Vec<String>,
    },
    /// A game has finished and is in the log.
    Finished {
        /// Its id.
        id: String,
        /// Who won.
        result: GameResult,
        /// Why it ended.
        reason: Reason,
        /// The reason in words.
        detail: String,
        /// Number of turns and rolls.
        plies: usize,
        /// How long it took, ms.
        duration_ms: u64,
    },
    /// Standings over all games of the log.
    Standings {
        /// By game, best engine first.
        by_game: BTreeMap<String, Vec<Place>>,
        /// Over all games, best engine first.
        all: Vec<Place>,
    },
}

/// The place of an engine in a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Two for a win, one for a draw.
    pub points: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Event {
    fn started(task: &GameTask) -> Event {
        Event::Started {
            id: task.id.clone(),
            game: task.game.clone(),
            variant: task.variant.clone(),
            stage: task.stage.clone(),
            round: task.round,
            number: task.number,
            opening: task.opening.clone(),
            first: task.first.name.clone(),
            second: task.second.name.clone(),
            clock: Box::new(task.clock),
        }
    }

    fn turn(id: &str, ply: usize, turn: &TurnRecord) -> Event {
        let TurnRecord {
            side,
            text,
            used_us,
            left_us,
            charged_us,
            info,
            cpu,
            refused,
        } = turn.clone();
        Event::Turn {
            id: id.to_owned(),
            ply,
            side,
            text,
            used_us,
            left_us,
            charged_us,
            info,
            cpu,
            refused,
        }
    }

    fn finished(game: &GameRecord) -> Event {
        Event::Finished {
            id: game.id.clone(),
            result: game.result,
            reason: game.reason,
            detail: game.detail.clone(),
            plies: game.turns.len(),
            duration_ms: game.duration_ms,
        }
    }

    fn standings(standings: &Standings) -> Event {
        let by_game = standings.by_game.iter();
        Event::Standings {
            by_game: by_game
                .map(|(game, table)| (game.clone(), places(table)))
                .collect(),
            all: places(&standings.all),
        }
    }
}

fn places(table: &Table) -> Vec<Place> {
    let place = |row: &Row| {
        let total = row.total();
        Place {
            name: row.name.clone(),
            points: total.points(),
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
        }
    };
    table.ranked().into_iter().map(place).collect()
}

/// The event stream: a file, or nothing. Any thread can send events, and sending never blocks.
/// Dropping it flushes the queue, as long as the reader reads.
#[derive(Debug, Default)]
pub struct Events {
    queue: Option<Queue>,
}

#[derive(Debug)]
struct Queue {
    sender: SyncSender<Line>,
    counts: Arc<Counts>,
    /// The writer thread; it returns whether all lines were written.
    writer: JoinHandle<bool>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Number of events in the queue.
    queued: AtomicUsize,
    /// Events dropped since the last one that was queued.
    dropped: AtomicU64,
    /// All events dropped.
    dropped_total: AtomicU64,
}

impl Events {
    /// Appends events to the file at `path`; `-` means standard output. A named pipe needs no
    /// reader yet.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn open(path: &Path) -> io::Result<Events> {
        let file = if path == Path::new("-") {
            // A duplicate: another thread may hold the lock of the standard library's handle.
            File::from(rustix::io::dup(rustix::stdio::stdout())?)
        } else {
            let is_fifo = path.metadata().is_ok_and(|file| file.file_type().is_fifo());
            // Opening a named pipe for reading too does not wait for a reader.
            let mut options = OpenOptions::new();
            options.append(true).create(true).read(is_fifo);
            options.open(path)?
        };
        Ok(Events::to(file, path.to_owned()))
    }

    fn to(file: impl Write + Send + 'static, path: PathBuf) -> Events {
        let (sender, lines) = mpsc::sync_channel(CAPACITY);
        let counts = Arc::new(Counts::default());
        let counted = Arc::clone(&counts);
        let writer = std::thread::spawn(move || {
            let written = write_all(file, &lines, &counted);
            let path = path.display();
            if let Err(error) = &written {
                tell(format_args!(
                    "warning: --events {path}: {error}; the league continues without events"
                ));
            }
            written.is_ok()
        });
        Events {
            queue: Some(Queue {
                sender,
                counts,
                writer,
            }),
        }
    }

    /// More games are planned; `logged` games are in the log.
    pub fn planned(&self, league: &str, games: usize, logged: usize) {
        self.send(CAPACITY, || Event::Planned {
            league: league.to_owned(),
            games,
            logged,
        });
    }

    /// A game begins.
    pub fn started(&self, task: &GameTask) {
        self.send(CAPACITY, || Event::started(task));
    }

    /// A turn or roll was played; `ply` is its number in the game, from 1.
    pub fn turn(&self, id: &str, ply: usize, turn: &TurnRecord) {
        self.send(TURN_CAPACITY, || Event::turn(id, ply, turn));
    }

    /// A game was appended to the log.
    pub fn finished(&self, game: &GameRecord) {
        self.send(CAPACITY, || Event::finished(game));
    }

    /// The standings changed.
    pub fn standings(&self, standings: &Standings) {
        self.send(CAPACITY, || Event::standings(standings));
    }

    /// Whether events are written at all.
    pub fn is_on(&self) -> bool {
        self.queue.is_some()
    }

    /// Queues an event, unless `most` events or more are in the queue.
    fn send(&self, most: usize, event: impl FnOnce() -> Event) {
        let Some(Queue { sender, counts, .. }) = &self.queue else {
            return;
        };
        // Counted before it is queued: the writer may take it at once.
        if counts.queued.fetch_add(1, Ordering::Relaxed) >= most {
            counts.queued.fetch_sub(1, Ordering::Relaxed);
            counts.count_dropped(1);
            return;
        }
        let dropped = counts.dropped.swap(0, Ordering::Relaxed);
        let line = Line {
            time: Timestamp::now(),
            dropped,
            event: event(),
        };
        // The queue has room, because no more are counted than it holds. Sending fails only if the
        // writer has ended, which was reported.
        let _ = sender.try_send(line);
    }
}

impl Counts {
    /// Waits for the writer to end, as long as the reader makes progress. Returns whether it has
    /// ended.
    fn drain(&self, writer: &JoinHandle<bool>) -> bool {
        let mut queued = self.queued.load(Ordering::Relaxed);
        let mut since = Instant::now();
        while !writer.is_finished() {
            if since.elapsed() >= DRAIN_TIMEOUT {
                return false;
            }
            std::thread::sleep(POLL_INTERVAL);
            let now = self.queued.load(Ordering::Relaxed);
            if now != queued {
                (queued, since) = (now, Instant::now());
            }
        }
        true
    }

    fn count_dropped(&self, count: u64) {
        self.dropped.fetch_add(count, Ordering::Relaxed);
        self.dropped_total.fetch_add(count, Ordering::Relaxed);
    }
}

/// Writes lines, one write per line, until all senders are dropped.
fn write_all(mut file: impl Write, lines: &Receiver<Line>, counts: &Counts) -> io::Result<()> {
    for line in lines {
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        file.write_all(&text)?;
        file.flush()?;
        counts.queued.fetch_sub(1, Ordering::Relaxed);
    }
    Ok(())
}

impl Drop for Events {
    fn drop(&mut self) {
        let Some(Queue {
            sender,
            counts,
            writer,
        }) = self.queue.take()
        else {
            return;
        };
        drop(sender);
        if counts.drain(&writer) {
            // A writer error was reported, and a panic was printed.
            if !writer.join().unwrap_or(false) {
                return;
            }
        } else {
            counts.count_dropped(counts.queued.load(Ordering::Relaxed) as u64);
        }
        let dropped = counts.dropped_total.load(Ordering::Relaxed);
        if dropped > 0 {
            tell(format_args!(
                "warning: {dropped} events were dropped: their reader was too slow"
            ));
        }
    }
}

#[cfg(test)]
mod tests;

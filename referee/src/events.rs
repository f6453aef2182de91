//! Events: what happens in a league, told to other programs as it happens, one JSON line each.
//! `matches/README.md` describes every field.
//!
//! Games never wait for whoever reads them. Their threads put events into a queue of bounded length,
//! and a thread of its own writes them. Where the reader is slow and the queue fills up, turns are
//! left out first, then the rest, and the next line says how many. Blocking would let a reader stop
//! the league, and a queue without bounds would let it fill the memory.

mod teller;

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

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::teller::Teller;
use crate::clock::ClockSpec;
use crate::error::tell;
use crate::record::{EngineInfo, GameRecord, GameResult, Reason, SideName, TurnRecord};
use crate::standings::{Row, Standings, Table};
use crate::task::GameTask;

/// Events that may wait to be written: some MiB at most, and some seconds of the fastest league.
const QUEUE: usize = 8192;

/// Turns are left out from here on, so that there is room for the events that frame a game.
const TURNS: usize = QUEUE / 2;

/// How long the end of a run waits for a reader that reads nothing at all.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the end of a run looks whether all is written.
const LOOK: Duration = Duration::from_millis(2);

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// When it happened.
    pub time: Timestamp,
    /// How many events before this one were left out since the last line.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What happens in a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// A run begins, or results have made games known that are to be played.
    Planned {
        /// Name of the league.
        league: String,
        /// Games that this run has to play besides those that were planned before.
        games: usize,
        /// Games that are in the log.
        logged: usize,
    },
    /// A game begins.
    Started {
        /// Its id.
        id: String,
        /// Id of what is played: `hex`.
        game: String,
        /// The complete variant.
        variant: Value,
        /// Its stage, as in the log.
        stage: String,
        /// Round, from 1.
        round: u32,
        /// Its number in its meeting, as in the log.
        number: u32,
        /// Turns played before the engines take over; empty for none.
        opening: String,
        /// Name of the engine that plays `First`.
        first: String,
        /// Name of the other.
        second: String,
        /// The clock of both sides.
        clock: Box<ClockSpec>,
    },
    /// A turn was played, or a roll cast.
    Turn {
        /// The game's id.
        id: String,
        /// Its number in the game's list of turns and rolls, from 1.
        ply: usize,
        /// Who played it; of a roll, who plays after it.
        side: SideName,
        /// The turn as UGI writes it, or the roll: `d6`.
        text: String,
        /// Time charged, µs.
        used_us: u64,
        /// Left on the side's clock, µs; absent without one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_us: Option<u64>,
        /// What the engine reported last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        info: Option<EngineInfo>,
        /// The illegal turns that were taken back before.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refused: Vec<String>,
    },
    /// A game has ended and is in the log.
    Finished {
        /// Its id.
        id: String,
        /// Who won.
        result: GameResult,
        /// Why it ended.
        reason: Reason,
        /// The reason in words.
        detail: String,
        /// Turns and rolls.
        plies: usize,
        /// How long it took, ms.
        duration_ms: u64,
    },
    /// How the engines stand, over all games of the log.
    Standings {
        /// By game, the best engine first.
        by_game: BTreeMap<String, Vec<Place>>,
        /// Over all games, the best engine first.
        all: Vec<Place>,
    },
}

/// An engine in a table.
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
            info,
            refused,
        } = turn.clone();
        Event::Turn {
            id: id.to_owned(),
            ply,
            side,
            text,
            used_us,
            left_us,
            info,
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

/// Where events go: a file, or nowhere. Whoever holds it can tell them from any thread, and never
/// waits. Dropping it writes what waits, as long as somebody reads.
#[derive(Debug, Default)]
pub struct Events {
    queue: Option<Queue>,
}

#[derive(Debug)]
struct Queue {
    sender: SyncSender<Line>,
    counts: Arc<Counts>,
    /// Writes them; the result is whether it could.
    writer: JoinHandle<bool>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Events that wait.
    waiting: AtomicUsize,
    /// Events that were left out since the last one that was not.
    dropped: AtomicU64,
    /// All that were left out.
    dropped_in_all: AtomicU64,
}

impl Events {
    /// Appends events to the file at `path`; `-` stands for standard output. A named pipe may have no
    /// reader yet.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn open(path: &Path) -> io::Result<Events> {
        let file = if path == Path::new("-") {
            // Not the standard library's handle, which another thread may hold.
            File::from(rustix::io::dup(rustix::stdio::stdout())?)
        } else {
            let is_fifo = path.metadata().is_ok_and(|file| file.file_type().is_fifo());
            // A named pipe that is opened for reading, too, does not wait for its reader.
            let mut options = OpenOptions::new();
            options.append(true).create(true).read(is_fifo);
            options.open(path)?
        };
        Ok(Events::to(file, path.to_owned()))
    }

    fn to(file: impl Write + Send + 'static, path: PathBuf) -> Events {
        let (sender, lines) = mpsc::sync_channel(QUEUE);
        let counts = Arc::new(Counts::default());
        let counted = Arc::clone(&counts);
        let writer = std::thread::spawn(move || {
            let written = write_all(file, &lines, &counted);
            let path = path.display();
            if let Err(error) = &written {
                tell(format_args!(
                    "warning: --events {path}: {error}; the league goes on without events"
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

    /// So many games more are to be played where so many are in the log.
    pub fn planned(&self, league: &str, games: usize, logged: usize) {
        self.tell(QUEUE, || Event::Planned {
            league: league.to_owned(),
            games,
            logged,
        });
    }

    /// A game begins.
    pub fn started(&self, task: &GameTask) {
        self.tell(QUEUE, || Event::started(task));
    }

    /// The turn or roll with this number, from 1, was played in a game.
    pub fn turn(&self, id: &str, ply: usize, turn: &TurnRecord) {
        self.tell(TURNS, || Event::turn(id, ply, turn));
    }

    /// A game is in the log.
    pub fn finished(&self, game: &GameRecord) {
        self.tell(QUEUE, || Event::finished(game));
    }

    /// How the engines stand.
    pub fn standings(&self, standings: &Standings) {
        self.tell(QUEUE, || Event::standings(standings));
    }

    /// Whether anybody is told anything.
    pub fn is_on(&self) -> bool {
        self.queue.is_some()
    }

    /// Has an event written, unless `most` of them wait already.
    fn tell(&self, most: usize, event: impl FnOnce() -> Event) {
        let Some(Queue { sender, counts, .. }) = &self.queue else {
            return;
        };
        // Taken before the event is in the queue, as the writer counts it off at once.
        if counts.waiting.fetch_add(1, Ordering::Relaxed) >= most {
            counts.waiting.fetch_sub(1, Ordering::Relaxed);
            counts.leave_out(1);
            return;
        }
        let dropped = counts.dropped.swap(0, Ordering::Relaxed);
        let line = Line {
            time: Timestamp::now(),
            dropped,
            event: event(),
        };
        // There is room: no more are counted than the queue holds. Only the writer's end, which has
        // been told of, can be in the way.
        let _ = sender.try_send(line);
    }
}

impl Counts {
    /// Waits for the writer to end, as long as somebody reads at all. Returns whether it has ended.
    fn drain(&self, writer: &JoinHandle<bool>) -> bool {
        let mut waiting = self.waiting.load(Ordering::Relaxed);
        let mut since = Instant::now();
        while !writer.is_finished() {
            if since.elapsed() >= PATIENCE {
                return false;
            }
            std::thread::sleep(LOOK);
            let now = self.waiting.load(Ordering::Relaxed);
            if now != waiting {
                (waiting, since) = (now, Instant::now());
            }
        }
        true
    }

    fn leave_out(&self, count: u64) {
        self.dropped.fetch_add(count, Ordering::Relaxed);
        self.dropped_in_all.fetch_add(count, Ordering::Relaxed);
    }
}

/// Writes lines, each whole and at once, until nobody can tell any more.
fn write_all(mut file: impl Write, lines: &Receiver<Line>, counts: &Counts) -> io::Result<()> {
    for line in lines {
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        file.write_all(&text)?;
        file.flush()?;
        counts.waiting.fetch_sub(1, Ordering::Relaxed);
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
            // A writer that has failed has told of it, and a panic has been printed.
            if !writer.join().unwrap_or(false) {
                return;
            }
        } else {
            counts.leave_out(counts.waiting.load(Ordering::Relaxed) as u64);
        }
        let dropped = counts.dropped_in_all.load(Ordering::Relaxed);
        if dropped > 0 {
            tell(format_args!(
                "warning: {dropped} events were left out, as their reader was slow"
            ));
        }
    }
}

#[cfg(test)]
mod tests;

//! The league: workers play the games that are due and not yet logged.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use gamelog::record::GameRecord;
use gamelog::{AppendError, Log};

use crate::tournament::{Ended, Played};

/// How often the progress display is updated while no game ends.
const TICK_INTERVAL: Duration = Duration::from_millis(500);

/// How to end a run early.
#[derive(Debug, Default)]
pub struct Stop {
    /// Start no more games; games in progress are finished.
    pub soon: AtomicBool,
    /// Abort the games in progress.
    pub now: AtomicBool,
}

impl Stop {
    fn starts_no_more(&self) -> bool {
        self.soon.load(Ordering::Relaxed) || self.now.load(Ordering::Relaxed)
    }
}

/// Receives the events of a run.
pub trait Watcher {
    /// `more` additional games are to be played.
    fn planned(&mut self, more: usize);

    /// A game has ended and is logged. Break to end the run.
    fn game(&mut self, game: &GameRecord) -> ControlFlow<()>;

    /// Called about every half second without a finished game.
    fn tick(&mut self);
}

/// Plays the due games, `concurrency` at a time, and appends each finished game to `games` and to
/// the log, until no game is due or `stop` or `watcher` ends the run.
///
/// `due` lists the games that can be played after those already played and that it has not listed
/// before, in playing order. It is called whenever fewer games are open than can run at a time.
/// `play` is [`crate::play::game::play_observed`] except in tests; each worker keeps a value of type
/// `Own` from game to game.
///
/// # Errors
/// The log cannot be written. The games in progress are then aborted.
pub fn run<Task: Send, Own: Default>(
    due: &mut dyn FnMut(&Played) -> Vec<Task>,
    concurrency: usize,
    log: &mut Log,
    games: &mut Played,
    watcher: &mut dyn Watcher,
    stop: &Stop,
    play: impl Fn(&mut Own, &Task, &AtomicBool) -> Option<GameRecord> + Sync,
) -> Result<(), AppendError> {
    let (sender, tasks) = mpsc::channel::<Task>();
    let tasks = Mutex::new(tasks);
    let next = || tasks.lock().expect("no holder panics").recv();
    let work = |ended: mpsc::Sender<Option<GameRecord>>| {
        let mut own = Own::default();
        while let Ok(task) = next() {
            let mut report = Report(&ended, None);
            if !stop.starts_no_more() {
                report.1 = play(&mut own, &task, &stop.now);
            }
        }
    };
    thread::scope(|scope| {
        let (reports, ended) = mpsc::channel();
        for _ in 0..concurrency {
            let reports = reports.clone();
            scope.spawn(|| work(reports));
        }
        drop(reports);
        let mut queue = Queue {
            due,
            sender,
            open: 0,
        };
        queue.refill(games, watcher);
        while queue.open > 0 {
            match ended.recv_timeout(TICK_INTERVAL) {
                Ok(Some(record)) => {
                    queue.open -= 1;
                    let logged = log.append(&record);
                    logged.inspect_err(|_| stop.now.store(true, Ordering::Relaxed))?;
                    games.add(&record.id, Ended::from(&record));
                    let enough = watcher.game(&record).is_break();
                    if enough {
                        // Abort the games in progress.
                        stop.now.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                    if queue.open < concurrency && !stop.starts_no_more() {
                        queue.refill(games, watcher);
                    }
                }
                Ok(None) => queue.open -= 1,
                Err(RecvTimeoutError::Timeout) => watcher.tick(),
                // Every worker has panicked.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        Ok(())
    })
}

/// Reports the end of a worker's game, even if the worker panics.
struct Report<'a>(&'a mpsc::Sender<Option<GameRecord>>, Option<GameRecord>);

impl Drop for Report<'_> {
    fn drop(&mut self) {
        // The receiver is gone once the run has ended.
        let _ = self.0.send(self.1.take());
    }
}

/// The queued and running games.
struct Queue<'q, Task> {
    due: &'q mut dyn FnMut(&Played) -> Vec<Task>,
    sender: mpsc::Sender<Task>,
    /// How many games are queued or running.
    open: usize,
}

impl<Task> Queue<'_, Task> {
    /// Queues the games that have become due.
    fn refill(&mut self, games: &Played, watcher: &mut dyn Watcher) {
        let new = (self.due)(games);
        self.open += new.len();
        watcher.planned(new.len());
        for task in new {
            // The receiver lives as long as the run.
            let _ = self.sender.send(task);
        }
    }
}

#[cfg(test)]
mod tests;

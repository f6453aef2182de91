//! The league: workers play what is due and not yet logged.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::log::{AppendError, Log};
use crate::record::GameRecord;
use crate::task::GameTask;
use crate::tournament::{Ended, Played};

/// How often the progress is shown anew while no game ends.
const TICK: Duration = Duration::from_millis(500);

/// How a run is asked to end before all is played.
#[derive(Debug, Default)]
pub struct Stop {
    /// No other game is to begin; those in progress are played to their end.
    pub soon: AtomicBool,
    /// The games in progress are to be given up.
    pub now: AtomicBool,
}

impl Stop {
    fn begins_no_more(&self) -> bool {
        self.soon.load(Ordering::Relaxed) || self.now.load(Ordering::Relaxed)
    }
}

/// Who hears of a run.
pub trait Watcher {
    /// So many games more are to be played.
    fn planned(&mut self, more: usize);

    /// A game has ended and is in the log. Breaks if it was the last one that is wanted.
    fn game(&mut self, game: &GameRecord) -> ControlFlow<()>;

    /// Some time has passed.
    fn tick(&mut self);
}

/// Plays what is due, `concurrency` games at a time, and appends each game to `games` and to the log
/// as it ends, until nothing is due any more, or `stop` or `watcher` ends it.
///
/// `due` names, in the order of play, games that can be played after those that have been. It is
/// asked whenever fewer games wait than can be played at a time; what it has named before is not
/// played again. `play` is [`crate::game::play_observed`] but in tests; it has something of its own
/// for each game that is played at a time, from one game to the next.
///
/// # Errors
/// The log cannot be written. The games in progress are then given up.
pub fn run<Own: Default>(
    due: &mut dyn FnMut(&Played) -> Vec<GameTask>,
    concurrency: usize,
    log: &mut Log,
    games: &mut Played,
    watcher: &mut dyn Watcher,
    stop: &Stop,
    play: impl Fn(&mut Own, &GameTask, &AtomicBool) -> Option<GameRecord> + Sync,
) -> Result<(), AppendError> {
    let (sender, waiting) = mpsc::channel::<GameTask>();
    let waiting = Mutex::new(waiting);
    let next = || waiting.lock().expect("no holder panics").recv();
    let work = |ended: mpsc::Sender<Option<GameRecord>>| {
        let mut own = Own::default();
        while let Ok(task) = next() {
            let mut answer = Answer(&ended, None);
            if !stop.begins_no_more() {
                answer.1 = play(&mut own, &task, &stop.now);
            }
        }
    };
    thread::scope(|scope| {
        let (answers, ended) = mpsc::channel();
        for _ in 0..concurrency {
            let answers = answers.clone();
            scope.spawn(|| work(answers));
        }
        drop(answers);
        let mut queue = Queue {
            due,
            sender,
            named: HashSet::new(),
            open: 0,
        };
        queue.refill(games, watcher);
        while queue.open > 0 {
            match ended.recv_timeout(TICK) {
                Ok(Some(record)) => {
                    queue.open -= 1;
                    let logged = log.append(&record);
                    logged.inspect_err(|_| stop.now.store(true, Ordering::Relaxed))?;
                    games.add(record.id.clone(), Ended::from(&record));
                    let enough = watcher.game(&record).is_break();
                    if enough {
                        // The games in progress are given up.
                        stop.now.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                    if queue.open < concurrency && !stop.begins_no_more() {
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

/// Tells, when a worker is done with a game, what became of it, even if it panics.
struct Answer<'a>(&'a mpsc::Sender<Option<GameRecord>>, Option<GameRecord>);

impl Drop for Answer<'_> {
    fn drop(&mut self) {
        // Nobody listens any more where the run has been ended.
        let _ = self.0.send(self.1.take());
    }
}

/// The games that wait or are in progress.
struct Queue<'q> {
    due: &'q mut dyn FnMut(&Played) -> Vec<GameTask>,
    sender: mpsc::Sender<GameTask>,
    /// The ids of all games that have been queued.
    named: HashSet<String>,
    /// How many games wait or are in progress.
    open: usize,
}

impl Queue<'_> {
    /// Queues what has become due.
    fn refill(&mut self, games: &Played, watcher: &mut dyn Watcher) {
        let mut new = (self.due)(games);
        new.retain(|task| self.named.insert(task.id.clone()));
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

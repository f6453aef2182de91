//! The league: workers play what is planned and not yet logged.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::log::Log;
use crate::record::GameRecord;
use crate::task::GameTask;

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
    /// A game has ended and is in the log. Breaks if it was the last one that is wanted.
    fn game(&mut self, game: &GameRecord) -> ControlFlow<()>;

    /// Some time has passed.
    fn tick(&mut self);
}

/// The planned games that are not among `logged`, in the order of the plan.
pub fn missing(plan: Vec<GameTask>, logged: &[GameRecord]) -> Vec<GameTask> {
    let logged: HashSet<&str> = logged.iter().map(|game| game.id.as_str()).collect();
    plan.into_iter()
        .filter(|task| !logged.contains(task.id.as_str()))
        .collect()
}

/// Plays `tasks` in order, `concurrency` at a time, and appends each game to `games` and to the log
/// as it ends, until all are played, or `stop` or `watcher` ends it.
///
/// `play` is [`crate::game::play`] but in tests.
///
/// # Errors
/// The log cannot be written. The games in progress are then given up.
pub fn run(
    tasks: &[GameTask],
    concurrency: usize,
    log: &mut Log,
    games: &mut Vec<GameRecord>,
    watcher: &mut dyn Watcher,
    stop: &Stop,
    play: impl Fn(&GameTask, &AtomicBool) -> Option<GameRecord> + Sync,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let work = |finished: mpsc::Sender<GameRecord>| {
        while !stop.begins_no_more() {
            let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let Some(record) = play(task, &stop.now) else {
                return;
            };
            if finished.send(record).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for _ in 0..concurrency.min(tasks.len()) {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        loop {
            match finished.recv_timeout(TICK) {
                Ok(record) => {
                    log.append(&record)
                        .inspect_err(|_| stop.now.store(true, Ordering::Relaxed))?;
                    let enough = watcher.game(&record).is_break();
                    games.push(record);
                    if enough {
                        // The games in progress are given up.
                        stop.now.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => watcher.tick(),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    })
}

#[cfg(test)]
mod tests;

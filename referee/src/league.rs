//! The league: workers play what is planned and not yet logged.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::log::Log;
use crate::progress::Progress;
use crate::record::GameRecord;
use crate::task::GameTask;

/// How often the progress is shown anew while no game ends.
const TICK: Duration = Duration::from_millis(500);

/// The planned games that are not among `logged`, in the order of the plan.
pub fn missing(plan: Vec<GameTask>, logged: &[GameRecord]) -> Vec<GameTask> {
    let logged: HashSet<&str> = logged.iter().map(|game| game.id.as_str()).collect();
    plan.into_iter()
        .filter(|task| !logged.contains(task.id.as_str()))
        .collect()
}

/// Plays `tasks` in order, `concurrency` at a time, and appends each game to `games` and to the log
/// as it ends. When `stop` is set, by Ctrl-C, the games in progress are given up and it returns.
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
    progress: &mut Progress,
    stop: &AtomicBool,
    play: impl Fn(&GameTask, &AtomicBool) -> Option<GameRecord> + Sync,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let work = |finished: mpsc::Sender<GameRecord>| {
        while !stop.load(Ordering::Relaxed) {
            let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let Some(record) = play(task, stop) else {
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
                        .inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                    progress.game(&record);
                    games.push(record);
                }
                Err(RecvTimeoutError::Timeout) => progress.tick(),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    })
}

#[cfg(test)]
mod tests;

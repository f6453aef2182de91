//! Tries every engine of a league before its first game.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use base::error::{BadInput, inform, tell};
use engine_core::Side;
use engine_process::process::Written;
use task::{EngineSpec, GameTask};

use crate::cores::Cores;
use crate::play::game::trial::{Trial, try_out};
use crate::tournament::{Due, Tournament};

/// An engine that is to be tried: its side in a game that it is to play.
type Candidate = (Side, GameTask);

/// Tries every engine once in each game of the league that it is to play, `concurrency` engines at
/// a time, and tells what the unfit ones wrote.
///
/// # Errors
/// Some are unfit.
pub(super) fn try_all(
    tournament: &Tournament,
    due: &[Due],
    concurrency: usize,
    cores: &Cores,
    stop: &AtomicBool,
) -> Result<(), BadInput> {
    let candidates = candidates(tournament, due);
    if candidates.is_empty() {
        return Ok(());
    }
    inform("trying every engine: a start and one turn");
    let (next, unfit) = (Mutex::new(candidates.iter()), Mutex::new(0));
    let work = || {
        let next = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(candidate) = next() {
            if !is_fit(candidate, cores, stop) {
                *unfit.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..concurrency.min(candidates.len()) {
            scope.spawn(work);
        }
    });
    let unfit = unfit.into_inner().unwrap_or_else(PoisonError::into_inner);
    if unfit == 0 || stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(BadInput(format!(
        "{unfit} of {} trials failed, so no game was begun; mend the engines, or add --anyway to \
         begin without trials",
        candidates.len()
    )))
}

/// Each engine of these games with its first game of each kind.
fn candidates(tournament: &Tournament, due: &[Due]) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    let seats = (due.iter()).flat_map(|due| Side::BOTH.map(|side| (side, due)));
    seats
        .filter(|&(side, due)| seen.insert((due.sides()[side.index()], due.game())))
        .map(|(side, due)| (side, tournament.task(due)))
        .collect()
}

fn engine((side, task): &Candidate) -> &EngineSpec {
    [&task.first, &task.second][side.index()]
}

/// Tries an engine, and tells what is wrong with it. Slow ones are fit.
fn is_fit(candidate: &Candidate, cores: &Cores, stop: &AtomicBool) -> bool {
    let (side, task) = candidate;
    let name = format!("{} in {}", engine(candidate).name, task.game);
    match cores.with(task, |task| try_out(*side, task, stop)) {
        Trial::Fit | Trial::Stopped => true,
        Trial::Slow(time) => {
            let time = time.as_secs();
            tell(format_args!(
                "warning: {name} has no first turn after {time} s"
            ));
            true
        }
        Trial::Unfit { fault, written } => {
            let Written { output, errors } = written;
            tell(format_args!(
                "{name} cannot play: {fault}\n{}{}",
                quote("standard output", &output),
                quote("standard error", &errors)
            ));
            false
        }
    }
}

/// What an engine has written to a stream, each line marked as its own.
fn quote(stream: &str, text: &str) -> String {
    if text.is_empty() {
        return format!("  {stream}: nothing\n");
    }
    let lines = text.lines().map(|line| format!("    | {line}\n"));
    format!("  {stream}:\n{}", lines.collect::<String>())
}

//! CPU cores for engines: every engine of a running game has its own core.

use std::sync::{Mutex, PoisonError};

use crate::task::GameTask;

/// The cores that no game is using.
#[derive(Debug)]
pub struct Cores {
    free: Mutex<Vec<[usize; 2]>>,
}

impl Cores {
    /// Cores for `games` games at a time, two for each, from the lowest core on. If there are too
    /// few, games share them.
    pub fn new(games: usize) -> Cores {
        Cores::of(&available(), games)
    }

    fn of(cores: &[usize], games: usize) -> Cores {
        let core = |number: usize| cores[number % cores.len()];
        let pairs = (0..games).rev();
        let pairs = pairs.map(|game| [core(2 * game), core(2 * game + 1)]);
        Cores {
            free: Mutex::new(pairs.collect()),
        }
    }

    /// Runs `play` with a task whose engines have their own cores.
    ///
    /// # Panics
    /// If more games run at a time than there are core pairs.
    pub fn with<T>(&self, task: &GameTask, play: impl FnOnce(&GameTask) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = free().pop().expect("a pair of cores for every game");
        let mut task = task.clone();
        [task.first.core, task.second.core] = pair.map(Some);
        let played = play(&task);
        free().push(pair);
        played
    }
}

/// The cores that the referee may use, at least one.
pub fn available() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        let cores = 0..rustix::thread::CpuSet::MAX_CPU;
        return cores.filter(|&core| set.is_set(core)).collect();
    }
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    (0..count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_share_cores_only_if_there_are_too_few() {
        let pairs = |cores: &[usize], games| {
            let mut pairs = Cores::of(cores, games).free.into_inner().unwrap();
            pairs.reverse();
            pairs
        };
        assert_eq!(pairs(&[1, 3, 5, 7], 2), [[1, 3], [5, 7]]);
        assert_eq!(pairs(&[0, 1, 2], 2), [[0, 1], [2, 0]]);
        assert_eq!(pairs(&[4], 2), [[4, 4]; 2]);
    }
}

//! CPU cores for engines: every engine of a running game has its own core.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::base::plain::games_in_words;
use crate::league::config::{Config, Cpus, EngineConfig, available_cores};
use crate::task::clock::ClockSpec;
use crate::task::{GameTask, option};

/// The cores that no game is using; `None` if engines have none of their own.
#[derive(Debug)]
pub struct Cores(Option<Mutex<Vec<[usize; 2]>>>);

impl Cores {
    /// Some of `cores`, at least one, for `games` games at a time: two for each, in their order. If
    /// there are too few, games share them.
    pub fn of(cores: Option<&[usize]>, games: usize) -> Cores {
        Cores(cores.map(|cores| {
            let core = |number: usize| cores[number % cores.len()];
            let pairs = (0..games).rev();
            let pairs = pairs.map(|game| [core(2 * game), core(2 * game + 1)]);
            Mutex::new(pairs.collect())
        }))
    }

    /// Runs `play` with a task whose engines have their own cores, if they are to have them.
    ///
    /// # Panics
    /// If more games run at a time than there are core pairs.
    pub fn with<T>(&self, task: &GameTask, play: impl FnOnce(&GameTask) -> T) -> T {
        let Some(free) = &self.0 else {
            return play(task);
        };
        let free = || free.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = free().pop().expect("a pair of cores for every game");
        let mut task = task.clone();
        [task.first.core, task.second.core] = pair.map(Some);
        let played = play(&task);
        free().push(pair);
        played
    }
}

/// A warning if more threads may think at a time than there are cores: their clocks then run while
/// they wait for a core. `None` if there are enough, or if no clock runs.
pub fn shortage(config: &Config) -> Option<String> {
    let mut timed = (config.engines.iter())
        .filter(|engine| is_timed(config, engine))
        .peekable();
    timed.peek()?;
    if config.cpus != Cpus::Any
        && let Some(engine) = timed.find(|engine| threads(engine) > 1)
    {
        return Some(format!(
            "engine {} has {} threads and one core (cpus in [league]): they take turns on it while \
             its clock runs",
            engine.name,
            threads(engine)
        ));
    }
    let (needed, cores) = (
        config.concurrency as u64 * of_a_game(config),
        config.cpus.cores().unwrap_or_else(available_cores).len() as u64,
    );
    (needed > cores).then(|| {
        let fewer = (cores / of_a_game(config)).max(1);
        let games = games_in_words(config.concurrency);
        let advice = match config.concurrency as u64 > fewer {
            true => format!("concurrency = {fewer} would do"),
            false => "fewer threads would do".to_owned(),
        };
        format!(
            "{games} at a time may use {needed} threads, and there {}: engines wait for a core \
             while their clocks run, so they play worse and may lose on time; {advice}",
            match cores {
                1 => "is 1 core".to_owned(),
                cores => format!("are {cores} cores"),
            }
        )
    })
}

/// Whether a clock runs for an engine in any of its games.
fn is_timed(config: &Config, engine: &EngineConfig) -> bool {
    let mut games = (config.games.iter()).filter(|game| engine.games.contains(&game.id));
    games.any(|game| engine.clocks(game).iter().any(ClockSpec::is_timed))
}

/// How many threads may think at a time in one game: those of the engine to move, and those of an
/// engine that thinks in the other's time.
pub fn of_a_game(config: &Config) -> u64 {
    let ponders = |engine: &EngineConfig| {
        !config.pause_opponent
            && option(&engine.options, "ponder").is_some_and(|value| value == true)
    };
    let engines = &config.engines;
    let pairs = (engines.iter().enumerate())
        .flat_map(|(place, one)| engines[place + 1..].iter().map(move |other| (one, other)));
    let of_a_pair = |(one, other): (&EngineConfig, &EngineConfig)| {
        let both = [threads(one), threads(other)];
        if ponders(one) || ponders(other) {
            both[0] + both[1]
        } else {
            both[0].max(both[1])
        }
    };
    pairs.map(of_a_pair).max().unwrap_or(1)
}

/// The number of search threads that an engine's options set.
fn threads(engine: &EngineConfig) -> u64 {
    let set = option(&engine.options, "threads").and_then(Value::as_u64);
    set.unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortage of a league with these keys, this clock and these options of its engine `a`.
    fn shortage_of(keys: &str, clock: &str, options: &str) -> Option<String> {
        let text = format!(
            "[league]\nname = \"x\"\ngames = [\"hex\"]\n{keys}\n[clock]\n{clock}\n\
             [[engine]]\nname = \"a\"\nbuiltin = \"pvs\"\noptions = {{ {options} }}\n\
             [[engine]]\nname = \"b\"\nbuiltin = \"pvs\"\n"
        );
        let config = Config::parse("x.toml".as_ref(), &text, &[]).expect("a sound league");
        shortage(&config)
    }

    #[test]
    fn more_threads_than_cores_are_told() {
        let cores = available_cores().len();
        let enough = format!("concurrency = {cores}");
        let (timed, nodes) = ("base = \"10s\"", "nodes = 100");
        assert_eq!(shortage_of(&enough, timed, ""), None);
        let said = shortage_of(&enough, timed, "Threads = 2").expect("twice as many threads");
        assert!(
            said.contains(&format!("may use {} threads", 2 * cores)),
            "{said}"
        );
        let said = shortage_of(&enough, timed, "ponder = true").expect("both think at a time");
        assert!(
            said.contains(&format!("may use {} threads", 2 * cores)),
            "{said}"
        );
        let paused = format!("{enough}\npause_opponent = true");
        assert_eq!(shortage_of(&paused, timed, "ponder = true"), None);
        assert_eq!(shortage_of(&enough, nodes, "threads = 64"), None);
        let own = "cpus = \"one-per-engine\"\nshare_cpus = true";
        let said = shortage_of(own, timed, "threads = 2").expect("two threads on a core");
        assert!(
            said.starts_with("engine a has 2 threads and one core"),
            "{said}"
        );
    }

    /// An engine may have a clock of its own, or no clock where the others have one.
    #[test]
    fn the_clock_of_an_engine_counts() {
        let enough = format!("concurrency = {}", available_cores().len());
        let (timed, nodes) = ("base = \"10s\"", "nodes = 100");
        let own = |clock: &str| format!("threads = 2 }}\nclock = {{ {clock}");
        let said = shortage_of(&enough, nodes, &own("base = \"10s\""));
        assert!(said.is_some_and(|said| said.contains("while their clocks run")));
        assert_eq!(shortage_of(&enough, nodes, &own("depth = 3")), None);
        let one_each = "cpus = \"one-per-engine\"\nshare_cpus = true";
        let said = shortage_of(one_each, timed, &own("nodes = 100"));
        let of_a = "engine a has 2 threads and one core";
        assert!(
            !said.is_some_and(|said| said.starts_with(of_a)),
            "its clock does not run"
        );
    }

    #[test]
    fn games_share_cores_only_if_there_are_too_few() {
        let pairs = |cores: &[usize], games| {
            let Cores(free) = Cores::of(Some(cores), games);
            let mut pairs = free.unwrap().into_inner().unwrap();
            pairs.reverse();
            pairs
        };
        assert_eq!(pairs(&[1, 3, 5, 7], 2), [[1, 3], [5, 7]]);
        assert_eq!(pairs(&[0, 1, 2], 2), [[0, 1], [2, 0]]);
        assert_eq!(pairs(&[4], 2), [[4, 4]; 2]);
    }
}

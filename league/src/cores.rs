//! CPU cores for engines: every running game has its own, and where there are enough of them, so has
//! each of its engines.
//!
//! Engines that share a core take time from each other. So where the two engines of a game do, the one
//! that is not to move is paused.

use std::sync::{Mutex, PoisonError};

use base::plain::games_in_words;
use engine_process::cores::{OnCores, available_cores, whole_cores};
use serde_json::Value;
use task::clock::ClockSpec;
use task::{EngineSpec, GameTask, option};

use crate::config::{Config, Cpus, EngineConfig};

/// The cores of a game's two engines; empty for any.
type Pair = [Vec<usize>; 2];

/// The cores that no game is using, and whether engines are paused.
#[derive(Debug)]
pub struct Cores {
    free: Mutex<Vec<Pair>>,
    /// What the league file says of pausing.
    pause: Option<bool>,
    /// Whether engines without cores of their own share them.
    crowded: bool,
}

impl Cores {
    /// Those of this machine for the games of a league.
    pub fn of(config: &Config) -> Cores {
        let games = config.concurrency;
        let threads = config.engines.iter().map(threads).max().unwrap_or(1);
        let pairs = match (&config.cpus, config.cpus.cores()) {
            (_, Some(cores)) => one_each(&cores, games),
            (Cpus::ByGame, None) => {
                by_game(&whole_cores(&available_cores()), games, threads as usize)
            }
            (_, None) => vec![Pair::default(); games],
        };
        Cores {
            free: Mutex::new(pairs.into_iter().rev().collect()),
            pause: config.pause_opponent,
            crowded: games as u64 * 2 * threads > available_cores().len() as u64,
        }
    }

    /// Runs `play` with a task whose engines have cores. This thread has the same: to wake an engine on
    /// another core takes longer than a fast turn.
    ///
    /// # Panics
    /// If more games run at a time than the league has.
    pub fn with<T>(&self, task: &GameTask, play: impl FnOnce(&GameTask) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = free().pop().expect("cores for every game");
        let mut task = task.clone();
        task.pause_opponent = self.pauses(&task, &pair);
        // The same core for the same engine whoever begins: an engine that is kept stays there.
        let swapped = task.first.name > task.second.name;
        let [one, other] = pair.clone();
        let [first, second] = if swapped { [other, one] } else { [one, other] };
        (task.first.cores, task.second.cores) = (first, second);
        let own: Vec<usize> = pair.iter().flatten().copied().collect();
        let on_cores = OnCores::new(&own);
        let played = play(&task);
        drop(on_cores);
        free().push(pair);
        played
    }

    /// Whether the engine that is not to move is paused: as the league file says, or else where it
    /// could take time from its opponent and is not to think.
    fn pauses(&self, task: &GameTask, pair: &Pair) -> bool {
        let engines = [&task.first, &task.second];
        let timed = task.clocks().iter().any(ClockSpec::is_timed);
        let ponders = |engine: &EngineSpec| option(&engine.options, "ponder") == Some(&true.into());
        let wanted = || timed && self.share(pair) && !engines.into_iter().any(ponders);
        self.pause.unwrap_or_else(wanted)
    }

    /// Whether the two engines of a game with these cores have some in common.
    fn share(&self, [one, other]: &Pair) -> bool {
        if one.is_empty() {
            self.crowded
        } else {
            one.iter().any(|core| other.contains(core))
        }
    }

    /// Whether engines of a league may be paused that does not ask for it.
    pub fn may_pause(&self) -> bool {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        self.pause.is_none() && free.iter().any(|pair| self.share(pair))
    }
}

/// One of some cores, at least one, for each engine of so many games at a time, in their order. If
/// there are too few, games share them.
fn one_each(cores: &[usize], games: usize) -> Vec<Pair> {
    let core = |number: usize| vec![cores[number % cores.len()]];
    let pairs = (0..games).map(|game| [core(2 * game), core(2 * game + 1)]);
    pairs.collect()
}

/// Equal shares of some physical cores, given by their hardware threads, for so many games at a time, in
/// their order. No two games share a physical core unless there are too few. Each engine has half of its
/// game's cores, or of the threads of its only core, if it has no more search threads than that. If there
/// are fewer hardware threads than games, any is good for all.
fn by_game(cores: &[Vec<usize>], games: usize, threads: usize) -> Vec<Pair> {
    let all = cores.concat();
    let share = |game: usize| {
        if cores.len() >= games {
            cores[game * cores.len() / games..(game + 1) * cores.len() / games].to_vec()
        } else {
            vec![all[game * all.len() / games..(game + 1) * all.len() / games].to_vec()]
        }
    };
    let halves = |share: Vec<Vec<usize>>| {
        let [one, other] = if let [core] = &share[..] {
            let (one, other) = core.split_at(core.len() / 2);
            [one.to_vec(), other.to_vec()]
        } else {
            let (one, other) = share.split_at(share.len() / 2);
            [one.concat(), other.concat()]
        };
        if one.len() >= threads {
            [one, other]
        } else {
            [share.concat(), share.concat()]
        }
    };
    if all.len() < games {
        return vec![Pair::default(); games];
    }
    (0..games).map(share).map(halves).collect()
}

/// A warning if more threads may think at a time than there are cores: their clocks then run while
/// they wait for a core. `None` if there are enough, or if no clock runs.
pub fn shortage(config: &Config) -> Option<String> {
    let mut timed = (config.engines.iter())
        .filter(|engine| is_timed(config, engine))
        .peekable();
    timed.peek()?;
    if config.cpus.cores().is_some()
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
        let advice = if config.concurrency as u64 > fewer {
            format!("concurrency = {fewer} would do")
        } else {
            "fewer threads would do".to_owned()
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
        config.pause_opponent != Some(true)
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
    use crate::tournament::{Played, Tournament};

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
        let pairs = |cores: &[usize], games| one_each(cores, games);
        assert_eq!(pairs(&[1, 3, 5, 7], 2), [[[1], [3]], [[5], [7]]]);
        assert_eq!(pairs(&[0, 1, 2], 2), [[[0], [1]], [[2], [0]]]);
        assert_eq!(pairs(&[4], 2), [[[4], [4]], [[4], [4]]]);
    }

    #[test]
    fn every_game_has_an_equal_share_of_the_cores() {
        let by_game = |cores: &[usize], games, threads| {
            let cores: Vec<Vec<usize>> = cores.iter().map(|&core| vec![core]).collect();
            by_game(&cores, games, threads)
        };
        assert_eq!(by_game(&[1, 3, 5, 7], 2, 1), [[[1], [3]], [[5], [7]]]);
        let all = vec![0, 1, 2, 3, 4];
        assert_eq!(by_game(&all, 1, 2), [[vec![0, 1], vec![2, 3, 4]]]);
        assert_eq!(by_game(&all, 1, 3), [[all.clone(), all.clone()]]);
        assert_eq!(
            by_game(&all, 3, 1),
            [[vec![0], vec![0]], [vec![1], vec![2]], [vec![3], vec![4]]]
        );
        assert_eq!(by_game(&[4], 1, 1), [[[4], [4]]]);
        assert_eq!(by_game(&[4], 2, 1), [Pair::default(), Pair::default()]);
    }

    #[test]
    fn games_have_whole_cores() {
        let cores = [vec![0, 4], vec![1, 5], vec![2, 6], vec![3, 7]];
        // A core for each game: its engines take turns on it, each on a thread of its own.
        let one_each = cores.iter().map(|core| [vec![core[0]], vec![core[1]]]);
        assert_eq!(by_game(&cores, 4, 1), one_each.collect::<Vec<_>>());
        let both = cores.iter().map(|core| [core.clone(), core.clone()]);
        assert_eq!(by_game(&cores, 4, 2), both.collect::<Vec<_>>());
        // A core for each engine.
        assert_eq!(
            by_game(&cores, 2, 2),
            [[vec![0, 4], vec![1, 5]], [vec![2, 6], vec![3, 7]]]
        );
        assert_eq!(by_game(&cores, 3, 1)[2], [vec![2, 6], vec![3, 7]]);
        // Too few: games share cores, but no threads.
        let pairs = by_game(&cores[..2], 3, 1);
        assert_eq!(
            pairs,
            [[vec![0], vec![0]], [vec![4], vec![4]], [vec![1], vec![5]]]
        );
    }

    /// Whether the engine that is not to move is paused in a league with these keys and this clock. One
    /// engine has these options. Both share one core, or each has its own.
    fn pauses(keys: &str, clock: &str, options: &str, shared: bool) -> bool {
        let text = format!(
            "[league]\nname = \"x\"\ngames = [\"hex\"]\nseed = 1\n{keys}\n[clock]\n{clock}\n\
             [[engine]]\nname = \"a\"\nbuiltin = \"pvs\"\n\
             [[engine]]\nname = \"b\"\nbuiltin = \"pvs\"\noptions = {{ {options} }}\n"
        );
        let config = Config::parse("x.toml".as_ref(), &text, &[]).expect("a sound league");
        let cores = Cores {
            free: Mutex::new(vec![[vec![0], vec![usize::from(!shared)]]]),
            ..Cores::of(&config)
        };
        assert_eq!(cores.may_pause(), shared && keys.is_empty());
        let tournament = Tournament::new(config, "referee".as_ref());
        let due = &tournament.survey(&Played::default()).due[0];
        let task = tournament.task(due);
        cores.with(&task, |task| task.pause_opponent)
    }

    #[test]
    fn engines_that_share_a_core_pause() {
        let timed = "move = \"1s\"";
        assert!(pauses("", timed, "", true));
        assert!(!pauses("", timed, "", false), "each has its own core");
        assert!(!pauses("", "nodes = 100", "", true), "no clock runs");
        assert!(!pauses("", timed, "ponder = true", true), "one is to think");
        assert!(!pauses("pause_opponent = false", timed, "", true));
        assert!(pauses(
            "pause_opponent = true",
            "nodes = 100",
            "ponder = true",
            false
        ));
    }

    #[test]
    fn an_engine_has_the_same_core_whoever_begins() {
        let text = "[league]\nname = \"x\"\ngames = [\"hex\"]\nseed = 1\nrounds = 2\n\
                    [clock]\nmove = \"1s\"\n[[engine]]\nname = \"a\"\nbuiltin = \"pvs\"\n\
                    [[engine]]\nname = \"b\"\nbuiltin = \"pvs\"\n";
        let config = Config::parse("x.toml".as_ref(), text, &[]).expect("a sound league");
        let cores = Cores {
            free: Mutex::new(vec![[vec![0], vec![1]]]),
            ..Cores::of(&config)
        };
        let tournament = Tournament::new(config, "referee".as_ref());
        let mut began = Vec::new();
        for due in &tournament.survey(&Played::default()).due {
            cores.with(&tournament.task(due), |task| {
                for engine in [&task.first, &task.second] {
                    assert_eq!(engine.cores, [usize::from(engine.name == "b")]);
                }
                began.push(task.first.name.clone());
            });
        }
        assert!(began.contains(&"a".to_owned()) && began.contains(&"b".to_owned()));
    }
}

//! A submitted job: a folder that the hosts of a scheduler share.
//!
//! ```text
//! jobs/1/job.json       this file's Job
//!        games.txt      of a league: the ids of its games, one a line; shard after shard
//!        submit.sh      what was submitted
//!        shards/17/2/   the second attempt at shard 17: a log, or a part; host: where it was made
//!        out/17.txt     what shard 17 has told
//! ```

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base::disk::replace;
use base::error::BadInput;
use base::input::{self, JOB};
use gamelog::record::Logged;
use league::config::Override;
use league::merge::Ids;
use serde::{Deserialize, Serialize};

use crate::cluster::scheduler::Scheduler;

/// Version of the format of `job.json`.
const SCHEMA: u32 = 2;
/// By how much the clocks of two hosts may differ.
const MOST_APART: Duration = Duration::from_secs(60);

/// What was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    schema: u32,
    /// What its shards do.
    pub task: Task,
    /// The build of `referee` that submitted it.
    pub build: String,
    /// Number of shards.
    pub shards: usize,
    /// The scheduler.
    pub scheduler: Scheduler,
    /// The name that the scheduler gave it; empty before it was submitted.
    pub id: String,
    /// Cores of each shard; 0 if unknown.
    #[serde(default)]
    pub cores: u64,
    /// The host that submitted it; empty if unknown.
    #[serde(default)]
    pub host: String,
}

/// What the shards of a job do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// They play games of a league.
    League(League),
    /// They compute parts of a step of a command.
    Step(Step),
}

/// Games of a league.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct League {
    /// The league file, an absolute path.
    pub file: PathBuf,
    /// Its text when it was submitted.
    pub text: String,
    /// The keys that the command line set instead.
    pub overrides: Vec<Override>,
    /// Only these games of the file; all if empty.
    pub only: Vec<String>,
    /// The folder of the league's log, an absolute path.
    pub out: PathBuf,
    /// Number of games of each shard but the last.
    pub games: usize,
    /// The builds of the engines when it was submitted, by their names; an unknown one is empty.
    #[serde(default)]
    pub builds: BTreeMap<String, String>,
}

/// A step of a command, such as an iteration of learning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Which one: `iteration 7`.
    pub name: String,
    /// The arguments of `referee`.
    pub command: Vec<String>,
    /// The folder where the command was given.
    pub folder: PathBuf,
}

/// The name of this host.
pub fn this_host() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

impl Job {
    /// A job of a number of shards, before it is submitted. `build` is that of this program.
    pub fn new(task: Task, build: String, shards: usize, cores: u64, scheduler: Scheduler) -> Job {
        Job {
            schema: SCHEMA,
            task,
            build,
            shards,
            scheduler,
            id: String::new(),
            cores,
            host: this_host(),
        }
    }

    /// Reads the job in a folder.
    ///
    /// # Errors
    /// One line: there is none, as where the folder is not shared, or it is of another version.
    pub fn load(folder: &Path) -> Result<Job, BadInput> {
        let path = folder.join(JOB);
        let fault = |message: String| BadInput(format!("{}: {message}", path.display()));
        let text = input::supplied(&path).map_err(|error| {
            fault(format!(
                "{error}, expected a submitted job; is this folder shared with the host that \
                 submitted it?"
            ))
        })?;
        let job: Job = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
        match job.schema {
            SCHEMA => Ok(job),
            other => Err(fault(format!("schema {other}, expected {SCHEMA}"))),
        }
    }

    /// Writes it to its folder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(self).map_err(io::Error::other)?;
        replace(&folder.join(JOB), &text)
    }

    /// Whether none of its shards is running or waiting, because all have ended or it was never
    /// submitted.
    /// `folder` is that of the job.
    ///
    /// # Errors
    /// The scheduler does not answer, or the processes of GNU parallel are those of another host.
    pub fn has_ended(&self, folder: &Path) -> Result<bool, BadInput> {
        if self.id.is_empty() {
            return Ok(true);
        }
        let host = this_host();
        if self.scheduler == Scheduler::Parallel && !self.host.is_empty() && self.host != host {
            return Err(BadInput(format!(
                "{}: GNU parallel was started on {}, and this is {host}: run the command there, or remove \
                 this folder if the job has ended (what it has played is lost unless it was merged)",
                folder.display(),
                self.host
            )));
        }
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        self.scheduler.has_ended(&self.id, &folder)
    }

    /// Refuses a number that no shard has.
    ///
    /// # Errors
    /// Shards are numbered from 1.
    pub fn check_shard(&self, shard: usize) -> Result<(), BadInput> {
        if (1..=self.shards).contains(&shard) {
            Ok(())
        } else {
            Err(BadInput(format!(
                "shard {shard}: expected 1 to {}",
                self.shards
            )))
        }
    }

    /// Refuses to play on a host where another `referee` would play.
    ///
    /// # Errors
    /// It is another build.
    pub fn check_build(&self, build: &str, host: &str) -> Result<(), BadInput> {
        if self.build == build {
            return Ok(());
        }
        Err(BadInput(format!(
            "referee on {host} is build {build}, the job was submitted by build {}; expected the \
             same program on every host",
            self.build
        )))
    }
}

impl League {
    /// Refuses to play on a host where an engine is not what it was where the job was submitted.
    ///
    /// # Errors
    /// An engine is another build.
    pub fn check_engines(
        &self,
        builds: &BTreeMap<String, String>,
        host: &str,
    ) -> Result<(), BadInput> {
        let known = self.builds.iter().filter(|(_, build)| !build.is_empty());
        for (engine, expected) in known {
            let found = builds.get(engine).map_or("", String::as_str);
            if found != expected {
                return Err(BadInput(format!(
                    "engine {engine} on {host} is build {found:?}, the job was submitted with build \
                     {expected:?}; expected the same files on every host"
                )));
            }
        }
        Ok(())
    }

    /// The shards of the job in a folder that have left logs: the ids of their games, and the logs of
    /// their attempts, in order. The attempts are numbered by the shared folder, so neither the clock
    /// of a host nor its log decides which was first.
    ///
    /// # Errors
    /// The list of the games cannot be read.
    pub fn shards(
        &self,
        folder: &Path,
        shards: usize,
    ) -> Result<impl Iterator<Item = io::Result<(Ids, Vec<PathBuf>)>> + use<>, BadInput> {
        let path = folder.join("games.txt");
        let file = input::promptly(&path);
        let file = file.map_err(|error| BadInput(format!("{}: {error}", path.display())))?;
        let mut lines = BufReader::new(file).lines();
        let (folder, games) = (folder.to_owned(), self.games);
        Ok((1..=shards).filter_map(move |shard| {
            let mut shard_of = || {
                let logs = logs(&folder, std::iter::once(shard))?;
                if logs.is_empty() {
                    lines.by_ref().take(games).try_for_each(|id| id.map(drop))?;
                    return Ok(None);
                }
                let ids = lines.by_ref().take(games).collect::<io::Result<Ids>>()?;
                Ok(Some((ids, logs)))
            };
            shard_of().transpose()
        }))
    }

    /// The ids of the games of a shard, which are numbered from 1, of the job in a folder.
    ///
    /// # Errors
    /// The list cannot be read.
    pub fn ids(&self, folder: &Path, shard: usize) -> Result<Vec<String>, BadInput> {
        let path = folder.join("games.txt");
        let text = input::supplied(&path)
            .map_err(|error| BadInput(format!("{}: {error}", path.display())))?;
        let ids = text.lines().skip((shard - 1) * self.games).take(self.games);
        Ok(ids.map(str::to_owned).collect())
    }
}

/// The folders of the attempts at a shard, in order.
///
/// # Errors
/// A folder cannot be read.
pub fn attempts(job: &Path, shard: usize) -> io::Result<Vec<PathBuf>> {
    let folder = job.join("shards").join(shard.to_string());
    let existing = (1..).map(|number: u32| folder.join(number.to_string()));
    Ok(existing.take_while(|attempt| attempt.is_dir()).collect())
}

/// Makes the folder of a new attempt at a shard by this host, whose name is written there and read
/// again.
///
/// # Errors
/// It cannot be made, what is written is not read, or the clock of this host and that of the shared
/// folder differ by minutes.
pub fn begin_attempt(job: &Path, shard: usize, host: &str) -> Result<PathBuf, BadInput> {
    let folder = job.join("shards").join(shard.to_string());
    let failed = |error: io::Error| BadInput(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    for number in 1.. {
        let attempt = folder.join(number.to_string());
        // To make a folder is atomic, also on shared disks: no two attempts are the same.
        match fs::create_dir(&attempt) {
            Ok(()) => {
                let made = sign(&attempt, host).map_err(failed)?;
                check_clock(made, SystemTime::now())?;
                return Ok(attempt);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
    }
    unreachable!("some number is free")
}

/// Writes the name of a host into a folder, reads it again, and returns when the folder has it.
fn sign(folder: &Path, host: &str) -> io::Result<SystemTime> {
    let path = folder.join("host");
    fs::write(&path, format!("{host}\n"))?;
    if fs::read_to_string(&path)?.trim_end() != host {
        return Err(io::Error::other("what is written is not what is read"));
    }
    fs::metadata(&path)?.modified()
}

/// Compares the clock of a shared folder, by which a file was made just now, with that of this host.
fn check_clock(made: SystemTime, now: SystemTime) -> Result<(), BadInput> {
    let apart = match now.duration_since(made) {
        Ok(behind) => behind,
        Err(ahead) => ahead.duration(),
    };
    if apart <= MOST_APART {
        return Ok(());
    }
    Err(BadInput(format!(
        "the clock of this host and that of the shared folder differ by {} s, expected at most {}: \
         set both by NTP",
        apart.as_secs(),
        MOST_APART.as_secs()
    )))
}

/// The logs of all attempts at all shards, or at one.
///
/// # Errors
/// A folder cannot be read.
pub fn logs(job: &Path, shards: impl Iterator<Item = usize>) -> io::Result<Vec<PathBuf>> {
    let mut logs = Vec::new();
    for shard in shards {
        let attempts = attempts(job, shard)?.into_iter();
        let found = attempts.map(|attempt| attempt.join(gamelog::FILE_NAME));
        logs.extend(found.filter(|log| log.is_file()));
    }
    Ok(logs)
}

/// The ids of the games in these logs. A line that is no game counts as none: it is broken, as that of
/// an attempt that was killed, or damaged.
///
/// # Errors
/// A log cannot be read.
pub fn played(logs: &[PathBuf]) -> Result<HashSet<String>, BadInput> {
    let mut ids = HashSet::new();
    for path in logs {
        let lines = gamelog::stream(path, |line| {
            gamelog::parse(line).map(|game: Logged<'_>| game.id)
        })?;
        for entry in lines {
            let entry = entry.map_err(|error| gamelog::unreadable(path, &error))?;
            ids.extend(entry.record);
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn league(games: usize) -> League {
        League {
            file: "/leagues/x.toml".into(),
            text: "text".into(),
            overrides: vec!["clock.move=1s".parse().expect("a key")],
            only: vec!["hex".into()],
            out: "/matches/x".into(),
            games,
            builds: BTreeMap::from([("pvs".to_owned(), "b7".to_owned())]),
        }
    }

    fn job(task: Task) -> Job {
        Job::new(task, "b1".into(), 3, 1, Scheduler::HyperQueue)
    }

    #[test]
    fn shards_have_all_games_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let ids: Vec<String> = (0..11).map(|number| format!("game-{number}")).collect();
        fs::write(folder.path().join("games.txt"), ids.join("\n") + "\n").expect("written");
        let league = league(4);
        let shards = (1..=3).map(|shard| league.ids(folder.path(), shard).expect("ids"));
        assert_eq!(shards.collect::<Vec<_>>().concat(), ids);
    }

    #[test]
    fn a_job_is_read_as_it_was_written() {
        let step = Step {
            name: "iteration 7".into(),
            command: vec!["learn".into(), "x.toml".into()],
            folder: "/team".into(),
        };
        for task in [Task::League(league(4)), Task::Step(step)] {
            let folder = tempfile::tempdir().expect("a folder");
            let job = job(task);
            job.save(folder.path()).expect("written");
            assert_eq!(Job::load(folder.path()).expect("as written"), job);
            for none in [0, 4] {
                let error = job.check_shard(none).expect_err("no such shard");
                assert_eq!(error.to_string(), format!("shard {none}: expected 1 to 3"));
            }
            assert!((1..=3).all(|shard| job.check_shard(shard).is_ok()));
        }
    }

    #[test]
    fn a_shard_that_left_logs_has_its_games_and_its_attempts_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let ids: Vec<String> = (0..11).map(|number| format!("game-{number}")).collect();
        fs::write(folder.path().join("games.txt"), ids.join("\n") + "\n").expect("written");
        for attempt in 1..=11 {
            let attempt = folder.path().join(format!("shards/2/{attempt}"));
            fs::create_dir_all(&attempt).expect("a folder");
            fs::write(attempt.join(gamelog::FILE_NAME), "").expect("written");
        }
        let shards = league(4).shards(folder.path(), 3).expect("a list");
        let shards: Vec<_> = shards.map(|shard| shard.expect("a shard")).collect();
        let [(found, logs)] = &shards[..] else {
            panic!("{shards:?}");
        };
        assert_eq!(*found, ids[4..8].iter().collect::<Ids>());
        let expected = (1..=11).map(|attempt| format!("shards/2/{attempt}/games.jsonl"));
        let expected: Vec<_> = expected.map(|log| folder.path().join(log)).collect();
        assert_eq!(*logs, expected);
    }

    #[test]
    fn another_build_of_an_engine_is_refused() {
        let builds = |build: &str| BTreeMap::from([("pvs".to_owned(), build.to_owned())]);
        let league = league(1);
        assert_eq!(league.check_engines(&builds("b7"), "node7"), Ok(()));
        let other = league.check_engines(&builds("b8"), "node7");
        let other = other.expect_err("another build").to_string();
        assert!(
            other.starts_with("engine pvs on node7 is build \"b8\", the job was"),
            "{other}"
        );
        let unknown = League {
            builds: builds(""),
            ..league
        };
        assert_eq!(unknown.check_engines(&builds("b8"), "node7"), Ok(()));
    }

    #[test]
    fn every_attempt_has_a_folder_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = begin_attempt(folder.path(), 7, "pc01").expect("a folder");
        let second = begin_attempt(folder.path(), 7, "pc01").expect("a folder");
        let expected = [&first, &second].map(|attempt| attempt.join(gamelog::FILE_NAME));
        expected
            .iter()
            .for_each(|log| fs::write(log, "").expect("written"));
        let found = logs(folder.path(), 1..=9).expect("folders");
        assert_eq!(found, expected);
    }

    #[test]
    fn faults_of_hosts_are_told_in_one_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = Job::load(folder.path()).expect_err("nothing is there");
        assert!(missing.to_string().ends_with(
            "expected a submitted job; is this folder shared with the host that submitted it?"
        ));
        let other = job(Task::League(league(1)))
            .check_build("b2", "node7")
            .expect_err("another build");
        assert!(
            other
                .to_string()
                .starts_with("referee on node7 is build b2, the job was")
        );
        let now = SystemTime::now();
        let minutes = |count: u64| Duration::from_secs(60 * count);
        assert!(check_clock(now, now + minutes(1)).is_ok());
        for (made, now) in [(now, now + minutes(3)), (now + minutes(3), now)] {
            let error = check_clock(made, now).expect_err("three minutes");
            assert!(
                error
                    .to_string()
                    .contains("differ by 180 s, expected at most 60")
            );
        }
    }
}

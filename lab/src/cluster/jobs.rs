//! The jobs of a folder: how they are written, submitted and waited for.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::cluster::job::{Job, Task};
use crate::cluster::scheduler::{OWN_WORDS, Scheduler, Script};
use anyhow::{Context, Result};
use base::error::{inform, tell};
use league::builds::Builds;

use super::merging::Source;
use base::program::this_program;

/// Time between two questions to a scheduler.
pub const PAUSE: Duration = Duration::from_millis(500);

/// The jobs of a league, or of learning or tuning, numbered from 1, in the folder of its results.
pub struct Jobs {
    /// The folder of the results.
    pub out: PathBuf,
    folder: PathBuf,
}

/// A job to submit.
pub struct NewJob<'a> {
    /// What its shards do.
    pub task: Task,
    /// How many there are.
    pub shards: usize,
    /// Cores of each.
    pub cores: u64,
    /// What the scheduler calls it.
    pub name: &'a str,
    /// The scheduler.
    pub scheduler: Scheduler,
    /// GNU parallel: the file with the names of the hosts.
    pub hosts: Option<&'a Path>,
}

impl Jobs {
    /// The jobs of the results in this folder.
    pub fn of(out: &Path) -> Jobs {
        Jobs {
            out: out.to_owned(),
            folder: out.join("jobs"),
        }
    }

    /// All jobs, in order.
    fn all(&self) -> Vec<(PathBuf, Job)> {
        let paths = (1..).map(|number: u32| self.folder.join(number.to_string()));
        let existing = paths.take_while(|path| path.is_dir());
        let loaded = existing.filter_map(|path| Some((path.clone(), Job::load(&path).ok()?)));
        loaded.collect()
    }

    /// The last job with its folder, if there is one.
    pub fn newest(&self) -> Option<(PathBuf, Job)> {
        self.all().pop()
    }

    /// The logs of all attempts at all shards of all jobs, in the order in which they were submitted.
    pub fn sources(&self) -> Vec<Source> {
        let jobs = self.all().into_iter();
        jobs.filter_map(|(path, job)| Source::of_job(path, job))
            .collect()
    }

    /// Writes a job with its script and the list of its games, which is empty but for a league.
    /// Returns its absolute path.
    pub fn write(&self, new: NewJob<'_>, games: &str) -> Result<(PathBuf, Job)> {
        let program = std::env::current_exe().context("cannot find the path of this program")?;
        let job = Job::new(
            new.task,
            this_build()?,
            new.shards,
            new.cores,
            new.scheduler,
        );
        let path = self.begin()?;
        let written = || -> Result<()> {
            if !games.is_empty() {
                fs::write(path.join("games.txt"), games)?;
            }
            fs::create_dir(path.join("out"))?;
            let hosts = new.hosts.map(std::path::absolute).transpose()?;
            let script = new.scheduler.script(&Script {
                name: new.name,
                job: &path,
                shards: new.shards,
                cores: new.cores,
                referee: &program,
                hosts: hosts.as_deref(),
            })?;
            fs::write(script_of(&path), script)?;
            Ok(job.save(&path)?)
        };
        written().with_context(|| path.display().to_string())?;
        Ok((path, job))
    }

    /// Makes the folder of a new job; returns its absolute path.
    fn begin(&self) -> Result<PathBuf> {
        fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        let number = (1..).find(|number: &u32| !self.folder.join(number.to_string()).exists());
        let path = self.folder.join(number.unwrap_or(1).to_string());
        fs::create_dir(&path).with_context(|| path.display().to_string())?;
        Ok(std::path::absolute(&path)?)
    }
}

/// The build of this program.
pub fn this_build() -> Result<String> {
    Ok(Builds::default().of_program(&this_program()?))
}

/// The script that submits the job in a folder.
pub fn script_of(path: &Path) -> PathBuf {
    path.join("submit.sh")
}

/// Submits a job that was written. One that is refused leaves nothing behind.
pub fn submit(path: &Path, job: &mut Job) -> Result<()> {
    let id = job.scheduler.submit(&script_of(path));
    job.id = id.inspect_err(|_| drop(fs::remove_dir_all(path)))?;
    job.save(path).with_context(|| path.display().to_string())
}

/// Waits until the job in a folder has ended, for so long at most.
pub fn wait(path: &Path, job: &Job, most: Duration) -> Result<()> {
    let begun = Instant::now();
    let mut watch = Watch::default();
    while begun.elapsed() < most && !watch.has_ended(path, job)? {
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

/// How long a scheduler that has answered may be silent, as while it is started again.
const OUTAGE: Duration = Duration::from_secs(600);

/// Asks a scheduler again and again.
#[derive(Debug, Default)]
pub struct Watch {
    /// Since when it has not answered.
    silent: Option<Instant>,
}

impl Watch {
    /// Whether the job in a folder has ended; not while its scheduler does not answer, for some minutes.
    ///
    /// # Errors
    /// The scheduler has not answered for longer.
    pub fn has_ended(&mut self, path: &Path, job: &Job) -> Result<bool> {
        match job.has_ended(path) {
            Ok(ended) => {
                self.silent = None;
                Ok(ended)
            }
            Err(error) if self.silent.is_some_and(|since| since.elapsed() > OUTAGE) => {
                Err(error.into())
            }
            Err(error) => {
                if self.silent.is_none() {
                    tell(format_args!(
                        "{error}; asking again for {} min",
                        OUTAGE.as_secs() / 60
                    ));
                }
                self.silent.get_or_insert_with(Instant::now);
                Ok(false)
            }
        }
    }
}

/// The last line that GNU parallel has told of a job.
pub fn own_words(path: &Path) -> Option<String> {
    let said = fs::read_to_string(path.join("out").join(OWN_WORDS)).ok()?;
    said.lines()
        .rfind(|line| !line.trim().is_empty())
        .map(str::to_owned)
}

/// The last line that a shard has told.
pub fn last_words(path: &Path, shard: usize) -> Option<String> {
    let said = fs::read_to_string(path.join("out").join(format!("{shard}.txt")));
    said.ok()?.lines().next_back().map(str::to_owned)
}

/// Follows a job that goes on from an earlier run.
pub fn inform_of(path: &Path, job: &Job) {
    inform(format_args!(
        "following job {} of {}",
        job.id,
        path.display()
    ));
}

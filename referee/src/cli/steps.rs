//! Steps of learning and tuning whose games a scheduler plays in shards. What comes of a game follows
//! from its number and the step, so the result is that of one machine.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use base::error::{BadInput, inform, tell};
use lab::cluster::job::{self, Job, Step, Task};
use lab::cluster::part;
use lab::cluster::scheduler::Scheduler;
use league::session::part::Shard;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::jobs::{self, Jobs, NewJob};
use super::words;

/// Who plays the games of an iteration.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Steps {
    /// Let this scheduler play the games of each iteration, in shards of one thread
    #[arg(long, value_parser = words::scheduler(), value_name = "SCHEDULER")]
    to: Option<Scheduler>,
    /// Shards of an iteration: as many as cores, or more
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: u32,
    /// GNU parallel: a file with the names of the hosts, one a line [default: this host]
    #[arg(long, value_name = "FILE", requires = "to")]
    hosts: Option<PathBuf>,
    /// Only compute this shard of the next iteration: what a scheduler runs
    #[arg(long, value_name = "I/N", hide = true, requires = "into")]
    part: Option<Shard>,
    /// The file for it
    #[arg(long, value_name = "FILE", hide = true, requires = "part")]
    into: Option<PathBuf>,
}

/// The arguments by which a shard is computed.
pub(super) fn arguments(shard: usize, count: usize, attempt: &Path) -> Vec<String> {
    let file = attempt.join(part::FILE_NAME);
    let shard = format!("{shard}/{count}");
    ["--part", &shard, "--into", &file.to_string_lossy()]
        .map(str::to_owned)
        .into()
}

impl Steps {
    /// The shard that this process is to compute, and the file for it.
    pub(super) fn part(&self) -> Option<(Shard, &Path)> {
        Some((self.part?, self.into.as_deref()?))
    }

    /// Shards of an iteration.
    pub(super) fn shards(&self) -> usize {
        self.shards as usize
    }

    /// Whether a scheduler is to play.
    pub(super) fn are_submitted(&self) -> bool {
        self.to.is_some()
    }

    /// What comes of `items` items of a step, in their order, in parts: computed by a scheduler if one
    /// is given, by `here` otherwise. What shards did not leave is computed here, too. The folder is
    /// that of the results.
    ///
    /// # Errors
    /// The scheduler refuses the job or does not answer, no shard left anything, or an item cannot
    /// be computed.
    pub(super) fn compute<T: DeserializeOwned>(
        &self,
        folder: &Path,
        step: &str,
        items: usize,
        here: &mut dyn FnMut(Range<usize>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let Some(scheduler) = self.to else {
            return Ok(vec![here(0..items)?]);
        };
        let (path, job) = self.submit(scheduler, folder, step, items)?;
        jobs::wait(&job, Duration::MAX)?;
        let mut parts: Vec<Option<T>> = (1..=job.shards)
            .map(|shard| part::read(&path, shard, step))
            .collect();
        let missing: Vec<usize> = (0..job.shards).filter(|&at| parts[at].is_none()).collect();
        if let Some(&first) = missing.first() {
            let why = jobs::last_words(&path, first + 1);
            let why = why.unwrap_or_else(|| "it has left nothing".to_owned());
            let (count, all) = (missing.len(), job.shards);
            if count == all {
                let path = path.display();
                return Err(BadInput(format!(
                    "{step}: no shard of {path} has left its part; the first one: {why}"
                ))
                .into());
            }
            tell(format_args!(
                "{step}: {count} of {all} shards are missing and played here; shard {}: {why}",
                first + 1
            ));
        }
        for at in missing {
            parts[at] = Some(here(Shard::new(at, job.shards).range(items))?);
        }
        fs::remove_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// Submits a step, unless the same command has. What is left of others is removed.
    fn submit(
        &self,
        scheduler: Scheduler,
        folder: &Path,
        step: &str,
        items: usize,
    ) -> Result<(PathBuf, Job)> {
        let jobs = Jobs::of(folder);
        let this = Step {
            name: step.to_owned(),
            command: std::env::args().skip(1).collect(),
            folder: std::env::current_dir().context("the current folder")?,
        };
        let build = jobs::this_build()?;
        while let Some((path, job)) = jobs.newest() {
            let Task::Step(earlier) = &job.task else {
                break;
            };
            let is_useful = || Ok::<_, BadInput>(!job.has_ended()? || has_parts(&path, &job));
            if *earlier == this && job.build == build && is_useful()? {
                jobs::inform_of(&path, &job);
                return Ok((path, job));
            }
            fs::remove_dir_all(&path).with_context(|| path.display().to_string())?;
        }
        let new = NewJob {
            task: Task::Step(this),
            shards: self.shards().min(items).max(1),
            cores: 1,
            name: step,
            scheduler,
            hosts: self.hosts.as_deref(),
        };
        let (path, mut job) = jobs.write(new, "")?;
        jobs::submit(&path, &mut job)?;
        inform(format_args!(
            "{step}: job {}, {} shards",
            job.id, job.shards
        ));
        Ok((path, job))
    }
}

/// Whether a shard of a job has left a part.
fn has_parts(path: &Path, job: &Job) -> bool {
    let attempts = (1..=job.shards).filter_map(|shard| job::attempts(path, shard).ok());
    let mut files = attempts
        .flatten()
        .map(|attempt| attempt.join(part::FILE_NAME));
    files.any(|file| file.exists())
}

/// Writes what a shard has computed.
pub(super) fn leave(into: &Path, step: &str, found: &impl Serialize) -> Result<()> {
    part::write(into, step, found).with_context(|| into.display().to_string())
}

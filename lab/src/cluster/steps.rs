//! Steps of learning and tuning whose games a scheduler plays in shards. What comes of a game follows
//! from its number and the step, so the result is that of one machine.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cluster::job::{self, Job, Step, Task};
use crate::cluster::part;
use crate::cluster::scheduler::Scheduler;
use anyhow::{Context, Result};
use base::error::{BadInput, inform, tell};
use league::session::part::Shard;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::jobs::{self, Jobs, NewJob};

/// Who plays the games of an iteration.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The scheduler; `None` for this process.
    pub scheduler: Option<Scheduler>,
    /// Shards of an iteration.
    pub shards: usize,
    /// GNU parallel: the file with the names of the hosts; `None` for this host.
    pub hosts: Option<PathBuf>,
}

/// The arguments by which a shard is computed.
pub fn arguments(shard: usize, count: usize, attempt: &Path) -> Vec<String> {
    let file = attempt.join(part::FILE_NAME);
    let shard = format!("{shard}/{count}");
    ["--part", &shard, "--into", &file.to_string_lossy()]
        .map(str::to_owned)
        .into()
}

impl Steps {
    /// Whether a scheduler is to play.
    pub fn are_submitted(&self) -> bool {
        self.scheduler.is_some()
    }

    /// What comes of `items` items of a step, in their order, in parts: computed by a scheduler if one
    /// is given, by `here` otherwise. What shards did not leave is computed here, too. The folder is
    /// that of the results.
    ///
    /// # Errors
    /// The scheduler refuses the job or does not answer, no shard left anything, or an item cannot
    /// be computed.
    pub fn compute<T: DeserializeOwned>(
        &self,
        folder: &Path,
        step: &str,
        items: usize,
        here: &mut dyn FnMut(Range<usize>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let Some(scheduler) = self.scheduler else {
            return Ok(vec![here(0..items)?]);
        };
        let (path, job) = self.submit(scheduler, folder, step, items)?;
        jobs::wait(&path, &job, Duration::MAX)?;
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
            let is_useful = || Ok::<_, BadInput>(!job.has_ended(&path)? || has_parts(&path, &job));
            if *earlier == this && job.build == build && is_useful()? {
                jobs::inform_of(&path, &job);
                return Ok((path, job));
            }
            fs::remove_dir_all(&path).with_context(|| path.display().to_string())?;
        }
        let new = NewJob {
            task: Task::Step(this),
            shards: self.shards.min(items).max(1),
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
pub fn leave(into: &Path, step: &str, found: &impl Serialize) -> Result<()> {
    part::write(into, step, found).with_context(|| into.display().to_string())
}

//! `referee work`.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use ::league::builds::Builds;
use ::league::config::{Config, Cpus};
use anyhow::{Context, Result};
use base::error::{BadInput, inform};
use engine_process::cores::available_cores;
use lab::cluster::job::{self, Job, League, Task};
use task::pace;
use task::seed::Seed;

use super::league::{self, Tables};
use ::league::session::part::Part;
use ::league::session::{Session, Settings};
use base::program::{command_line, this_program};
use lab::cluster::jobs;
use lab::cluster::steps;

/// Play one shard of a submitted job: what a scheduler runs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Plays the games of the shard that no earlier attempt has logged, one at a time. Every attempt has a
log of its own, so a shard can be killed, run again, or run twice; `referee submit` and `referee
merge` count each game once.

Without SHARD it is HQ_TASK_ID (HyperQueue) or SLURM_ARRAY_TASK_ID (Slurm).

Exit status: 0 every game of the shard is logged, 1 some are missing, 2 bad input: a folder that is
not shared, another build of referee or of an engine, a clock that is minutes off.

Example: referee work matches/night/jobs/1 17")]
pub(super) struct Args {
    /// The folder of the job
    job: PathBuf,
    /// The shard, from 1
    shard: Option<usize>,
}

/// The variables in which schedulers give the number of a shard.
const VARIABLES: [&str; 2] = ["HQ_TASK_ID", "SLURM_ARRAY_TASK_ID"];

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let shard = self.shard()?;
        let job = Job::load(&self.job)?;
        let program = this_program()?;
        let host = job::this_host();
        job.check_build(&jobs::this_build()?, &host)?;
        job.check_shard(shard)?;
        let attempt = job::begin_attempt(&self.job, shard, &host)?;
        inform(format_args!("shard {shard} of {} on {host}", job.shards));
        match &job.task {
            Task::League(league) => self.play(league, (shard, job.cores), &host, attempt, out),
            Task::Step(step) => {
                let mut command = Command::new(&program);
                command.args(&step.command).current_dir(&step.folder);
                command.args(steps::arguments(shard, job.shards, &attempt));
                Err(command.exec()).context("cannot start this program again")
            }
        }
    }

    /// Plays games of a league.
    fn play(
        &self,
        league: &League,
        (shard, job_cores): (usize, u64),
        host: &str,
        attempt: PathBuf,
        out: &mut dyn Write,
    ) -> Result<ExitCode> {
        let job = std::path::absolute(&self.job)?;
        let mut ids = league.ids(&self.job, shard)?;
        let earlier = job::logs(&self.job, std::iter::once(shard));
        let played = job::played(&earlier.context("the folder of the shard")?)?;
        ids.retain(|id| !played.contains(id));
        if ids.is_empty() {
            inform(format_args!("shard {shard}: every game has been played"));
            return Ok(ExitCode::SUCCESS);
        }
        let mut config = Config::parse(&league.file, &league.text, &league.overrides)?;
        if !league.only.is_empty() {
            config.only_games(&league.only)?;
        }
        let (builds, program) = (Builds::default(), this_program()?);
        let engines = config.engines.iter();
        let builds = engines.map(|engine| (engine.name.clone(), builds.of(engine, &program)));
        league.check_engines(&builds.collect(), host)?;
        config.concurrency = 1;
        // Other shards on this host may use the same cores, unless the scheduler gave this one its own.
        let is_bound = available_cores().len() as u64 <= job_cores;
        if config.cpus == Cpus::ByGame && job_cores > 0 && !is_bound {
            config.cpus = Cpus::Any;
        }
        for engine in &mut config.engines {
            // Both have the seed.
            engine.hidden.extend([league.out.clone(), job.clone()]);
        }
        if config.seed.is_none() {
            config.seed = Seed::of_log(&league.out)?;
        }
        let fault = || attempt.display().to_string();
        if let Some(speed) = pace::reference(&league.out)? {
            pace::save_reference(&attempt, speed).with_context(fault)?;
        }
        let settings = Settings::of_folder(attempt);
        let session = Session::open(config, &league.file, &settings, &Part::of_ids(&ids))?;
        let mut command = command_line();
        if self.shard.is_none() {
            // The scheduler's variable is gone when somebody enters it.
            command += &format!(" {shard}");
        }
        league::play(session, Tables::default(), out, &command)
    }

    /// The number of the shard, given or of a scheduler.
    fn shard(&self) -> Result<usize, BadInput> {
        let given = self.shard.or_else(|| {
            let number = |name| std::env::var(name).ok()?.parse().ok();
            VARIABLES.into_iter().find_map(number)
        });
        given.ok_or_else(|| {
            BadInput(format!(
                "which shard? Expected a number after the job, or in {}",
                VARIABLES.join(" or ")
            ))
        })
    }
}

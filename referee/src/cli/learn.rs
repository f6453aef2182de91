//! `referee learn`.

mod values;
mod weights;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use base::error::BadInput;
use base::signals;
use lab::learn::config::{Config, Task};
use lab::learn::folder::Folder;
use learning::{Learner, Learns, PolicyLearner};

use super::facts::FormatArg;
use super::steps::StepsArgs;

/// Learn a game's evaluation or policy by self-play
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An engine plays against itself with the weights that it has, and the weights are fitted to the
results and to the values that its searches found, iteration by iteration. configs/README.md
describes every key of the file. The folder has a checkpoint, the weights and a plot, all of the last
complete iteration. Run the same command again to go on after an interruption: the result is the
same.

With logs = [\"matches/night\"] under [learn] the games of logs are replayed before any is played.

A file with [policy] learns a policy instead: which moves are worth a search, from the moves that
searches chose. A file with [q] learns a table of values of a small game, by Q-learning.

With --to a scheduler plays the games of each iteration in shards (docs/cluster.md); the result is the
same.

Example: referee learn configs/learn/surakarta.toml
  referee learn configs/learn/surakarta.toml --iterations 60
  referee learn configs/learn/tic-tac-toe.toml
  referee engine surakarta --weights learned/surakarta/weights
  referee learn configs/learn/hex.toml
  referee learn configs/learn/hex.toml --to hyperqueue --shards 64
  referee engine hex --policy learned/hex/weights --set candidate_limit=30")]
pub(super) struct Args {
    /// The file of settings
    file: PathBuf,
    /// Folder of the run [default: learned/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of iterations, instead of that in the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    iterations: Option<u32>,
    /// Threads; the result does not depend on them [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    steps: StepsArgs,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let config = Config::load(&self.file, self.iterations)?;
        let path = match &self.out {
            Some(path) => path.clone(),
            None => Path::new("learned").join(&config.name),
        };
        signals::survive_full_files().context("cannot listen to SIGXFSZ")?;
        let logged = config.logged.clone();
        match config.task {
            Task::Weights(settings) => {
                let environment = &*weights::environment(&config)?;
                let make = |state| Learner::new(environment, settings, logged, state);
                self.run_learner(&config, &path, make, out)
            }
            Task::Policy(settings) => {
                let environment = &*weights::environment(&config)?;
                let make = |state| PolicyLearner::new(environment, settings, logged, state);
                self.run_learner(&config, &path, make, out)
            }
            Task::Table(settings) => {
                if self.steps.steps().are_submitted() {
                    return Err(BadInput(format!(
                        "{}: Q-learning learns from game to game, expected --to for a file without [q]",
                        self.file.display()
                    ))
                    .into());
                }
                values::run(&config, settings, Folder::open(&path)?, &self.format, out)
            }
        }?;
        Ok(ExitCode::SUCCESS)
    }

    /// Learns weights, or computes a part of an iteration.
    fn run_learner<L: Learns + Send + Sync>(
        &self,
        config: &Config,
        path: &Path,
        make: impl FnOnce(Option<L::State>) -> Option<L>,
        out: &mut dyn Write,
    ) -> Result<()> {
        if let Some((shard, into)) = self.steps.part() {
            let threads = self.threads.unwrap_or(1).into();
            return weights::run_part(config, path, make, threads, (shard, into));
        }
        let folder = Folder::open(path)?;
        let threads = self.threads.unwrap_or(0).into();
        let steps = self.steps.steps();
        weights::run(config, folder, make, (threads, steps), &self.format, out)
    }
}

/// The message where an iteration could not be saved.
fn unsaved(iteration: usize) -> String {
    format!("iteration {iteration} could not be saved; the checkpoint before it is intact")
}

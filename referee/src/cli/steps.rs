//! The choice of who plays the games of learning and tuning.

use std::path::{Path, PathBuf};

use lab::cluster::scheduler::Scheduler;
use lab::cluster::steps::Steps;
use league::session::part::Shard;

use super::words;

/// Who plays the games of an iteration.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct StepsArgs {
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

impl StepsArgs {
    /// The shard that this process is to compute, and the file for it.
    pub(super) fn part(&self) -> Option<(Shard, &Path)> {
        Some((self.part?, self.into.as_deref()?))
    }

    /// Who plays.
    pub(super) fn steps(&self) -> Steps {
        Steps {
            scheduler: self.to,
            shards: self.shards as usize,
            hosts: self.hosts.clone(),
        }
    }
}

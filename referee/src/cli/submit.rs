//! `referee submit`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base::error::tell;
use base::plain::games_in_words;
use lab::cluster::scheduler::Scheduler;

use super::overrides::Overrides;
use super::words;
use lab::cluster::submission::{End, Submission};
use league::session::TABLES;

/// Play a league on a cluster: submit it in shards, follow them, and merge their logs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Cuts the games that are not in the log yet into shards of one to five minutes, submits them as one
array, and merges what they have played into DIR until all have ended. DIR must be a folder that all
hosts share, and referee the same program on all of them.

Run the same command again after anything: it follows a job that is still running, and submits what
is missing otherwise. Ctrl-C ends the following, not the job. --dry-run writes the job and its script
and submits nothing; the script can be edited and submitted by hand.

Exit status: 0 no game of the league is missing, 1 some are missing, 2 bad input.

Example: referee submit night.toml --to hyperqueue
  referee submit night.toml --to slurm --dry-run
  referee submit night.toml --to parallel --hosts lab.txt")]
pub(super) struct Args {
    /// The league file
    file: PathBuf,
    /// The scheduler
    #[arg(long, value_parser = words::scheduler(), value_name = "SCHEDULER")]
    to: Scheduler,
    /// Folder of the log and the tables [default: matches/<name of the league>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games of a shard [default: as many as take about 150 s]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    shard_games: Option<u32>,
    #[command(flatten)]
    overrides: Overrides,
    /// Write the job and its script, and submit nothing
    #[arg(long)]
    dry_run: bool,
    /// GNU parallel: a file with the names of the hosts, one a line [default: this host]
    #[arg(long, value_name = "FILE")]
    hosts: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let submission = Submission {
            file: &self.file,
            overrides: self.overrides.all(),
            only: self.overrides.only(),
            out: self.out.as_deref(),
            scheduler: self.to,
            hosts: self.hosts.as_deref(),
            shard_games: self.shard_games,
        };
        if self.dry_run {
            if let Some(script) = submission.write_only()? {
                writeln!(out, "{}", script.display())?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        conclude(submission.play(&mut |_| false)?, out)
    }
}

/// Prints the tables.
fn conclude(
    End {
        folder, missing, ..
    }: End,
    out: &mut dyn Write,
) -> Result<ExitCode> {
    if let Ok(tables) = fs::read_to_string(folder.join(TABLES)) {
        write!(out, "{tables}")?;
    }
    if missing == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    tell(format_args!(
        "{} missing; run the same command again to submit them",
        games_in_words(missing)
    ));
    Ok(ExitCode::FAILURE)
}

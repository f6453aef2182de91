//! `referee guard`, started by the referee itself.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use engine_process::process::guard;

/// Wait for the end of standard input, then kill the engines that a dead referee left behind
#[derive(Debug, clap::Args)]
#[command(
    hide = true,
    after_help = "Started by the referee itself; not for other uses.\n\n\
    Example: referee guard 4711-1700000000000000000 /tmp < pipe"
)]
pub(super) struct Args {
    /// Prefix of the marks of the engines
    token: String,
    /// Where to create the folder that holds the engines' temporary folders
    folder: PathBuf,
}

impl Args {
    pub(super) fn run(self) -> Result<ExitCode> {
        guard::run(&self.token, &self.folder).context("cannot guard")?;
        Ok(ExitCode::SUCCESS)
    }
}

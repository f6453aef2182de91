//! `referee guard`, which the referee starts for itself.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::process::guard;

/// Wait for the end of standard input, and end the engines of a referee that has gone
#[derive(Debug, clap::Args)]
#[command(
    hide = true,
    after_help = "Started by a league for itself, and of no use to anybody else.\n\n\
    Example: referee guard 4711-1700000000000000000 /tmp < pipe"
)]
pub(super) struct Args {
    /// What the marks of the engines begin with
    token: String,
    /// Where to make the folder in which the engines have theirs
    folder: PathBuf,
}

impl Args {
    pub(super) fn run(self) -> Result<ExitCode> {
        guard::run(&self.token, &self.folder).context("cannot guard")?;
        Ok(ExitCode::SUCCESS)
    }
}

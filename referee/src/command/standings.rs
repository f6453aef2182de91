//! `referee standings`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::error::tell;
use crate::log;
use crate::standings::Standings;
use crate::table;

/// Print the tables of logged games
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee standings matches/six-games")]
pub(super) struct Args {
    /// Logs, or folders with logs in them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let (games, warnings) = log::read_all(&log::find(&self.paths)?)?;
        for warning in warnings {
            tell(format_args!("warning: {warning}"));
        }
        write!(out, "{}", table::standings(&Standings::of(&games)))?;
        Ok(ExitCode::SUCCESS)
    }
}

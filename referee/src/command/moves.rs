//! `referee moves`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use super::position::PositionArgs;

/// Print the legal actions of a position, sorted, one per line
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee moves hex --variant '{ size = 3 }' --actions 'a1 b2'")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        for action in self.position.open()?.actions() {
            writeln!(out, "{action}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

//! `referee engine`.

use std::process::ExitCode;

use anyhow::Result;

use super::position::find;
use crate::error::BadInput;

/// Play a game as a built-in engine, on standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee engine hex --algorithm mcts --threads 2")]
pub(super) struct Args {
    /// The game: one of those that `referee games` lists
    game: String,
    #[command(flatten)]
    options: entry::Options,
}

impl Args {
    pub(super) fn run(self) -> Result<ExitCode> {
        find(&self.game)?
            .serve(&self.options)
            .map_err(|error| BadInput(error.to_string()))?;
        Ok(ExitCode::SUCCESS)
    }
}

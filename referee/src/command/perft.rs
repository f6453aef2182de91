//! `referee perft`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use super::position::PositionArgs;

/// Count the action sequences from a position; a roll counts as an action
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee perft surakarta --depth 5")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Maximum length of the sequences, in actions
    #[arg(long)]
    depth: u32,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let game = self.position.open()?;
        for depth in self.depth.min(1)..=self.depth {
            writeln!(out, "depth {depth} nodes {}", game.perft(depth))?;
            out.flush()?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

//! `referee perft`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::facts::{FormatArg, write_json};
use super::position::PositionArgs;

/// Count the action sequences from a position; a roll counts as an action
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee perft surakarta --depth 5")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    format: FormatArg,
    /// Maximum length of the sequences, in actions
    #[arg(long)]
    depth: u32,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let game = self.position.open()?;
        let depths = self.depth.min(1)..=self.depth;
        if self.format.is_json() {
            let count = |depth| json!({ "depth": depth, "nodes": game.perft(depth) });
            let counts: Vec<_> = depths.map(count).collect();
            let facts = json!({ "position": game.position(), "counts": counts });
            write_json(out, &facts)?;
            return Ok(ExitCode::SUCCESS);
        }
        for depth in depths {
            writeln!(out, "depth {depth} nodes {}", game.perft(depth))?;
            out.flush()?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

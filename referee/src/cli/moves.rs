//! `referee moves`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::facts::{FormatArg, write_json};
use super::position::PositionArgs;

/// Print the legal actions of a position, sorted, one per line
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: referee moves hex --variant '{ size = 3 }' --actions 'a1 b2'
  referee moves hex --variant '{ size = 3 }' --position '3/1r1/3 b' --format json")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let game = self.position.open()?;
        let actions = game.actions();
        if self.format.is_json() {
            let facts = json!({ "position": game.position(), "actions": actions });
            write_json(out, &facts)?;
            return Ok(ExitCode::SUCCESS);
        }
        for action in actions {
            writeln!(out, "{action}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

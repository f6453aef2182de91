//! `referee show`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use super::position::PositionArgs;
use crate::replay::state;

/// Print the board, the side to move, and the result if the game is over
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: referee show connect6 --actions 'j10 k11i11'")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let game = self.position.open()?;
        write!(out, "{}", game.board())?;
        writeln!(out, "position: {}", game.position())?;
        writeln!(out, "{}", state(&*game, self.position.rules()?.colours()))?;
        Ok(ExitCode::SUCCESS)
    }
}

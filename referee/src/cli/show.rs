//! `referee show`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use catalog::{AnyMatch, Shown};
use gamelog::record::{GameResult, SideName};
use league::results::replay::state;
use serde_json::{Value, json};

use super::facts::{FormatArg, write_json};
use super::picture::PictureArgs;
use super::position::PositionArgs;

/// Print the board, the side to move, and the result if the game is over, or write a picture
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: referee show connect6 --actions 'j10 k11i11'
  referee show hex --variant '{ size = 3 }' --position '3/1r1/3 b'
  referee show gomoku --actions 'h8h9i9x2' --numbers --png gomoku.png --size 600
  referee show amazons --svg amazons.svg --theme auto")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let game = self.position.open()?;
        if self.picture.is_given() {
            let shown = Shown {
                numbers: self.picture.look.numbers,
                ..Shown::default()
            };
            self.picture.write(&game.picture(&shown)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        if self.format.is_json() {
            write_json(out, &facts(&*game))?;
            return Ok(ExitCode::SUCCESS);
        }
        write!(out, "{}", game.board())?;
        writeln!(out, "position: {}", game.position())?;
        writeln!(out, "{}", state(&*game, self.position.rules()?.colours()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What is known of a position.
fn facts(game: &dyn AnyMatch) -> Value {
    let outcome = game.outcome();
    json!({
        "position": game.position(),
        "board": game.board(),
        "side": SideName::from(game.side()),
        "roll_due": game.roll_due(),
        "result": outcome.map(GameResult::from),
        "ending": outcome.map(|_| game.ending()),
    })
}

//! `referee engine`.

use std::process::ExitCode;

use anyhow::Result;
use catalog::Rules;
use referee_core::base::error::BadInput;

use super::position::find;

/// Play a game as a built-in engine, on standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct Args {
    /// The game, as listed by `referee games`
    game: String,
    #[command(flatten)]
    options: entry::Options,
}

/// What `best` is in each game, and an example.
fn after_help() -> String {
    let best = |game: &&dyn Rules| format!("{} {}", game.id(), game.best().name());
    let best: Vec<String> = catalog::GAMES.iter().map(best).collect();
    format!(
        "The algorithm `best` is, by the matches in matches/samples/best: {}.\n\n\
         Example: referee engine hex\n\
         Example: referee engine hex --algorithm mcts --threads 2",
        best.join(", ")
    )
}

impl Args {
    pub(super) fn run(self) -> Result<ExitCode> {
        find(&self.game)?
            .serve(&self.options)
            .map_err(|error| BadInput(error.to_string()))?;
        Ok(ExitCode::SUCCESS)
    }
}

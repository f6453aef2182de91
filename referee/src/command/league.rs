//! `referee league`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;

use super::overrides::Overrides;
use super::session::{Place, Session, command_line};
use super::shard::Part;
use crate::error::tell;
use crate::plain::games_in_words;
use crate::progress::Progress;

/// Play a league, or resume it
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every finished game is written to DIR/games.jsonl at once. Run the same command \
    again to resume a league. Ctrl-C stops after the games in progress; a second Ctrl-C aborts them.\
    \n\n\
    Example: referee league configs/six-games.toml --out matches/tuesday\n\
    \x20 referee league night.toml --rounds 2 --games hex --set clock.move=1s\n\
    \x20 referee league night.toml --shard 2/8 --out shard-2"
)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    part: Part,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let mut session = Session::open(
            self.overrides.load(&self.place.file)?,
            &self.place,
            &self.part,
        )?;
        let mut progress = Progress::new(session.standings.clone());
        let left = session.play(&mut progress);
        progress.finish();
        let left = left?;
        write!(
            self.place.results(out),
            "{}",
            session.tables(progress.standings(), left == 0)?
        )?;
        if left == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        tell(format_args!(
            "stopped, {} left to play. To resume: {}",
            games_in_words(left),
            command_line()
        ));
        Ok(ExitCode::FAILURE)
    }
}

//! `referee league`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base::error::{BadInput, inform, tell};
use base::plain::games_in_words;
use league::report::{self, Format, ReportOptions};

use super::output::Output;
use super::overrides::Overrides;
use super::shard::PartArgs;
use super::words;
use crate::cli::progress::Progress;
use base::program::command_line;
use league::session::Session;

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
    /// The league file
    file: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    tables: Tables,
}

/// How the tables of a league are printed.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(super) struct Tables {
    /// Output format of the tables; all but text leave out the table of a tournament and the seed.
    /// The file standings.txt beside the log is always text
    #[arg(long, value_parser = words::table(), default_value = Format::default().name())]
    format: Format,
}

impl Tables {
    /// Whether JSON is wanted, of a command that has no other format beside text.
    pub(super) fn is_json(self) -> Result<bool, BadInput> {
        match self.format {
            Format::Json => Ok(true),
            Format::Text => Ok(false),
            other => Err(BadInput(format!(
                "--format {} of a test, expected text or json",
                other.name()
            ))),
        }
    }
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let config = self.overrides.load(&self.file)?;
        let settings = self.output.settings(&config);
        let session = Session::open(config, &self.file, &settings, &self.part.part())?;
        let out = &mut *self.output.results(out);
        play(session, self.tables, out, &command_line())
    }
}

/// Plays all games that are left, and prints the tables. `command` resumes the league.
pub(super) fn play(
    mut session: Session,
    tables: Tables,
    out: &mut dyn Write,
    command: &str,
) -> Result<ExitCode> {
    let mut progress = Progress::new(session.standings.clone(), session.live.clone());
    let left = session.play(&mut progress);
    progress.finish();
    let left = left?;
    let standings = progress.standings();
    let text = session.write_tables(standings, left == 0)?;
    let printed = match tables.format {
        Format::Text => text,
        format => {
            let options = ReportOptions {
                format,
                ..ReportOptions::default()
            };
            report::report(standings, &options)
        }
    };
    write!(out, "{printed}")?;
    if left == 0 {
        if !progress.is_plain() {
            inform(what_next(&session.folder().display().to_string()));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let games = games_in_words(left);
    tell(format_args!(
        "stopped, {games} left to play. To resume: {command}"
    ));
    Ok(ExitCode::FAILURE)
}

/// Commands that look at a finished league.
fn what_next(folder: &str) -> String {
    let folder = shlex::try_quote(folder).unwrap_or(folder.into());
    format!(
        "\nNext: referee replay {folder}               the games, one by one\n      \
         referee standings {folder} --by engine   every engine against every other\n      \
         referee report {folder} --html league.html   all of it as one page\n      \
         referee serve                            in a browser"
    )
}

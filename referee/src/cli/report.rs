//! `referee report`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use base::error::{inform, tell};
use base::plain::games_in_words;
use clap::ValueEnum;
use pages::Report;

/// Write a league as one page that opens without a server
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page has tables, ratings, openings, use of time, the slowest turns, faults, and every game as a
replay, or as many games as fit. It is one file: it opens from a USB stick, and can be sent.

Example: referee report matches/six-games --html six-games.html
  referee report night1 night2 --html nights.html --title \"Two nights\" --language zh")]
pub(super) struct Args {
    /// Logs, or folders with logs in them or in their subfolders; - reads standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,

    /// The file to write; - writes standard output
    #[arg(long, value_name = "FILE")]
    html: PathBuf,

    /// Title of the page [default: the name of the league, of the first one if there are several]
    #[arg(long)]
    title: Option<String>,

    /// The size of the page, MB, about: it has as many games as fit, first those that ended by a fault
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    most_mb: u32,

    /// Language of the page
    #[arg(long, value_enum, default_value_t)]
    language: Language,
}

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Language {
    /// English
    #[default]
    En,
    /// Chinese
    Zh,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let report = Report::of(&gamelog::find(&self.paths)?, self.title.as_deref())?;
        for warning in report.warnings() {
            tell(format_args!("warning: {warning}"));
        }
        let chosen = report.chosen(self.most_mb as usize * 1_000_000);
        let page = report.html(matches!(self.language, Language::Zh), &chosen);
        if self.html.as_os_str() == "-" {
            out.write_all(page.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let shown = self.html.display();
        fs::write(&self.html, page).with_context(|| format!("{shown}"))?;
        let all = games_in_words(report.games());
        if chosen.len() < report.games() {
            let replays = chosen.len();
            inform(format_args!(
                "{shown}: {all}, {replays} of them as replays (--most-mb for more)"
            ));
        } else {
            inform(format_args!("{shown}: {all}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

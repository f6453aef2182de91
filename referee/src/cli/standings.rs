//! `referee standings`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base::error::tell;
use gamelog::record::Logged;
use league::report::{self, By, Format, ReportOptions};
use league::results::anchors::Anchor;
use league::results::standings::Standings;
use league::results::summary::GameSummary;

use super::words;

/// Print the tables and ratings of logged games
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Ratings are maximum-likelihood estimates over all games of a table: Bradley-Terry with draws and a
first-side advantage. Two games with sides exchanged, from the same opening, count as one pair in
every error bar. Where one side won every game, the tables show a one-sided 95 % bound: > +350.0.
Several anchors set the scale together: their ratings are taken as exact, and a note says where the
games contradict them.

Example: referee standings matches/six-games
  referee standings night1/games.jsonl night2/games.jsonl --by engine
  referee standings matches --list --anchor mohex=2000 --anchor wolve=1800
  referee standings matches/six-games --anchor pvs --format markdown > report.md")]
pub(super) struct Args {
    /// Logs, or folders with logs in them or in their subfolders; - reads standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,

    /// Grouping of the tables; JSON always has all of them
    #[arg(long, value_parser = words::by(), default_value = By::default().name())]
    by: By,

    /// Tell the builds of an engine apart, by the digest of its files: bot@ba7816bf
    #[arg(long)]
    builds: bool,

    /// Output format
    #[arg(long, value_parser = words::table(), default_value = Format::default().name())]
    format: Format,

    /// A rating list per game: short for --by list
    #[arg(long, conflicts_with = "by")]
    list: bool,

    /// An engine whose rating is given, 0 without a number; may be repeated [default: the mean of all
    /// ratings is 0]
    #[arg(long, value_name = "ENGINE[=ELO]")]
    anchor: Vec<String>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let mut standings = Standings::new(self.builds);
        let logs = gamelog::find(&self.paths)?;
        let keep = |game: Logged<'_>| GameSummary::from(&game);
        for warning in gamelog::each(&logs, keep, |game| standings.add(&game))? {
            tell(format_args!("warning: {warning}"));
        }
        let options = ReportOptions {
            by: if self.list { By::List } else { self.by },
            format: self.format,
            anchors: Anchor::parse_all(&self.anchor, &standings.all)?,
        };
        write!(out, "{}", report::report(&standings, &options))?;
        Ok(ExitCode::SUCCESS)
    }
}

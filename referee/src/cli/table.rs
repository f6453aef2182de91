//! `referee table`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use base::error::tell;
use gamelog::record::Logged;
use league::report::{self, Format};
use league::tournament::{Ended, Played};

use super::overrides::Overrides;
use super::words;
use league::session::seed;
use league::session::{folder, tournament};

/// Print the state of a tournament: groups, meetings, tie-breaks, and who advances
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The league file is needed beside the log to assign the games to stages; games of other leagues are
ignored. For ratings, see referee standings.

Exit status: 0 the tournament is over, 1 games are missing, 2 bad input.

Example: referee table configs/contest.toml
  referee table cup.toml --log matches/cup --format markdown")]
pub(super) struct Args {
    /// The league file
    file: PathBuf,

    /// Log, or folder with one [default: matches/<name of the league>]
    #[arg(long, value_name = "LOG")]
    log: Option<PathBuf>,

    /// Output format
    #[arg(long, value_parser = words::table(), default_value = Format::default().name())]
    format: Format,

    #[command(flatten)]
    overrides: Overrides,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let mut config = self.overrides.load(&self.file)?;
        let place = folder(self.log.as_deref(), &config);
        let beside = if place.is_dir() {
            &place
        } else {
            place.parent().unwrap_or(Path::new(""))
        };
        let mut played = Played::default();
        let has_begun = self.log.is_some() || place.exists();
        let logs = if has_begun {
            seed::from_log(&mut config, &self.file, beside)?;
            gamelog::find(std::slice::from_ref(&place))?
        } else {
            seed::known_or_any(&mut config, beside)?;
            Vec::new()
        };
        let keep = |game: Logged<'_>| (Ended::from(&game), game.id);
        for warning in gamelog::each(&logs, keep, |(ended, id)| played.add(&id, ended))? {
            tell(format_args!("warning: {warning}"));
        }
        let tournament = tournament(config)?;
        let survey = tournament.survey(&played);
        let text = report::tournament(&tournament.config, &survey, self.format);
        write!(out, "{text}")?;
        Ok(ExitCode::from(!survey.due.is_empty() as u8))
    }
}

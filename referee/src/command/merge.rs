//! `referee merge`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::session::{TABLES, tournament};
use crate::config::Config;
use crate::error::tell;
use crate::log::{self, Contents, FILE_NAME, Log};
use crate::merge::Merged;
use crate::record::GameRecord;
use crate::report::{self, Wishes};
use crate::standings::Standings;

/// Put the logs of a league that was played in parts together
#[derive(Debug, clap::Args)]
#[command(after_help = "\
What DIR already holds is kept, so that logs can be added one after another, in any order, and
again. Two different records of one game are refused, and nothing is then written.

Exit status: 0 all games of the league are there, 1 some are missing, 2 bad input.

Example: referee merge shard-1 shard-2/games.jsonl --out matches/night --league night.toml")]
pub(super) struct Args {
    /// Logs, or folders with logs in them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The folder of the merged log
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The league file, to name the games that are missing
    #[arg(long, value_name = "FILE")]
    league: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let tournament = match &self.league {
            Some(path) => Some(tournament(Config::load(path)?)?),
            None => None,
        };
        // Held, so that no league writes there meanwhile; a broken last line is set aside.
        let target = Log::open(&self.out)?;
        for warning in &target.warnings {
            tell(format_args!("warning: {warning}"));
        }
        let path = target.log.path().to_owned();
        let mut merged = Merged::default();
        merged.add(&path, Contents::read(&path)?)?;
        for path in log::find(&self.paths)? {
            let contents = Contents::read(&path).with_context(|| path.display().to_string())?;
            if let Some(warning) = contents.warning(&path) {
                tell(format_args!("warning: {warning}"));
            }
            merged.add(&path, contents)?;
        }
        let games = merged.into_games();
        self.write(&games)?;
        let missing = tournament.map_or(Vec::new(), |tournament| tournament.survey(&games).due);
        for task in &missing {
            writeln!(out, "{}", task.id)?;
        }
        let (count, added) = (games.len(), games.len() - target.games.len());
        tell(match (&self.league, missing.len()) {
            (None, _) => format!("{count} games, {added} of them new"),
            (Some(_), 0) => format!("{count} games, {added} of them new; none is missing"),
            (Some(_), left) => format!("{count} games, {added} of them new; {left} are missing"),
        });
        Ok(ExitCode::from(!missing.is_empty() as u8))
    }

    /// Writes log and tables anew, each complete before it takes the place of the old one.
    fn write(&self, games: &[GameRecord]) -> Result<()> {
        let mut lines = Vec::new();
        for game in games {
            serde_json::to_writer(&mut lines, game)?;
            lines.push(b'\n');
        }
        let tables = report::report(&Standings::of(games), &Wishes::default());
        for (name, bytes) in [(FILE_NAME, lines), (TABLES, tables.into_bytes())] {
            let path = self.out.join(name);
            let new = self.out.join(format!("{name}.new"));
            let written = fs::write(&new, &bytes).and_then(|()| fs::rename(&new, &path));
            written.with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

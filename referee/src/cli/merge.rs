//! `referee merge`.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use referee_core::base::disk::sync_folder;
use referee_core::base::error::{inform, tell};
use referee_core::base::plain::games_in_words;
use referee_core::league::config::Config;
use referee_core::league::merge::{Game, Merged};
use referee_core::log::record::Text;
use referee_core::log::{self, Dropped, FILE_NAME, Log};
use referee_core::report::{self, ReportOptions};
use serde_json::json;

use super::facts::{FormatArg, write_json};
use super::seed;
use super::session::{TABLES, tournament};

/// Merge the logs of a league that was played in parts
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Games already in DIR are kept, so logs can be added one after another, in any order, and more than
once. If two records of one game differ, nothing is written.

Exit status: 0 no game of the league is missing, 1 some are missing, 2 bad input.

Example: referee merge shard-1 shard-2/games.jsonl --out matches/night --league night.toml")]
pub(super) struct Args {
    /// Logs, or folders with logs in them or in their subfolders; - reads standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Folder of the merged log
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The league file; the ids of its missing games are printed
    #[arg(long, value_name = "FILE")]
    league: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArg,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let tournament = match &self.league {
            Some(path) => {
                let mut config = Config::load(path, &[])?;
                seed::from_log(&mut config, path, &self.out)?;
                Some(tournament(config)?)
            }
            None => None,
        };
        // Locks the log against a league that writes to it, and sets a broken last line aside.
        let mut before = 0;
        let target = Log::open(&self.out, |_| (), |()| before += 1)?;
        for warning in &target.warnings {
            tell(format_args!("warning: {warning}"));
        }
        let path = target.log.path().to_owned();
        let mut merged = Merged::default();
        let read = |line: &[u8]| log::parse::<Text>(line).map(Game::of);
        let logs = log::find(&self.paths)?;
        let mut dropped = log::dropped(&path)?;
        for path in &logs {
            dropped = dropped.and(&log::dropped(path)?);
        }
        merged.add(&path, log::stream_without(&path, dropped.clone(), read)?)?;
        for path in logs {
            let mut lines = log::stream_without(&path, dropped.clone(), read)?;
            merged.add(&path, &mut lines)?;
            if let Some(warning) = lines.warning(&path) {
                tell(format_args!("warning: {warning}"));
            }
        }
        self.write(&merged, &dropped)?;
        let missing = tournament.map_or(Vec::new(), |tournament| {
            tournament.survey(&merged.played).due
        });
        let (count, added) = (merged.played.len(), merged.played.len() - before);
        let mut ids = missing.iter().map(|task| &task.id);
        if self.format.is_json() {
            let ids: Vec<_> = ids.collect();
            let facts = json!({ "games": count, "new": added, "missing": ids });
            write_json(out, &facts)?;
        } else {
            ids.try_for_each(|id| writeln!(out, "{id}"))?;
        }
        let count = games_in_words(count);
        inform(match (&self.league, missing.len()) {
            (None, _) => format!("{count}, {added} of them new"),
            (Some(_), 0) => format!("{count}, {added} of them new; none are missing"),
            (Some(_), left) => format!("{count}, {added} of them new; {left} are missing"),
        });
        Ok(ExitCode::from(!missing.is_empty() as u8))
    }

    /// Rewrites log and tables. Each file is complete before it replaces the old one.
    fn write(&self, merged: &Merged, dropped: &Dropped) -> Result<()> {
        let tables = report::report(&merged.standings, &ReportOptions::default());
        let games = merged.places();
        self.replace(FILE_NAME, |file| {
            games.iter().try_for_each(|place| {
                let line = place.line()?;
                file.write_all(&line)?;
                Ok::<_, anyhow::Error>(file.write_all(b"\n")?)
            })?;
            dropped.lines().try_for_each(|line| {
                file.write_all(&line?)?;
                Ok(file.write_all(b"\n")?)
            })
        })?;
        self.replace(TABLES, |file| Ok(file.write_all(tables.as_bytes())?))
    }

    fn replace(&self, name: &str, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        let path = self.out.join(name);
        let new = self.out.join(format!("{name}.new"));
        let written = write_new(&new, write).and_then(|()| {
            fs::rename(&new, &path)?;
            Ok(sync_folder(&path)?)
        });
        written.with_context(|| path.display().to_string())
    }
}

/// Writes a new file, and brings it to disk.
fn write_new(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write(&mut file)?;
    Ok(file.into_inner()?.sync_all()?)
}

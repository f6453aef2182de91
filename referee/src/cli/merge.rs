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
use referee_core::league::merge::{Game, Merged, Twice};
use referee_core::league::tournament::Played;
use referee_core::log::{self, Dropped, Log};
use referee_core::report::{self, ReportOptions};
use referee_core::results::standings::{GameSummary, Standings};
use serde_json::json;

use super::facts::{FormatArg, write_json};
use super::seed;
use super::session::{TABLES, tournament};

/// Merge the logs of a league that was played in parts
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Games already in DIR are kept, so logs can be added one after another, in any order, and more than
once. If two records of one game differ, nothing is written, or with --keep-first the game that began
first is.

Exit status: 0 no game of the league is missing, 1 some are missing, 2 bad input.

Example: referee merge shard-1 shard-2/games.jsonl --out matches/night --league night.toml")]
pub(super) struct Args {
    /// Logs, or folders with logs in them or in their subfolders; - reads standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Folder of the merged log
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Of records of one game that differ, as of one that two machines have played, keep that of the
    /// game that began first
    #[arg(long)]
    keep_first: bool,
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
        let twice = match self.keep_first {
            true => Twice::First,
            false => Twice::Refuse,
        };
        let merged = merge(&self.paths, &self.out, twice)?;
        for warning in &merged.warnings {
            tell(format_args!("warning: {warning}"));
        }
        if merged.twice > 0 {
            let games = games_in_words(merged.twice);
            tell(format_args!("{games} more than once; the first counts"));
        }
        let Outcome { played, before, .. } = merged;
        let (count, added) = (played.len(), played.len() - before);
        let missing = match &tournament {
            Some(tournament) => tournament.survey(&played).due,
            None => Vec::new(),
        };
        let tournament = tournament.iter();
        let mut ids = tournament.flat_map(|league| missing.iter().map(|due| league.id(due)));
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
}

/// What came of a merge.
pub(super) struct Outcome {
    /// All games.
    pub(super) played: Played,
    /// How many there were in the folder before.
    pub(super) before: usize,
    /// Number of records that do not count because of [`Twice::First`].
    pub(super) twice: usize,
    /// Warnings for the user, such as broken last lines.
    pub(super) warnings: Vec<String>,
    /// The standings after all games.
    pub(super) standings: Standings,
}

/// Merges logs into the log in a folder, and writes its tables.
///
/// # Errors
/// A log cannot be read or written, or two records of a game differ and that is refused. Nothing is
/// written then.
pub(super) fn merge(paths: &[PathBuf], out: &Path, twice: Twice) -> Result<Outcome> {
    // Locks the log against a league that writes to it, and sets a broken last line aside.
    let mut before = 0;
    let target = Log::open(out, |_| (), |()| before += 1)?;
    let mut warnings = target.warnings;
    let path = target.log.path();
    let (played, twice) = merge_into(path, log::find(paths)?, twice, &mut warnings)?;
    let standings = write_tables(path)?;
    Ok(Outcome {
        standings,
        played,
        before,
        twice,
        warnings,
    })
}

/// Rewrites a log with the games of others. Returns all games, and how many records do not count.
/// Where a million games are is known here only: the standings need that memory.
fn merge_into(
    target: &Path,
    logs: Vec<PathBuf>,
    twice: Twice,
    warnings: &mut Vec<String>,
) -> Result<(Played, usize)> {
    let mut merged = Merged::default();
    let mut dropped = log::dropped(target)?;
    for path in &logs {
        dropped = dropped.and(&log::dropped(path)?);
    }
    let lines = log::stream_without(target, dropped.clone(), Game::read)?;
    merged.add(target, lines, twice)?;
    for path in logs {
        let mut lines = log::stream_without(&path, dropped.clone(), Game::read)?;
        merged.add(&path, &mut lines, twice)?;
        warnings.extend(lines.warning(&path));
    }
    write_log(target, &merged, &dropped)?;
    let twice = merged.twice;
    Ok((merged.into_played(), twice))
}

fn write_log(target: &Path, merged: &Merged, dropped: &Dropped) -> Result<()> {
    let mut games = merged.places()?;
    replace(target, |file| {
        games.try_for_each(|place| {
            let line = place.line()?;
            file.write_all(&line)?;
            Ok::<_, anyhow::Error>(file.write_all(b"\n")?)
        })?;
        dropped.lines().try_for_each(|line| {
            file.write_all(&line?)?;
            Ok(file.write_all(b"\n")?)
        })
    })
}

/// Writes the tables of a log beside it, and returns its standings.
fn write_tables(log: &Path) -> Result<Standings> {
    let mut standings = Standings::default();
    log::each(
        &[log.to_owned()],
        |game| GameSummary::from(&game),
        |game| standings.add(&game),
    )?;
    let tables = report::report(&standings, &ReportOptions::default());
    replace(&log.with_file_name(TABLES), |file| {
        Ok(file.write_all(tables.as_bytes())?)
    })?;
    Ok(standings)
}

/// Replaces a file by one that is complete.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let written = write_new(Path::new(&new), write).and_then(|()| {
        fs::rename(&new, path)?;
        Ok(sync_folder(path)?)
    });
    written.with_context(|| path.display().to_string())
}

/// Writes a new file, and brings it to disk.
fn write_new(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write(&mut file)?;
    Ok(file.into_inner()?.sync_all()?)
}

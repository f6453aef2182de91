//! The log of a league: one game, one JSON object, one line, appended when the game ends.
//!
//! `matches/README.md` describes the fields. A log is never rewritten. A last line that a power cut
//! or a kill broke off is moved to a file beside it before anything is appended. While a league is
//! played, nobody else may change its log, which is looked at before every game that is appended.

mod file;
mod place;
mod stream;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

pub use file::AppendError;
use file::{LogFile, write_beside};
pub use place::Place;
pub use stream::Stream;

use crate::error::BadInput;
use crate::record::{GameRecord, Logged, SCHEMA};

/// Name of the log in the folder of a league.
pub const FILE_NAME: &str = "games.jsonl";

/// One complete line of a log.
#[derive(Debug)]
pub struct Entry<T = GameRecord> {
    /// Its number, from 1.
    pub line: usize,
    /// Where it is in the file, without its end.
    pub bytes: Range<u64>,
    /// The game, or what was kept of it, or why it is none.
    pub record: Result<T, String>,
}

/// Reads a line of a log.
///
/// # Errors
/// What is wrong with it, with the column.
pub fn parse<'l, S: Deserialize<'l>>(line: &'l [u8]) -> Result<GameRecord<S>, String> {
    let line = line.trim_ascii_end();
    // Text that is known to be UTF-8 is read faster.
    let record = match std::str::from_utf8(line) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(line),
    };
    let record: GameRecord<S> = record.map_err(|error: serde_json::Error| {
        // The line is known, and serde_json counts lines of its own.
        let message = error.to_string();
        message.replace(&format!(" at line {} column", error.line()), " at column")
    })?;
    if record.schema != SCHEMA {
        return Err(format!("schema {}, expected {SCHEMA}", record.schema));
    }
    Ok(record)
}

/// The log of a league that is being played. It is locked: no other referee can write it.
#[derive(Debug)]
pub struct Log(LogFile);

/// A log that has been opened.
#[derive(Debug)]
pub struct Opened {
    /// The log, ready for more.
    pub log: Log,
    /// What the user should know: a broken last line set aside, duplicates.
    pub warnings: Vec<String>,
}

impl Log {
    /// Opens the log in `folder`, or begins it, and has `take` see what `keep` makes of the games
    /// in it, as [`each`] does.
    ///
    /// # Errors
    /// A folder that cannot be written, a log that is no file or that another referee writes, or one
    /// with an unreadable line before its last.
    pub fn open<T: Send>(
        folder: &Path,
        keep: impl Fn(Logged<'_>) -> T + Sync,
        mut take: impl FnMut(T),
    ) -> Result<Opened, BadInput> {
        fs::create_dir_all(folder).map_err(|error| {
            let folder = folder.display();
            BadInput(format!("{folder}: {error}, expected a folder for the log"))
        })?;
        let mut file = LogFile::open(folder.join(FILE_NAME))?;
        let path = file.path.clone();
        let failed = |error: io::Error| {
            let path = path.display();
            BadInput(format!(
                "{path}: its broken last line cannot be set aside: {error}"
            ))
        };
        let mut stream = Stream::new(file.bytes(), with_id(keep));
        let mut take = |_: Place, game| take(game);
        let mut warnings = take_in(&mut stream, &path, &mut HashSet::new(), &mut take)?;
        let (lines, length) = (stream.lines(), stream.length());
        let broken = stream.broken().to_vec();
        drop(stream);
        if !broken.is_empty() {
            let aside = write_beside(&path, "broken", &*broken).map_err(failed)?;
            file.cut(length).map_err(failed)?;
            warnings.push(format!(
                "{}:{}: a broken last line, set aside in {}",
                path.display(),
                1 + lines,
                aside.display()
            ));
        }
        let log = Log(file);
        Ok(Opened { log, warnings })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Appends a game: all of it, or nothing.
    ///
    /// # Errors
    /// The file cannot be written, or somebody else has changed it.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), AppendError> {
        self.0.append(&line(record).map_err(AppendError::Write)?)
    }

    /// Writes the games to a new file beside the log, which is not touched: those that it held when
    /// it was opened, if it still does, and all that were to be appended. Returns where they are, and
    /// whether these are all.
    ///
    /// # Errors
    /// As for reading and writing files. No part of it is then left.
    pub fn keep(&mut self) -> io::Result<(PathBuf, bool)> {
        fs::create_dir_all(self.path().parent().unwrap_or(Path::new("")))?;
        self.0.keep()
    }
}

/// A game as a line of a log.
fn line(record: &GameRecord) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
impl Log {
    /// Makes every further write fail, as a full disk does.
    pub(crate) fn fail_from_now_on(&mut self) {
        self.0.fail_from_now_on();
    }
}

/// Has `take` see what `keep` makes of the games of all these logs, each id once, in order: of games
/// with the same id the first counts. `keep` is called on any thread. Returns what the user should
/// know of the logs. Nothing is touched.
///
/// # Errors
/// A file that cannot be read, or a line, before the last, that is no game.
pub fn each<T: Send>(
    paths: &[PathBuf],
    keep: impl Fn(Logged<'_>) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<Vec<String>, BadInput> {
    each_line(paths, with_id(keep), |_, game| take(game))
}

fn each_line<T: Send>(
    paths: &[PathBuf],
    understand: impl Fn(&[u8]) -> Result<(String, T), String> + Sync,
    mut take: impl FnMut(Place, T),
) -> Result<Vec<String>, BadInput> {
    let mut ids = HashSet::new();
    let mut warnings = Vec::new();
    for path in paths {
        let mut stream = stream(path, &understand)?;
        let doubles = take_in(&mut stream, path, &mut ids, &mut take)?;
        warnings.extend(stream.warning(path));
        warnings.extend(doubles);
    }
    Ok(warnings)
}

/// Has `take` see the ids of the games of all these logs, as [`each`] finds them, and where they are.
/// Returns what the user should know.
///
/// # Errors
/// As for [`each`].
pub fn places(
    paths: &[PathBuf],
    mut take: impl FnMut(String, Place),
) -> Result<Vec<String>, BadInput> {
    each_line(paths, with_id(|game| game.id), |place, id| take(id, place))
}

/// The lines of the log at `path`, which is not touched, with what `understand` makes of each: see
/// [`parse`].
///
/// # Errors
/// A file that cannot be read.
pub fn stream<T: Send, F: Fn(&[u8]) -> Result<T, String> + Sync>(
    path: &Path,
    understand: F,
) -> Result<Stream<File, T, F>, BadInput> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    Ok(Stream::new(file, understand))
}

/// What is told of a log that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> BadInput {
    BadInput(format!("{}: {error}, expected a log", path.display()))
}

/// Reads a line, and keeps the id beside what `keep` keeps.
fn with_id<T>(keep: impl Fn(Logged<'_>) -> T) -> impl Fn(&[u8]) -> Result<(String, T), String> {
    move |line| parse(line).map(|game| (game.id.clone(), keep(game)))
}

/// Has `take` see the games whose ids are not among `ids`, to which they are added. Returns a warning
/// for each of the others.
fn take_in<T: Send, R: Read + Send, F: Fn(&[u8]) -> Result<(String, T), String> + Sync>(
    stream: &mut Stream<R, (String, T), F>,
    path: &Path,
    ids: &mut HashSet<String>,
    take: &mut impl FnMut(Place, T),
) -> Result<Vec<String>, BadInput> {
    let mut warnings = Vec::new();
    let shared: Arc<Path> = path.into();
    for entry in stream {
        let entry = entry.map_err(|error| unreadable(path, &error))?;
        let place = Place::new(&shared, entry.line, entry.bytes);
        let (id, game) = (entry.record)
            .map_err(|message| BadInput(format!("{place}: {message}, expected a game")))?;
        if ids.contains(&id) {
            warnings.push(format!("{place}: game {id} a second time, ignored"));
        } else {
            ids.insert(id);
            take(place, game);
        }
    }
    Ok(warnings)
}

/// The logs that `paths` name: files as they are, and every `*.jsonl` within folders, sorted.
///
/// # Errors
/// A path that is not there, or a folder without a log.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
    let mut logs = Vec::new();
    for path in paths {
        let failed = |error: io::Error| {
            BadInput(format!(
                "{}: {error}, expected a log or a folder of logs",
                path.display()
            ))
        };
        if path.metadata().map_err(failed)?.is_dir() {
            let before = logs.len();
            find_within(path, &mut logs).map_err(failed)?;
            logs[before..].sort();
            if logs.len() == before {
                let message = format!("{}: no *.jsonl in it, expected a log", path.display());
                return Err(BadInput(message));
            }
        } else {
            logs.push(path.clone());
        }
    }
    Ok(logs)
}

fn find_within(folder: &Path, logs: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            find_within(&path, logs)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            logs.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

//! The log of a league: one JSON object per game, on one line, appended when the game ends.
//!
//! `matches/README.md` describes the fields. A log is never rewritten. If a power failure or a kill
//! left a broken last line, it is moved to another file before anything is appended. Games reach the
//! disk within a second of their end (see `sync`). Nobody else may change the log of a running
//! league; this is checked before every append. Every line has a checksum (see `sum`), which is
//! checked whenever the line is read; lines of earlier versions have none.

mod dropped;
mod file;
pub mod files;
pub mod key;
mod place;
pub mod record;
mod stream;
mod sum;
mod sync;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::error::BadInput;
use base::input;
use serde::Deserialize;

use crate::key::IdKey;
use crate::record::{GameRecord, Logged, SCHEMA, SCHEMA_WITHOUT_SUM};
use file::LogFile;

pub use dropped::Dropped;
pub use file::AppendError;
pub use file::{lock, write_beside};
pub use place::Place;
pub use stream::{MAX_LINE, Stream};

/// Name of the log in the folder of a league.
pub const FILE_NAME: &str = "games.jsonl";

/// The extension of logs.
pub const EXTENSION: &str = "jsonl";

/// One complete line of a log.
#[derive(Debug)]
pub struct Entry<T = GameRecord> {
    /// Its number, from 1.
    pub line: usize,
    /// Byte range of the line in the file, without its line end.
    pub bytes: Range<u64>,
    /// The game, or the part extracted from it, or the parse error.
    pub record: Result<T, String>,
}

/// Parses a line of a log.
///
/// # Errors
/// The fault and its column, or that the line is not as it was written.
pub fn parse<'l, S: Deserialize<'l> + AsRef<str>>(line: &'l [u8]) -> Result<GameRecord<S>, String> {
    let line = line.trim_ascii_end();
    // Parsing is faster if the text is known to be UTF-8.
    let record = match std::str::from_utf8(line) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(line),
    };
    let mut record: GameRecord<S> = record.map_err(|error| in_line(&error))?;
    match (record.schema, record.crc32.take()) {
        (SCHEMA, Some(sum)) => sum::check(line, sum.as_ref())?,
        (SCHEMA, None) => return Err(format!("damaged: schema {SCHEMA} without crc32")),
        (SCHEMA_WITHOUT_SUM, None) => {}
        (SCHEMA_WITHOUT_SUM, Some(_)) => {
            return Err(format!("damaged: schema {SCHEMA_WITHOUT_SUM} with crc32"));
        }
        (other, _) => {
            return Err(format!(
                "schema {other}, expected {SCHEMA_WITHOUT_SUM} or {SCHEMA}"
            ));
        }
    }
    Ok(record)
}

/// An error of a line that is told by its column. The caller knows the number of the line; serde_json
/// counts lines from the start of its input.
fn in_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.replace(&format!(" at line {} column", error.line()), " at column")
}

/// The locked log of a running league: no other referee can write it.
#[derive(Debug)]
pub struct Log(LogFile);

/// A log that has been opened.
#[derive(Debug)]
pub struct Opened {
    /// The log, ready for appending.
    pub log: Log,
    /// Warnings for the user: a broken last line that was set aside, duplicates.
    pub warnings: Vec<String>,
}

impl Log {
    /// Opens or creates the log in `folder`. Calls `take` with the result of `extract` for each of
    /// its games, as [`each`] does.
    ///
    /// # Errors
    /// The folder cannot be written, the log is not a file or is locked by another referee, or a
    /// line other than the last is unreadable.
    pub fn open<T: Send>(
        folder: &Path,
        extract: impl Fn(Logged<'_>) -> T + Sync,
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
                "{path}: cannot set its broken last line aside: {error}"
            ))
        };
        let unread = |error: io::Error| unreadable(&path, &error);
        let dropped = file.bytes_from(0).and_then(Dropped::read);
        let dropped = dropped.map_err(unread)?;
        let bytes = file.bytes_from(0).map_err(unread)?;
        let mut stream = Stream::new(bytes, dropped, with_id(extract));
        let mut take = |_: Place, game| take(game);
        let mut warnings = take_unique(&mut stream, &path, &mut HashSet::new(), &mut take)?;
        let (lines, length, broken) = (stream.lines(), stream.length(), stream.broken());
        drop(stream);
        if broken > 0 {
            // Copied in blocks: a power failure can leave any number of bytes.
            let rest = file.bytes_from(length).map_err(failed)?;
            let aside = write_beside(&path, "broken", rest).map_err(failed)?;
            file.truncate(length).map_err(failed)?;
            warnings.push(format!(
                "{}:{}: broken last line, moved to {}",
                path.display(),
                1 + lines,
                aside.display()
            ));
        }
        let log = Log(file);
        Ok(Opened { log, warnings })
    }

    /// Path of the log.
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

    /// Gives up a game of this log, by a line that says so.
    ///
    /// # Errors
    /// The line of the game cannot be read, or as for [`Log::append`].
    pub fn drop_game(&mut self, id: &str, place: &Place) -> Result<(), AppendError> {
        let line = place
            .line()
            .map_err(|error| AppendError::Write(io::Error::other(error)))?;
        let mark = dropped::mark(id, &line).map_err(AppendError::Write)?;
        self.0.append(&mark)
    }

    /// Saves the games in a new file beside the log, which is not changed: the games it had when it
    /// was opened, if they are still there, and all games appended since. Returns the path, and
    /// whether all games are in it.
    ///
    /// # Errors
    /// Reading or writing fails. The new file is then removed.
    pub fn save_copy(&mut self) -> io::Result<(PathBuf, bool)> {
        fs::create_dir_all(self.path().parent().unwrap_or(Path::new("")))?;
        self.0.save_copy()
    }
}

/// A game as a line of a log: with its checksum, and with its line end.
///
/// # Errors
/// The line would be longer than [`MAX_LINE`], so that it could not be read again.
pub fn line(record: &GameRecord) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(record)?;
    sum::seal(&mut line);
    if line.len() > MAX_LINE {
        return Err(io::Error::other(stream::too_long(
            line.len() as u64,
            MAX_LINE,
        )));
    }
    line.push(b'\n');
    Ok(line)
}

#[cfg(any(test, feature = "testing"))]
impl Log {
    /// Makes every later write fail, like a full disk.
    ///
    /// # Panics
    /// The log is gone.
    pub fn fail_from_now_on(&mut self) {
        self.0.fail_from_now_on();
    }
}

/// Calls `take` with the result of `extract` for each game of these logs, in order. Of games with
/// the same id only the first counts. `extract` runs on several threads. Returns warnings for the
/// user. The logs are not changed.
///
/// # Errors
/// A file cannot be read, or a line other than the last is not a game.
pub fn each<T: Send>(
    paths: &[PathBuf],
    extract: impl Fn(Logged<'_>) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<Vec<String>, BadInput> {
    each_line(paths, with_id(extract), |_, game| take(game))
}

fn each_line<T: Send>(
    paths: &[PathBuf],
    parse_line: impl Fn(&[u8]) -> Result<(String, T), String> + Sync,
    mut take: impl FnMut(Place, T),
) -> Result<Vec<String>, BadInput> {
    let mut ids = HashSet::new();
    let mut warnings = Vec::new();
    for path in paths {
        let mut stream = stream(path, &parse_line)?;
        let duplicates = take_unique(&mut stream, path, &mut ids, &mut take)?;
        warnings.extend(stream.warning(path));
        warnings.extend(duplicates);
    }
    Ok(warnings)
}

/// Calls `take` with the id and the place of each game of these logs, as [`each`] finds them.
/// Returns warnings for the user.
///
/// # Errors
/// As for [`each`].
pub fn places(
    paths: &[PathBuf],
    mut take: impl FnMut(String, Place),
) -> Result<Vec<String>, BadInput> {
    each_line(paths, with_id(|game| game.id), |place, id| take(id, place))
}

/// The lines of the log at `path` that count, each parsed by `parse_line`; see [`parse`]. The log is
/// not changed.
///
/// # Errors
/// The file cannot be opened.
pub fn stream<T: Send, F: Fn(&[u8]) -> Result<T, String> + Sync>(
    path: &Path,
    parse_line: F,
) -> Result<Stream<File, T, F>, BadInput> {
    stream_without(path, dropped(path)?, parse_line)
}

/// The same without these games.
///
/// # Errors
/// The file cannot be opened.
pub fn stream_without<T: Send, F: Fn(&[u8]) -> Result<T, String> + Sync>(
    path: &Path,
    dropped: Dropped,
    parse_line: F,
) -> Result<Stream<File, T, F>, BadInput> {
    let file = input::promptly(path).map_err(|error| unreadable(path, &error))?;
    Ok(Stream::new(file, dropped, parse_line))
}

/// The games that the log at `path` gives up.
///
/// # Errors
/// The file cannot be read.
pub fn dropped(path: &Path) -> Result<Dropped, BadInput> {
    let dropped = input::promptly(path).and_then(Dropped::read);
    dropped.map_err(|error| unreadable(path, &error))
}

/// The error for a log that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> BadInput {
    BadInput(format!("{}: {error}, expected a log", input::shown(path)))
}

/// Makes a line parser that returns the id and the result of `extract`.
fn with_id<T>(extract: impl Fn(Logged<'_>) -> T) -> impl Fn(&[u8]) -> Result<(String, T), String> {
    move |line| parse(line).map(|game| (game.id.clone(), extract(game)))
}

/// Calls `take` for every game whose id is not in `ids`, and adds its id. Returns a warning for
/// each duplicate.
fn take_unique<T: Send, R: Read + Send, F: Fn(&[u8]) -> Result<(String, T), String> + Sync>(
    stream: &mut Stream<R, (String, T), F>,
    path: &Path,
    ids: &mut HashSet<IdKey>,
    take: &mut impl FnMut(Place, T),
) -> Result<Vec<String>, BadInput> {
    let mut warnings = Vec::new();
    let shared: Arc<Path> = path.into();
    for entry in stream {
        let entry = entry.map_err(|error| unreadable(path, &error))?;
        let place = Place::new(&shared, entry.line, entry.bytes);
        let (id, game) = (entry.record)
            .map_err(|message| BadInput(format!("{place}: {message}, expected a game")))?;
        if ids.insert(IdKey::of(&id)) {
            take(place, game);
        } else {
            warnings.push(format!("{place}: duplicate of game {id}, ignored"));
        }
    }
    Ok(warnings)
}

/// The logs in `paths`: files as given, standard input for `-`, and every `*.jsonl` in folders and
/// their subfolders, sorted.
///
/// # Errors
/// A path does not exist, or a folder has no log.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
    let mut logs = Vec::new();
    for path in paths {
        let failed = |error: io::Error| {
            BadInput(format!(
                "{}: {error}, expected a log or a folder of logs",
                input::shown(path)
            ))
        };
        let file = input::file(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_dir() {
            logs.push(file);
            continue;
        }
        let found = input::within(&file, &[EXTENSION]).map_err(failed)?;
        if found.is_empty() {
            let message = format!("{}: no *.{EXTENSION}, expected a log", path.display());
            return Err(BadInput(message));
        }
        logs.extend(found);
    }
    Ok(logs)
}

#[cfg(test)]
mod tests;

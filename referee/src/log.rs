//! The log of a league: one game, one JSON object, one line, appended when the game ends.
//!
//! `matches/README.md` describes the fields. A log is never rewritten. A last line that a power cut
//! or a kill broke off is moved to a file beside it before anything is appended. While a league is
//! played, nobody else may change its log, which is looked at before every game that is appended.

mod file;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use file::AppendError;
use file::{LogFile, write_beside};

use crate::error::BadInput;
use crate::record::{GameRecord, SCHEMA};

/// Name of the log in the folder of a league.
pub const FILE_NAME: &str = "games.jsonl";

/// One complete line of a log.
#[derive(Debug)]
pub struct Entry {
    /// Its number, from 1.
    pub line: usize,
    /// The game, or why it is none.
    pub record: Result<GameRecord, String>,
}

/// What a log holds.
#[derive(Debug, Default)]
pub struct Contents {
    /// The lines, in order, a broken last one left out.
    pub entries: Vec<Entry>,
    /// The bytes of a last line that is not complete, or not a game; empty if there is none.
    pub broken: Vec<u8>,
}

impl Contents {
    /// Understands the bytes of a log.
    ///
    /// The last line is broken if it has no line end, even where it could be read: nothing says
    /// that all of it was written. It is broken too if it cannot be read at all.
    pub fn parse(bytes: &[u8]) -> Contents {
        let complete = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        let mut contents = Contents {
            entries: Vec::new(),
            broken: bytes[complete..].to_vec(),
        };
        for (index, line) in bytes[..complete]
            .split_inclusive(|&byte| byte == b'\n')
            .enumerate()
        {
            contents.entries.push(Entry {
                line: index + 1,
                record: parse_line(line),
            });
        }
        let last_is_bad = contents
            .entries
            .last()
            .is_some_and(|entry| entry.record.is_err());
        if contents.broken.is_empty() && last_is_bad {
            contents.entries.pop();
            let line = bytes[..complete - 1]
                .iter()
                .rposition(|&byte| byte == b'\n');
            contents.broken = bytes[line.map_or(0, |end| end + 1)..].to_vec();
        }
        contents
    }

    /// Reads the log at `path` without touching it.
    ///
    /// # Errors
    /// As for reading a file.
    pub fn read(path: &Path) -> io::Result<Contents> {
        Ok(Contents::parse(&fs::read(path)?))
    }

    /// A warning about the broken last line of the log at `path`, if there is one.
    pub fn warning(&self, path: &Path) -> Option<String> {
        (!self.broken.is_empty()).then(|| {
            let (line, bytes) = (self.entries.len() + 1, self.broken.len());
            format!(
                "{}:{line}: {bytes} bytes of a broken last line, not a game",
                path.display()
            )
        })
    }

    /// The games whose ids are not among `ids`, to which they are added: of games with the same id
    /// the first counts. The second list holds a warning for each of the others.
    ///
    /// # Errors
    /// A line, before the last, that is no game.
    pub fn games(
        self,
        path: &Path,
        ids: &mut HashSet<String>,
    ) -> Result<(Vec<GameRecord>, Vec<String>), BadInput> {
        let (mut games, mut warnings) = (Vec::new(), Vec::new());
        for Entry { line, record } in self.entries {
            let place = format!("{}:{line}", path.display());
            let record = record
                .map_err(|message| BadInput(format!("{place}: {message}, expected a game")))?;
            if ids.insert(record.id.clone()) {
                games.push(record);
            } else {
                warnings.push(format!(
                    "{place}: game {} a second time, ignored",
                    record.id
                ));
            }
        }
        Ok((games, warnings))
    }
}

fn parse_line(line: &[u8]) -> Result<GameRecord, String> {
    let record: GameRecord = serde_json::from_slice(line.trim_ascii_end()).map_err(|error| {
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

/// A log that has been opened, and what was found in it.
#[derive(Debug)]
pub struct Opened {
    /// The log, ready for more.
    pub log: Log,
    /// The games in it.
    pub games: Vec<GameRecord>,
    /// What the user should know: a broken last line set aside, duplicates.
    pub warnings: Vec<String>,
}

impl Log {
    /// Opens the log in `folder`, or begins it.
    ///
    /// # Errors
    /// A folder that cannot be written, a log that is no file or that another referee writes, or one
    /// with an unreadable line before its last.
    pub fn open(folder: &Path) -> Result<Opened, BadInput> {
        fs::create_dir_all(folder).map_err(|error| {
            let folder = folder.display();
            BadInput(format!("{folder}: {error}, expected a folder for the log"))
        })?;
        let (mut file, bytes) = LogFile::open(folder.join(FILE_NAME))?;
        let path = file.path.clone();
        let failed = |error: io::Error| {
            let path = path.display();
            BadInput(format!(
                "{path}: its broken last line cannot be set aside: {error}"
            ))
        };
        let contents = Contents::parse(&bytes);
        let broken = contents.broken.clone();
        let length = bytes.len() - broken.len();
        let (games, mut warnings) = contents.games(&path, &mut HashSet::new())?;
        if !broken.is_empty() {
            let aside = write_beside(&path, "broken", &broken).map_err(failed)?;
            file.cut(length as u64).map_err(failed)?;
            let lines = bytes[..length].iter().filter(|&&byte| byte == b'\n');
            warnings.push(format!(
                "{}:{}: a broken last line, set aside in {}",
                path.display(),
                1 + lines.count(),
                aside.display()
            ));
        }
        let log = Log(file);
        Ok(Opened {
            log,
            games,
            warnings,
        })
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

    /// Writes these games to a new file beside the log, which is not touched.
    ///
    /// # Errors
    /// As for writing a file. No part of it is then left.
    pub fn keep(&self, games: &[GameRecord]) -> io::Result<PathBuf> {
        let lines: io::Result<Vec<_>> = games.iter().map(line).collect();
        fs::create_dir_all(self.path().parent().unwrap_or(Path::new("")))?;
        write_beside(self.path(), "kept", &lines?.concat())
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

/// The games of all these logs, each id once, and what the user should know of them. Nothing is
/// touched.
///
/// # Errors
/// A file that cannot be read, or a line, before the last, that is no game.
pub fn read_all(paths: &[PathBuf]) -> Result<(Vec<GameRecord>, Vec<String>), BadInput> {
    let mut ids = HashSet::new();
    let (mut games, mut warnings) = (Vec::new(), Vec::new());
    for path in paths {
        let contents = Contents::read(path)
            .map_err(|error| BadInput(format!("{}: {error}, expected a log", path.display())))?;
        warnings.extend(contents.warning(path));
        let (new, doubles) = contents.games(path, &mut ids)?;
        games.extend(new);
        warnings.extend(doubles);
    }
    Ok((games, warnings))
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

//! The log of a league: one game, one JSON object, one line, appended when the game ends.
//!
//! `matches/README.md` describes the fields. A log is never rewritten. A last line that a power cut
//! or a kill broke off is moved to a file beside it before anything is appended.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

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
pub struct Log {
    path: PathBuf,
    file: File,
    length: u64,
}

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
    /// A folder that cannot be written, a log that another referee writes, or one with an
    /// unreadable line before its last.
    pub fn open(folder: &Path) -> Result<Opened, BadInput> {
        let path = folder.join(FILE_NAME);
        let failed = |error: io::Error| BadInput(format!("{}: {error}", path.display()));
        fs::create_dir_all(folder)
            .map_err(|error| BadInput(format!("{}: {error}", folder.display())))?;
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(failed)?;
        if !lock(&file) {
            let message = format!("{}: another referee writes this log", path.display());
            return Err(BadInput(message));
        }
        let bytes = fs::read(&path).map_err(failed)?;
        let contents = Contents::parse(&bytes);
        let length = (bytes.len() - contents.broken.len()) as u64;
        let broken = contents.broken.clone();
        let (games, mut warnings) = contents.games(&path, &mut HashSet::new())?;
        if !broken.is_empty() {
            let aside = set_aside(&path, &broken).map_err(failed)?;
            file.set_len(length).map_err(failed)?;
            warnings.push(format!(
                "{}:{}: a broken last line, set aside in {}",
                path.display(),
                1 + bytes[..length as usize]
                    .iter()
                    .filter(|&&byte| byte == b'\n')
                    .count(),
                aside.display()
            ));
        }
        Ok(Opened {
            log: Log { path, file, length },
            games,
            warnings,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a game, in one write.
    ///
    /// # Errors
    /// As for writing a file: a full disk. The log is then as before.
    pub fn append(&mut self, record: &GameRecord) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        match self.file.write_all(&line) {
            Ok(()) => {
                self.length += line.len() as u64;
                Ok(())
            }
            Err(error) => {
                self.file.set_len(self.length)?;
                Err(error)
            }
        }
    }
}

#[cfg(test)]
impl Log {
    /// Makes every further write fail, as a full disk does.
    pub(crate) fn fail_from_now_on(&mut self) {
        self.file = File::open(&self.path).expect("the log is there");
    }
}

/// Locks the log for this process. An engine that is just being started holds its referee's lock
/// too, until it runs its own program, and may for a moment outlive a referee that was killed; so
/// there is a little patience.
fn lock(file: &File) -> bool {
    (0..20).any(|attempt| {
        if attempt > 0 {
            thread::sleep(Duration::from_millis(25));
        }
        flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
    })
}

/// Writes the broken line to a new file beside the log, and makes sure that it is on the disk.
fn set_aside(log: &Path, broken: &[u8]) -> io::Result<PathBuf> {
    for number in 1.. {
        let path = log.with_file_name(format!("{FILE_NAME}.broken-{number}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(broken)?;
                file.sync_all()?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("the numbers do not end")
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

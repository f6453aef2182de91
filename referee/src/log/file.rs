//! The file of a log that is being played: nobody else may change it, and it holds whole lines.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tempfile::{SpooledTempFile, spooled_tempfile};
use thiserror::Error;

use crate::error::BadInput;

/// How many bytes of the lines that were appended stay in memory; more go to a temporary file.
const SPARE: usize = 1 << 20;

/// Why a game is not in the log.
#[derive(Debug, Error)]
pub enum AppendError {
    /// It could not be written, as on a full disk. The log is as before.
    #[error("cannot be written: {0}")]
    Write(io::Error),
    /// It could be written in part, and that could not be taken back.
    #[error("cannot be written: {0}; half a line stays, which the next start sets aside")]
    HalfLine(io::Error),
    /// Somebody else has changed the file. Nothing was written.
    #[error("changed by another program while the league ran: {0}")]
    Changed(String),
}

/// An open log, locked: no other referee can write it.
#[derive(Debug)]
pub(super) struct LogFile {
    pub(super) path: PathBuf,
    file: File,
    /// Its length as far as this program knows, bytes.
    length: u64,
    /// Of it, what was there when it was opened, bytes.
    opened: u64,
    /// The lines that were to be appended since, as nothing else holds them if the file is cut off; or
    /// why they could not be written there.
    spare: io::Result<SpooledTempFile>,
}

impl LogFile {
    /// Opens the file, or makes it.
    pub(super) fn open(path: PathBuf) -> Result<LogFile, BadInput> {
        let failed = |error: String| {
            let path = path.display();
            BadInput(format!("{path}: {error}, expected a log, or none yet"))
        };
        // A pipe would be waited for, and a device read without end.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(failed("not a file".to_owned()));
        }
        let options = (OpenOptions::new().create(true).append(true).read(true)).open(&path);
        let file = options.map_err(|error| failed(error.to_string()))?;
        match lock(&file) {
            Ok(true) => {}
            Ok(false) => {
                let message = format!("{}: another referee writes this log", path.display());
                return Err(BadInput(message));
            }
            Err(error) => return Err(failed(format!("cannot be locked: {error}"))),
        }
        let length = file
            .metadata()
            .map_err(|error| failed(error.to_string()))?
            .len();
        Ok(LogFile {
            path,
            file,
            length,
            opened: length,
            spare: Ok(spooled_tempfile(SPARE)),
        })
    }

    /// What was in it when it was opened.
    pub(super) fn bytes(&self) -> impl Read + Send {
        (&self.file).take(self.opened)
    }

    /// Cuts off what stands after `length` bytes.
    pub(super) fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        (self.length, self.opened) = (length, length);
        Ok(())
    }

    /// Appends a line, all of it or nothing.
    pub(super) fn append(&mut self, line: &[u8]) -> Result<(), AppendError> {
        if let Ok(spare) = &mut self.spare
            && let Err(error) = spare.write_all(line)
        {
            self.spare = Err(error);
        }
        self.check()?;
        let mut written = 0;
        while written < line.len() {
            match self.file.write(&line[written..]) {
                Ok(0) => return Err(self.take_back(written, ErrorKind::WriteZero.into())),
                Ok(count) => written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.take_back(written, error)),
            }
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Writes what was there when it was opened, if it still is, and the lines that were to be appended
    /// since to a new file beside it. Returns where, and whether that is everything.
    pub(super) fn keep(&mut self) -> io::Result<(PathBuf, bool)> {
        let spare = match &mut self.spare {
            Ok(spare) => spare,
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string())),
        };
        let whole = self.file.metadata()?.len() >= self.opened;
        self.file.rewind()?;
        spare.rewind()?;
        let before = (&self.file).take(if whole { self.opened } else { 0 });
        let path = write_beside(&self.path, "kept", before.chain(spare))?;
        Ok((path, whole))
    }

    /// Takes back the beginning of a line, of which `error` has kept the end away.
    fn take_back(&self, written: usize, error: io::Error) -> AppendError {
        if written == 0 {
            return AppendError::Write(error);
        }
        // What somebody else has written meanwhile is not cut off.
        let expected = self.length + written as u64;
        let alone = (self.file.metadata()).is_ok_and(|file| file.len() == expected);
        if alone && self.file.set_len(self.length).is_ok() {
            AppendError::Write(error)
        } else {
            AppendError::HalfLine(error)
        }
    }

    /// Whether the file is still the one that was opened, and as it was left.
    fn check(&self) -> Result<(), AppendError> {
        let changed = |what: String| Err(AppendError::Changed(what));
        let own = self.file.metadata().map_err(AppendError::Write)?;
        match fs::metadata(&self.path) {
            Ok(found) if !is_same(&own, &found) => {
                return changed("another file stands in its place".to_owned());
            }
            Ok(_) => {}
            Err(error) => return changed(error.to_string()),
        }
        if own.len() != self.length {
            let (found, expected) = (own.len(), self.length);
            return changed(format!("{found} bytes, expected {expected}"));
        }
        Ok(())
    }
}

#[cfg(test)]
impl LogFile {
    /// Makes every further write fail.
    pub(super) fn fail_from_now_on(&mut self) {
        self.file = File::open(&self.path).expect("the log is there");
    }
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Locks the log for this process; false if another one has it. An engine that is just being started
/// holds its referee's lock too, until it runs its own program, and may for a moment outlive a
/// referee that was killed; so there is a little patience.
fn lock(file: &File) -> io::Result<bool> {
    for attempt in 0..20 {
        if attempt > 0 {
            thread::sleep(Duration::from_millis(25));
        }
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(true),
            Err(Errno::WOULDBLOCK | Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(false)
}

/// Writes bytes to a new file beside the log, `games.jsonl.WORD-N`, and makes sure that they are on
/// the disk.
pub(super) fn write_beside(log: &Path, word: &str, mut bytes: impl Read) -> io::Result<PathBuf> {
    let name = log.file_name().unwrap_or_default().to_string_lossy();
    for number in 1.. {
        let path = log.with_file_name(format!("{name}.{word}-{number}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                let written = io::copy(&mut bytes, &mut file).and_then(|_| file.sync_all());
                // A part of it would look like the whole.
                return match written {
                    Ok(()) => Ok(path),
                    Err(error) => fs::remove_file(&path).and(Err(error)),
                };
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("the numbers do not end")
}

#[cfg(test)]
mod tests;

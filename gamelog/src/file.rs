//! The file of a running league's log: it has whole lines only, and nobody else may change it.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use base::disk::{open_to_append, sync_folder};
use base::error::BadInput;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tempfile::{SpooledTempFile, spooled_tempfile};
use thiserror::Error;

use super::sync::Syncer;

/// Bytes of appended lines kept in memory; more go to a temporary file.
const MAX_IN_MEMORY: usize = 1 << 20;

/// Why a game was not appended to the log.
#[derive(Debug, Error)]
pub enum AppendError {
    /// It could not be written, for example on a full disk. The log is unchanged.
    #[error("cannot be written: {0}")]
    Write(io::Error),
    /// A part of the line was written and could not be removed.
    #[error("cannot be written: {0}; half a line remains; the next start will set it aside")]
    HalfLine(io::Error),
    /// Somebody else has changed the file. Nothing was written.
    #[error("changed by another program while the league ran: {0}")]
    Changed(String),
}

/// An open, locked log: no other referee can write it.
#[derive(Debug)]
pub(super) struct LogFile {
    pub(super) path: PathBuf,
    file: File,
    /// Expected length of the file, in bytes.
    length: u64,
    /// Length when it was opened, in bytes.
    opened: u64,
    /// Copy of all lines appended since then: the only copy if somebody truncates the file. Or the
    /// error that broke the copy.
    appended: io::Result<SpooledTempFile>,
    syncer: Syncer,
}

impl LogFile {
    /// Opens or creates the file.
    pub(super) fn open(path: PathBuf) -> Result<LogFile, BadInput> {
        let failed = |error: String| {
            let path = path.display();
            BadInput(format!("{path}: {error}, expected a log, or none yet"))
        };
        let file = open_to_append(&path, true).map_err(|error| failed(error.to_string()))?;
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
        let synced = file.try_clone().and_then(|file| {
            sync_folder(&path)?;
            Ok(file)
        });
        let synced =
            synced.map_err(|error| failed(format!("cannot be synced to disk: {error}")))?;
        Ok(LogFile {
            path,
            syncer: Syncer::new(move || synced.sync_data()),
            file,
            length,
            opened: length,
            appended: Ok(spooled_tempfile(MAX_IN_MEMORY)),
        })
    }

    /// The content when the file was opened, from byte `start` on.
    pub(super) fn bytes_from(&self, start: u64) -> io::Result<impl Read + Send> {
        (&self.file).seek(SeekFrom::Start(start))?;
        Ok((&self.file).take(self.opened.saturating_sub(start)))
    }

    /// Truncates the file to `length` bytes.
    pub(super) fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        (self.length, self.opened) = (length, length);
        Ok(())
    }

    /// Appends a line, all of it or nothing.
    pub(super) fn append(&mut self, line: &[u8]) -> Result<(), AppendError> {
        if let Ok(appended) = &mut self.appended
            && let Err(error) = appended.write_all(line)
        {
            self.appended = Err(error);
        }
        if let Some(error) = self.syncer.failure() {
            return Err(AppendError::Write(error));
        }
        self.check()?;
        let mut written = 0;
        while written < line.len() {
            match self.file.write(&line[written..]) {
                Ok(0) => return Err(self.roll_back(written, ErrorKind::WriteZero.into())),
                Ok(count) => written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.roll_back(written, error)),
            }
        }
        self.length += line.len() as u64;
        self.syncer.note();
        Ok(())
    }

    /// Saves the original content, if it is still there, and all lines appended since in a new file
    /// beside it. Returns the path, and whether nothing is missing.
    pub(super) fn save_copy(&mut self) -> io::Result<(PathBuf, bool)> {
        let appended = match &mut self.appended {
            Ok(appended) => appended,
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string())),
        };
        let whole = self.file.metadata()?.len() >= self.opened;
        self.file.rewind()?;
        appended.rewind()?;
        let before = (&self.file).take(if whole { self.opened } else { 0 });
        let path = write_beside(&self.path, "kept", before.chain(appended))?;
        Ok((path, whole))
    }

    /// Removes a partly written line. `error` is what stopped the write.
    fn roll_back(&self, written: usize, error: io::Error) -> AppendError {
        if written == 0 {
            return AppendError::Write(error);
        }
        // Do not remove what somebody else has written meanwhile.
        let expected = self.length + written as u64;
        let alone = (self.file.metadata()).is_ok_and(|file| file.len() == expected);
        if alone && self.file.set_len(self.length).is_ok() {
            AppendError::Write(error)
        } else {
            AppendError::HalfLine(error)
        }
    }

    /// Checks that the path is still the opened file, and that its length is as expected.
    fn check(&self) -> Result<(), AppendError> {
        let changed = |what: String| Err(AppendError::Changed(what));
        let opened = self.file.metadata().map_err(AppendError::Write)?;
        match fs::metadata(&self.path) {
            Ok(found) if !is_same(&opened, &found) => {
                return changed("replaced by another file".to_owned());
            }
            Ok(_) => {}
            Err(error) => return changed(error.to_string()),
        }
        if opened.len() != self.length {
            let (found, expected) = (opened.len(), self.length);
            return changed(format!("{found} bytes, expected {expected}"));
        }
        Ok(())
    }
}

#[cfg(any(test, feature = "testing"))]
impl LogFile {
    /// Makes every later write fail.
    pub(super) fn fail_from_now_on(&mut self) {
        self.file = File::open(&self.path).expect("the log is there");
    }
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Locks the log for this process; `false` if another process holds the lock. This retries for
/// about half a second: a forked child holds the lock until it executes the engine's program, and
/// may outlive a killed referee for a moment.
pub fn lock(file: &File) -> io::Result<bool> {
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

/// Writes bytes to a new file beside the log, `games.jsonl.WORD-N`, and syncs it to disk.
pub fn write_beside(log: &Path, word: &str, mut bytes: impl Read) -> io::Result<PathBuf> {
    let name = log.file_name().unwrap_or_default().to_string_lossy();
    for number in 1.. {
        let path = log.with_file_name(format!("{name}.{word}-{number}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                let written = io::copy(&mut bytes, &mut file).and_then(|_| file.sync_all());
                // A truncated file would look complete.
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

//! References to games in log files.

use std::fmt;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use base::error::BadInput;
use base::input;

use super::{parse, unreadable};
use crate::record::GameRecord;

/// The place of a game. It displays as `path:line`.
#[derive(Clone, Debug)]
pub struct Place {
    path: Arc<Path>,
    line: usize,
    bytes: Range<u64>,
}

impl Place {
    /// Line number `line`, from 1, at these bytes of the log at `path`.
    pub fn new(path: &Arc<Path>, line: usize, bytes: Range<u64>) -> Place {
        Place {
            path: Arc::clone(path),
            line,
            bytes,
        }
    }

    /// The log.
    pub fn log(&self) -> &Path {
        &self.path
    }

    /// Bytes of the line, without its line end.
    pub fn length(&self) -> u64 {
        self.bytes.end - self.bytes.start
    }

    /// Reads the line from the file, without its line end.
    ///
    /// # Errors
    /// The log cannot be read, or has become shorter.
    pub fn line(&self) -> Result<Vec<u8>, BadInput> {
        let mut line = vec![0; (self.bytes.end - self.bytes.start) as usize];
        input::promptly(&self.path)
            .and_then(|file| file.read_exact_at(&mut line, self.bytes.start))
            .map_err(|error| unreadable(&self.path, &error))?;
        Ok(line)
    }

    /// Reads the game from the file.
    ///
    /// # Errors
    /// As for [`Place::line`], or the line is not a game.
    pub fn game(&self) -> Result<GameRecord, BadInput> {
        parse(&self.line()?)
            .map_err(|message| BadInput(format!("{self}: {message}, expected a game")))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", input::shown(&self.path), self.line)
    }
}

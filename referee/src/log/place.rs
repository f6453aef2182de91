//! Games that stay in their logs until they are looked at.

use std::fmt;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use super::{parse, unreadable};
use crate::error::BadInput;
use crate::record::GameRecord;

/// Where a game is: it is shown as the log and the line.
#[derive(Clone, Debug)]
pub struct Place {
    path: Arc<Path>,
    line: usize,
    bytes: Range<u64>,
}

impl Place {
    /// A line of the log at `path`, by its number, from 1, and where its bytes are.
    pub fn new(path: &Arc<Path>, line: usize, bytes: Range<u64>) -> Place {
        Place {
            path: Arc::clone(path),
            line,
            bytes,
        }
    }

    /// The line as it is there now, without its end.
    ///
    /// # Errors
    /// A log that cannot be read any more, or has become shorter.
    pub fn line(&self) -> Result<Vec<u8>, BadInput> {
        let mut line = vec![0; (self.bytes.end - self.bytes.start) as usize];
        File::open(&self.path)
            .and_then(|file| file.read_exact_at(&mut line, self.bytes.start))
            .map_err(|error| unreadable(&self.path, &error))?;
        Ok(line)
    }

    /// The game as it is there now.
    ///
    /// # Errors
    /// As for [`Place::line`], and a line that is no game any more.
    pub fn game(&self) -> Result<GameRecord, BadInput> {
        parse(&self.line()?)
            .map_err(|message| BadInput(format!("{self}: {message}, expected a game")))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.line)
    }
}

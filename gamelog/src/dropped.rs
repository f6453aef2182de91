//! Games that were given up, to be played again. A log is never rewritten: a line of its own,
//! `{"dropped":"ID","sha256":"…","crc32":"…"}`, says that the line with this digest no longer counts,
//! wherever it stands. The lines of earlier versions have no checksum.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{MAX_LINE, in_line, sum};

/// How each such line begins.
const BEGINNING: &[u8] = b"{\"dropped\":";

/// The games of some logs that were given up.
#[derive(Clone, Debug, Default)]
pub struct Dropped(Arc<BTreeMap<String, Mark>>);

/// A line that gives up a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mark {
    /// The id of the game.
    dropped: String,
    /// The digest of its line, without the line end, in hexadecimal digits.
    sha256: String,
    /// The checksum of this line, only while it is parsed.
    #[serde(skip_serializing)]
    crc32: Option<String>,
}

impl Mark {
    /// Parses a line that gives up a game.
    fn parse(line: &[u8]) -> Result<Mark, String> {
        let line = line.trim_ascii_end();
        let mut mark: Mark = serde_json::from_slice(line).map_err(|error| in_line(&error))?;
        if let Some(sum) = mark.crc32.take() {
            sum::check(line, &sum)?;
        }
        Ok(mark)
    }

    /// The line, with its checksum, without its line end.
    fn line(&self) -> io::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        sum::seal(&mut line);
        Ok(line)
    }
}

impl Dropped {
    /// Finds the lines of a log that give games up.
    ///
    /// # Errors
    /// Reading fails. A line that is broken or damaged gives up nothing; whoever reads the games is told.
    pub fn read(log: impl Read) -> io::Result<Dropped> {
        let mut log = BufReader::with_capacity(1 << 20, log);
        let (mut marks, mut line) = (BTreeMap::new(), Vec::new());
        let beginning = BEGINNING.len() as u64;
        while log.by_ref().take(beginning).read_until(b'\n', &mut line)? > 0 {
            if is_mark(&line) {
                let mut rest = log.by_ref().take(MAX_LINE as u64);
                rest.read_until(b'\n', &mut line)?;
                // Without a line end it is broken or too long.
                if line.ends_with(b"\n")
                    && let Ok(mark) = Mark::parse(&line)
                {
                    marks.insert(mark.sha256.clone(), mark);
                }
            }
            if !line.ends_with(b"\n") {
                // Games are long, and nearly all lines are games.
                log.skip_until(b'\n')?;
            }
            line.clear();
        }
        Ok(Dropped(Arc::new(marks)))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a line was given up.
    pub fn gives_up(&self, line: &[u8]) -> bool {
        !self.is_empty() && self.0.contains_key(&digest(line))
    }

    /// Those of lines that are among these.
    pub fn of_lines<'l>(&self, lines: impl Iterator<Item = &'l [u8]>) -> Dropped {
        let marks = lines.filter_map(|line| self.0.get_key_value(&digest(line)));
        let marks = marks.map(|(digest, mark)| (digest.clone(), mark.clone()));
        Dropped(Arc::new(marks.collect()))
    }

    /// Those of both.
    pub fn and(self, other: &Dropped) -> Dropped {
        let marks = self.0.iter().chain(&*other.0);
        let marks = marks.map(|(digest, mark)| (digest.clone(), mark.clone()));
        Dropped(Arc::new(marks.collect()))
    }

    /// Whether a line of a log does not count: it gives a game up, or was given up.
    ///
    /// # Errors
    /// It gives a game up, and is damaged: the game would count again.
    pub(super) fn hides(&self, line: &[u8]) -> Result<bool, String> {
        if is_mark(line) {
            return Mark::parse(line).map(|_| true);
        }
        Ok(self.gives_up(line))
    }

    /// All lines that give games up, with checksums, without line ends.
    pub fn lines(&self) -> impl Iterator<Item = io::Result<Vec<u8>>> {
        self.0.values().map(Mark::line)
    }
}

/// The line that gives up the game with this id and line, with its line end.
pub(super) fn mark(id: &str, line: &[u8]) -> io::Result<Vec<u8>> {
    let mark = Mark {
        dropped: id.to_owned(),
        sha256: digest(line),
        crc32: None,
    };
    Ok([&mark.line()?[..], b"\n"].concat())
}

fn is_mark(line: &[u8]) -> bool {
    line.starts_with(BEGINNING)
}

fn digest(line: &[u8]) -> String {
    let digest = Sha256::digest(line.trim_ascii_end());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

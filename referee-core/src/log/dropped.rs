//! Games that were given up, to be played again. A log is never rewritten: a line of its own,
//! `{"dropped":"ID","sha256":"…"}`, says that the line with this digest no longer counts, wherever it
//! stands.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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
}

impl Dropped {
    /// Finds the lines of a log that give games up.
    ///
    /// # Errors
    /// Reading fails. A line that cannot be understood gives up nothing.
    pub fn read(log: impl Read) -> io::Result<Dropped> {
        let mut log = BufReader::with_capacity(1 << 20, log);
        let (mut marks, mut line) = (BTreeMap::new(), Vec::new());
        let beginning = BEGINNING.len() as u64;
        while log.by_ref().take(beginning).read_until(b'\n', &mut line)? > 0 {
            if is_mark(&line) {
                log.read_until(b'\n', &mut line)?;
                if let Ok(mark) = serde_json::from_slice::<Mark>(&line) {
                    marks.insert(mark.sha256.clone(), mark);
                }
            } else if line.last() != Some(&b'\n') {
                // Games are long, and nearly all lines are games.
                log.skip_until(b'\n')?;
            }
            line.clear();
        }
        Ok(Dropped(Arc::new(marks)))
    }

    /// Those of both.
    pub fn and(self, other: &Dropped) -> Dropped {
        let marks = self.0.iter().chain(&*other.0);
        let marks = marks.map(|(digest, mark)| (digest.clone(), mark.clone()));
        Dropped(Arc::new(marks.collect()))
    }

    /// Whether a line of a log does not count: it gives a game up, or was given up.
    pub(super) fn hides(&self, line: &[u8]) -> bool {
        is_mark(line) || !self.0.is_empty() && self.0.contains_key(&digest(line))
    }

    /// All lines that give games up, without line ends.
    pub fn lines(&self) -> impl Iterator<Item = io::Result<Vec<u8>>> {
        let lines = self.0.values().map(serde_json::to_vec);
        lines.map(|line| line.map_err(io::Error::from))
    }
}

/// The line that gives up the game with this id and line, with its line end.
pub(super) fn mark(id: &str, line: &[u8]) -> io::Result<Vec<u8>> {
    let mut mark = serde_json::to_vec(&Mark {
        dropped: id.to_owned(),
        sha256: digest(line),
    })?;
    mark.push(b'\n');
    Ok(mark)
}

fn is_mark(line: &[u8]) -> bool {
    line.starts_with(BEGINNING)
}

fn digest(line: &[u8]) -> String {
    let digest = Sha256::digest(line.trim_ascii_end());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! The file of a book: lines of JSON, sorted by key, so that equal books are equal files and two
//! books can be compared line by line.
//!
//! | line | what it is |
//! |---|---|
//! | first | an object: version, game, variant, key of the start position, how it was made |
//! | then | a text each: the digest of a game that is counted |
//! | then | a list each: a position, see `Row` |
//! | last | an object: number of games and positions, SHA-256 of all lines before |

use std::fmt::{self, Write};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use engine_core::{Score, Side};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Book, Known, Line, Results, Searched};

/// The version of the format.
pub const VERSION: u32 = 1;

/// The largest file that is read, bytes.
pub const MAX_BYTES: u64 = 1 << 28;

/// One more than the largest bits of a move.
const MOVE_END: u32 = 1 << 24;

/// Why a file is not a book that can be used: where, what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BookError(pub String);

/// A 64-bit number as 16 hexadecimal digits.
struct Hex(u64);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let number = u64::from_str_radix(&text, 16).ok();
        let number = number.filter(|_| text.len() == 16 && digits);
        let wrong =
            || serde::de::Error::custom(format!("{text:?}, expected 16 hexadecimal digits"));
        number.map(Hex).ok_or_else(wrong)
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    book: u32,
    game: String,
    variant: Value,
    start: Hex,
    min_games: u32,
    made: Vec<String>,
}

/// The part of the first line that every version has.
#[derive(Deserialize)]
struct AnyHead {
    book: u32,
}

/// The last line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tail {
    games: usize,
    positions: usize,
    sha256: String,
}

/// A position:
/// - its key;
/// - 1 or 2 for the side that acts;
/// - its search: nodes, whether it is solved, score, best move;
/// - whether it is expanded;
/// - its moves: bits, the key of the position after it, and the games that First won, that were drawn
///   and that Second won.
#[derive(Serialize, Deserialize)]
struct Row(
    Hex,
    u8,
    Option<(u64, bool, i32, u32)>,
    bool,
    Vec<(u32, Hex, u32, u32, u32)>,
);

impl Row {
    fn new(key: u64, known: &Known) -> Row {
        let searched = known.searched.map(|found| {
            let Searched {
                nodes,
                solved,
                score,
                best,
            } = found;
            (nodes, solved, score.value(), best)
        });
        let lines = known.moves.iter().map(|(&bits, line)| {
            let Results {
                first,
                draws,
                second,
            } = line.results;
            (bits, Hex(line.to), first, draws, second)
        });
        let side = known.side.index() as u8 + 1;
        Row(Hex(key), side, searched, known.expanded, lines.collect())
    }

    /// The key and the position, or what is wrong.
    fn known(self) -> Result<(u64, Known), String> {
        let Row(Hex(key), side, searched, expanded, lines) = self;
        let side = match side {
            1 => Side::First,
            2 => Side::Second,
            other => return Err(format!("side {other}, expected 1 or 2")),
        };
        let mut known = Known::new(side);
        known.expanded = expanded;
        if let Some((nodes, solved, score, best)) = searched {
            let limit = Score::WIN.value();
            if !(-limit..=limit).contains(&score) {
                return Err(format!("score {score}, expected -{limit} to {limit}"));
            }
            known.searched = Some(Searched {
                nodes,
                solved,
                score: Score::from_value(score),
                best: best.min(MOVE_END - 1),
            });
        }
        for (bits, Hex(to), first, draws, second) in lines {
            let after_last = known.moves.keys().next_back() < Some(&bits);
            if !(1..MOVE_END).contains(&bits) || !after_last {
                let message = format!("move {bits}, expected moves in order, below {MOVE_END}");
                return Err(message);
            }
            let results = Results {
                first,
                draws,
                second,
            };
            known.moves.insert(bits, Line { to, results });
        }
        Ok((key, known))
    }
}

impl Book {
    /// The whole file.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let head = Head {
            book: VERSION,
            game: self.game.clone(),
            variant: self.variant.clone(),
            start: Hex(self.start),
            min_games: self.min_games,
            made: self.made.iter().cloned().collect(),
        };
        push(&mut text, &head);
        self.games
            .iter()
            .for_each(|&game| push(&mut text, &Hex(game)));
        for (&key, known) in &self.positions {
            push(&mut text, &Row::new(key, known));
        }
        let tail = Tail {
            games: self.games.len(),
            positions: self.positions.len(),
            sha256: digest(text.as_bytes()),
        };
        push(&mut text, &tail);
        text
    }

    /// Reads a whole file. Messages begin with `name`, then have the line if there is one.
    ///
    /// # Errors
    /// Not a book, another version, cut off, changed after it was written, or anything that no
    /// program writes.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Book, BookError> {
        let at = |line: usize, message: &dyn fmt::Display| {
            BookError(format!("{name}:{line}: {message}"))
        };
        let first = bytes
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let version: Result<AnyHead, _> = serde_json::from_slice(first);
        let Ok(AnyHead { book: version }) = version else {
            return Err(at(
                1,
                &"not an opening book, expected one that `referee book` wrote",
            ));
        };
        if version != VERSION {
            let message = format!("version {version} of the format, expected {VERSION}");
            return Err(at(1, &message));
        }
        let last = 1 + bytes.iter().filter(|&&byte| byte == b'\n').count();
        let cut = || {
            at(
                last,
                &"the file ends here, expected a last line with its checksum: it is cut off",
            )
        };
        let body = bytes.strip_suffix(b"\n").ok_or_else(cut)?;
        let begin = body
            .iter()
            .rposition(|&byte| byte == b'\n')
            .ok_or_else(cut)?
            + 1;
        let last = last - 1;
        let tail: Tail = serde_json::from_slice(&body[begin..]).map_err(|_| {
            at(
                last,
                &"no checksum, expected it in the last line: the file is cut off or damaged",
            )
        })?;
        let found = digest(&bytes[..begin]);
        if found != tail.sha256 {
            let message = format!(
                "checksum {}, expected {found}: the file was changed after it was written",
                tail.sha256
            );
            return Err(at(last, &message));
        }
        let text = std::str::from_utf8(&bytes[..begin]);
        let text = text.map_err(|error| at(1, &format!("{error}, expected UTF-8")))?;
        let book = read(text).map_err(|(line, message)| at(line, &message))?;
        if (book.games.len(), book.positions.len()) != (tail.games, tail.positions) {
            let message = format!(
                "{} games and {} positions, expected {} and {}",
                book.games.len(),
                book.positions.len(),
                tail.games,
                tail.positions
            );
            return Err(at(last, &message));
        }
        Ok(book)
    }

    /// Reads a file, at most [`MAX_BYTES`] long.
    ///
    /// # Errors
    /// It cannot be read, or as for [`Book::from_bytes`].
    pub fn load(path: &Path) -> Result<Book, BookError> {
        let name = path.display().to_string();
        let failed =
            |error: io::Error| BookError(format!("{name}: {error}, expected an opening book"));
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(failed)?;
        file.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        if bytes.len() as u64 > MAX_BYTES {
            let mb = MAX_BYTES >> 20;
            return Err(BookError(format!(
                "{name}: longer than {mb} MiB, expected an opening book"
            )));
        }
        Book::from_bytes(&name, &bytes)
    }
}

/// Appends a line.
fn push(text: &mut String, line: &impl Serialize) {
    // Nothing in a book is a map with other keys than text, so it can be written.
    let line = serde_json::to_string(line).unwrap_or_default();
    let _ = writeln!(text, "{line}");
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads all lines but the last, or says in which line what is wrong.
fn read(text: &str) -> Result<Book, (usize, String)> {
    let mut lines = (1..).zip(text.lines());
    let wrong = |line: usize, error: serde_json::Error| {
        let message = error.to_string();
        (line, message.replace(" at line 1 column", " at column"))
    };
    let (_, first) = lines.next().unwrap_or((1, ""));
    let head: Head = serde_json::from_str(first).map_err(|error| wrong(1, error))?;
    let mut book = Book::new(&head.game, head.variant, head.start.0);
    book.min_games = head.min_games;
    book.made = head.made.into_iter().collect();
    for (number, line) in lines {
        if line.starts_with('"') {
            let Hex(game) = serde_json::from_str(line).map_err(|error| wrong(number, error))?;
            if !book.positions.is_empty() || book.games.last() >= Some(&game) {
                return Err((number, "a game out of order".to_owned()));
            }
            book.games.insert(game);
            continue;
        }
        let row: Row = serde_json::from_str(line).map_err(|error| wrong(number, error))?;
        let (key, known) = row.known().map_err(|message| (number, message))?;
        if book.positions.keys().next_back() >= Some(&key) {
            return Err((number, "a position out of order".to_owned()));
        }
        book.positions.insert(key, known);
    }
    Ok(book)
}

#[cfg(test)]
mod tests;

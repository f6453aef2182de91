//! The lines of a log, understood on all cores as they are read, in memory that does not grow with
//! the log.

use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::vec;

use rayon::prelude::*;

use super::Entry;

/// How much is read at a time, in bytes; more where a line is longer.
const BLOCK: usize = 1 << 20;

/// An iterator over the lines of a log, in order, a broken last one left out.
///
/// The last line is broken if it has no line end, even where it could be read: nothing says that all
/// of it was written. It is broken too if it cannot be read at all.
pub struct Stream<R, T, F> {
    file: R,
    /// Makes of a line what is kept of it, or why it is no game, on any thread.
    understand: F,
    /// Bytes that have been read and not been understood: whole lines and what there is of the next
    /// one. After the last line, what is broken.
    rest: Vec<u8>,
    /// Whether `rest` has all that is left of the log.
    ended: bool,
    /// Why no more could be read.
    failure: Option<io::Error>,
    /// Lines that have been understood, with their lengths.
    ready: vec::IntoIter<(usize, Result<T, String>)>,
    /// Whether these are the last.
    done: bool,
    /// The lines that have been returned.
    lines: usize,
    /// And the bytes that they take with their ends.
    length: u64,
}

impl<R: Read + Send, T: Send, F: Fn(&[u8]) -> Result<T, String> + Sync> Stream<R, T, F> {
    /// The log in `file`; of each line it returns what `understand` makes of it.
    pub fn new(file: R, understand: F) -> Stream<R, T, F> {
        Stream {
            file,
            understand,
            rest: Vec::new(),
            ended: false,
            failure: None,
            ready: Vec::new().into_iter(),
            done: false,
            lines: 0,
            length: 0,
        }
    }

    /// Understands the lines that have been read, and reads more meanwhile.
    fn refill(&mut self) {
        let complete = line_end(&self.rest);
        // The last whole line may turn out to be broken.
        let before = line_end(&self.rest[..complete.saturating_sub(1)]);
        if self.ended {
            self.finish(before, complete);
            return;
        }
        let rest = self.rest.split_off(before);
        let block = mem::replace(&mut self.rest, rest);
        // A line that is longer than a block is read in ever larger steps.
        let most = BLOCK.max(self.rest.len());
        let (file, rest, understand) = (&mut self.file, &mut self.rest, &self.understand);
        let (lines, read) = rayon::join(|| each(&block, understand), || read(file, most, rest));
        self.ready = lines.into_iter();
        match read {
            Ok(count) => self.ended = count < most,
            Err(error) => self.failure = Some(error),
        }
    }

    /// Understands the lines up to `complete`, of which the last begins at `before`.
    fn finish(&mut self, before: usize, complete: usize) {
        let mut lines = each(&self.rest[..complete], &self.understand);
        let whole = complete == self.rest.len();
        let mut end = complete;
        if whole && matches!(lines.last(), Some((_, Err(_)))) {
            lines.pop();
            end = before;
        }
        self.rest.drain(..end);
        self.ready = lines.into_iter();
        self.done = true;
    }
}

/// Understands whole lines.
fn each<T: Send>(
    block: &[u8],
    understand: impl Fn(&[u8]) -> Result<T, String> + Sync,
) -> Vec<(usize, Result<T, String>)> {
    let mut start = 0;
    let lines: Vec<&[u8]> = memchr::memchr_iter(b'\n', block)
        .map(|end| &block[mem::replace(&mut start, end + 1)..end])
        .collect();
    let lines = lines.par_iter();
    lines.map(|line| (line.len(), understand(line))).collect()
}

/// Reads at most so many bytes, fewer only at the end, and returns how many.
fn read(file: impl Read, most: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    bytes.reserve(most);
    file.take(most as u64).read_to_end(bytes)
}

impl<R, T, F> Stream<R, T, F> {
    /// After the last line: the bytes of one that is not complete, or not a game; empty if there is
    /// none.
    pub fn broken(&self) -> &[u8] {
        &self.rest
    }

    /// After the last line: the length of the log up to there, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The number of lines that have been returned.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// After the last line: a warning about a broken one of the log at `path`, if there is one.
    pub fn warning(&self, path: &Path) -> Option<String> {
        (!self.rest.is_empty()).then(|| {
            let (line, bytes) = (self.lines + 1, self.rest.len());
            format!(
                "{}:{line}: {bytes} bytes of a broken last line, not a game",
                path.display()
            )
        })
    }
}

impl<R: Read + Send, T: Send, F: Fn(&[u8]) -> Result<T, String> + Sync> Iterator
    for Stream<R, T, F>
{
    type Item = io::Result<Entry<T>>;

    fn next(&mut self) -> Option<io::Result<Entry<T>>> {
        loop {
            if let Some((length, record)) = self.ready.next() {
                let (line, start) = (self.lines + 1, self.length);
                let end = start + length as u64;
                (self.lines, self.length) = (line, end + 1);
                return Some(Ok(Entry {
                    line,
                    bytes: start..end,
                    record,
                }));
            }
            if let Some(error) = self.failure.take() {
                self.done = true;
                return Some(Err(error));
            }
            if self.done {
                return None;
            }
            self.refill();
        }
    }
}

/// Where the last whole line ends.
fn line_end(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::parse;
    use crate::record::{GameResult, Reason, sample};

    /// A log that gives a few bytes at a time.
    struct Slow<'b>(&'b [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len());
            self.0.read(&mut buffer[..count])
        }
    }

    /// The lengths of the details of the games, with the lines that are none as `None`; and what is
    /// broken.
    fn read(bytes: &[u8], step: usize) -> (Vec<Option<usize>>, usize) {
        let mut stream = Stream::new(Slow(bytes, step), |line| {
            parse::<String>(line).map(|game| game.detail.len())
        });
        let entries: Vec<_> = stream.by_ref().map(|entry| entry.unwrap()).collect();
        let numbers = entries.iter().map(|entry| entry.line);
        assert!(numbers.eq(1..=entries.len()));
        let ends = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        let ends = ends.map(|(end, _)| end as u64).take(entries.len());
        assert!(entries.iter().map(|entry| entry.bytes.end).eq(ends));
        let broken = stream.broken().to_vec();
        assert!(bytes.ends_with(&broken));
        assert_eq!(stream.length() as usize, bytes.len() - broken.len());
        let lengths = entries.into_iter().map(|entry| entry.record.ok());
        (lengths.collect(), broken.len())
    }

    fn line(length: usize) -> Vec<u8> {
        let mut game = sample::game("hex", "a", "b", GameResult::First, Reason::Rules);
        game.detail = "x".repeat(length);
        let mut line = serde_json::to_vec(&game).unwrap();
        line.push(b'\n');
        line
    }

    #[test]
    fn lines_of_any_length_come_in_order() {
        let lengths = [3, 2 * BLOCK, 0, BLOCK, 5 * BLOCK, BLOCK / 2, BLOCK / 2, 1];
        let bytes = lengths.map(line).concat();
        let all: Vec<_> = lengths.into_iter().map(Some).collect();
        assert_eq!(read(&bytes, BLOCK), (all.clone(), 0));
        assert_eq!(read(&bytes, 4_096), (all, 0));
    }

    /// A log on a disk that fails after so many bytes.
    struct Failing<'b>(Slow<'b>, usize);

    impl Read for Failing<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.1 == 0 {
                return Err(io::Error::other("worn out"));
            }
            let count = self.1.min(buffer.len());
            let count = self.0.read(&mut buffer[..count])?;
            self.1 -= count;
            Ok(count)
        }
    }

    #[test]
    fn a_failing_disk_ends_the_log_after_the_games_before() {
        let bytes = line(BLOCK / 4).repeat(16);
        let file = Failing(Slow(&bytes, BLOCK), bytes.len() / 2);
        let mut stream = Stream::new(file, |line| parse::<String>(line).map(|game| game.id));
        let found: Vec<bool> = stream.by_ref().map(|entry| entry.is_ok()).collect();
        let (failure, games) = found.split_last().unwrap();
        assert!(!failure && games.len() >= 2 && games.iter().all(|&game| game));
        assert!(stream.next().is_none());
    }

    #[test]
    fn only_the_last_line_may_be_broken() {
        let (good, bad) = (line(7), b"{}\n".to_vec());
        let some = Some(7);
        for step in [1, 100, BLOCK] {
            let read = |parts: &[&[u8]]| read(&parts.concat(), step);
            assert_eq!(read(&[]), (vec![], 0));
            assert_eq!(read(&[b"\n"]), (vec![], 1));
            assert_eq!(read(&[b"x"]), (vec![], 1));
            assert_eq!(read(&[&bad]), (vec![], 3));
            assert_eq!(read(&[&good, &bad]), (vec![some], 3));
            assert_eq!(read(&[&good, &bad, &good]), (vec![some, None, some], 0));
            assert_eq!(read(&[&good, &bad, b"{"]), (vec![some, None], 1));
            let cut = &good[..good.len() - 1];
            assert_eq!(read(&[&good, cut]), (vec![some], cut.len()));
        }
    }
}

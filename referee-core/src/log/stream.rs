//! A parallel reader for log lines. Its memory use does not depend on the size of the log.

use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::vec;

use rayon::prelude::*;

use super::Entry;
use super::dropped::Dropped;
use crate::base::input;

/// Bytes per read; more if a line is longer.
const BLOCK: usize = 1 << 20;

/// An iterator over the lines of a log, in order, without a broken last line.
///
/// The last line is broken if it has no line end, even if it can be parsed: it may be incomplete.
/// It is also broken if it cannot be parsed.
pub struct Stream<R, T, F> {
    file: R,
    /// Lines that do not count.
    dropped: Dropped,
    /// Parses a line, on any thread.
    parse_line: F,
    /// Bytes read but not parsed: whole lines and the start of the next one. After the last line:
    /// the broken line.
    buffer: Vec<u8>,
    /// Whether `buffer` reaches the end of the log.
    ended: bool,
    /// Read error.
    failure: Option<io::Error>,
    /// Parsed lines with their lengths; nothing of a line that does not count.
    ready: vec::IntoIter<(usize, Option<Result<T, String>>)>,
    /// Whether `ready` has the last lines.
    done: bool,
    /// Number of lines returned or left out.
    lines: usize,
    /// Bytes of these lines, including line ends.
    length: u64,
}

impl<R: Read + Send, T: Send, F: Fn(&[u8]) -> Result<T, String> + Sync> Stream<R, T, F> {
    /// Reads the log in `file`, and parses its lines with `parse_line`, but for those that were
    /// dropped.
    pub fn new(file: R, dropped: Dropped, parse_line: F) -> Stream<R, T, F> {
        Stream {
            file,
            dropped,
            parse_line,
            buffer: Vec::new(),
            ended: false,
            failure: None,
            ready: Vec::new().into_iter(),
            done: false,
            lines: 0,
            length: 0,
        }
    }

    /// Parses the lines in the buffer, and reads the next block in parallel.
    fn refill(&mut self) {
        let complete = line_end(&self.buffer);
        // Keep the last whole line: it may turn out to be the last of the log, and broken.
        let before = line_end(&self.buffer[..complete.saturating_sub(1)]);
        if self.ended {
            self.finish(before, complete);
            return;
        }
        let buffer = self.buffer.split_off(before);
        let block = mem::replace(&mut self.buffer, buffer);
        // For a line longer than a block, the read size doubles.
        let most = BLOCK.max(self.buffer.len());
        let (file, buffer, parse_line) = (&mut self.file, &mut self.buffer, &self.parse_line);
        let dropped = &self.dropped;
        let (lines, read) = rayon::join(
            || parse_lines(&block, dropped, parse_line),
            || read(file, most, buffer),
        );
        self.ready = lines.into_iter();
        match read {
            Ok(count) => self.ended = count < most,
            Err(error) => self.failure = Some(error),
        }
    }

    /// Parses the lines up to `complete`; the last of them begins at `before`.
    fn finish(&mut self, before: usize, complete: usize) {
        let mut lines = parse_lines(&self.buffer[..complete], &self.dropped, &self.parse_line);
        let whole = complete == self.buffer.len();
        let mut end = complete;
        if whole && matches!(lines.last(), Some((_, Some(Err(_))))) {
            lines.pop();
            end = before;
        }
        self.buffer.drain(..end);
        self.ready = lines.into_iter();
        self.done = true;
    }
}

/// Parses whole lines.
fn parse_lines<T: Send>(
    block: &[u8],
    dropped: &Dropped,
    parse_line: impl Fn(&[u8]) -> Result<T, String> + Sync,
) -> Vec<(usize, Option<Result<T, String>>)> {
    let mut start = 0;
    let lines: Vec<&[u8]> = memchr::memchr_iter(b'\n', block)
        .map(|end| &block[mem::replace(&mut start, end + 1)..end])
        .collect();
    let lines = lines.par_iter();
    let parse = |line: &[u8]| (!dropped.hides(line)).then(|| parse_line(line));
    lines.map(|line| (line.len(), parse(line))).collect()
}

/// Reads up to `most` bytes; fewer only at the end of the file. Returns the number of bytes.
fn read(file: impl Read, most: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    bytes.reserve(most);
    file.take(most as u64).read_to_end(bytes)
}

impl<R, T, F> Stream<R, T, F> {
    /// The broken last line; empty if there is none. Valid after the last line was returned.
    pub fn broken(&self) -> &[u8] {
        &self.buffer
    }

    /// Length of the log without the broken line, in bytes. Valid after the last line was returned.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Number of lines returned or left out.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// A warning if the last line of the log at `path` is broken. Valid after the last line was
    /// returned.
    pub fn warning(&self, path: &Path) -> Option<String> {
        (!self.buffer.is_empty()).then(|| {
            let (line, bytes) = (self.lines + 1, self.buffer.len());
            format!(
                "{}:{line}: {bytes} bytes of a broken last line ignored",
                input::shown(path)
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
                let Some(record) = record else {
                    continue;
                };
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

/// End of the last whole line.
fn line_end(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::parse;
    use crate::log::record::{GameResult, Reason, sample};

    /// A reader that returns a few bytes at a time.
    struct Slow<'b>(&'b [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len());
            self.0.read(&mut buffer[..count])
        }
    }

    /// For each line, the length of its detail, or `None` if it is not a game; and the length of
    /// the broken line.
    fn read(bytes: &[u8], step: usize) -> (Vec<Option<usize>>, usize) {
        let mut stream = Stream::new(Slow(bytes, step), Dropped::default(), |line| {
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

    /// A reader that fails after this many bytes.
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
        let mut stream = Stream::new(file, Dropped::default(), |line| {
            parse::<String>(line).map(|game| game.id)
        });
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

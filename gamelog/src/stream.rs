//! A parallel reader for log lines. Its memory use depends neither on the size of the log nor on the
//! length of its lines.

use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::vec;

use base::input;
use rayon::prelude::*;

use super::Entry;
use super::dropped::Dropped;

/// Bytes per read; more if a line is longer.
const BLOCK: usize = 1 << 20;

/// Most bytes per read.
const MAX_BLOCK: usize = 16 << 20;

/// The longest line of a log, in bytes without its line end: 64 MiB.
///
/// No game comes near it. The score, the line of play and the remark of a turn have at most 1 KiB each,
/// or six times as much if all of it is escaped. A game of 3000 such turns would fit. The longest line in
/// `matches/samples` has 18 KiB.
pub const MAX_LINE: usize = 64 << 20;

/// An iterator over the lines of a log, in order, without a broken last line.
///
/// The last line is broken if it has no line end, even if it can be parsed: it may be incomplete.
/// It is also broken if it cannot be parsed. A line longer than [`MAX_LINE`] cannot be parsed, and
/// memory never holds all of it.
pub struct Stream<R, T, F> {
    file: R,
    /// Lines that do not count.
    dropped: Dropped,
    /// Parses a line, on any thread.
    parse_line: F,
    /// The longest line that is parsed, in bytes: [`MAX_LINE`].
    max_line: usize,
    /// Bytes read but not parsed: whole lines and the start of the next one.
    buffer: Vec<u8>,
    /// Whether `buffer` reaches the end of the log.
    ended: bool,
    /// Read error.
    failure: Option<io::Error>,
    /// Parsed lines that were not returned yet.
    ready: vec::IntoIter<Parsed<T>>,
    /// Whether `ready` has the last lines.
    done: bool,
    /// Number of lines returned or left out.
    lines: usize,
    /// Bytes of these lines, including line ends.
    length: u64,
    /// Bytes of the broken last line.
    broken: u64,
}

/// A parsed line.
struct Parsed<T> {
    /// Its length in bytes, without its line end.
    length: u64,
    /// Nothing if the line does not count.
    record: Option<Result<T, String>>,
}

impl<R: Read + Send, T: Send, F: Fn(&[u8]) -> Result<T, String> + Sync> Stream<R, T, F> {
    /// Reads the log in `file`, and parses its lines with `parse_line`, but for those that were
    /// dropped.
    pub fn new(file: R, dropped: Dropped, parse_line: F) -> Stream<R, T, F> {
        Stream {
            file,
            dropped,
            parse_line,
            max_line: MAX_LINE,
            buffer: Vec::new(),
            ended: false,
            failure: None,
            ready: Vec::new().into_iter(),
            done: false,
            lines: 0,
            length: 0,
            broken: 0,
        }
    }

    /// Parses the lines in the buffer, and reads the next block in parallel.
    fn refill(&mut self) {
        let complete = line_end(&self.buffer);
        // Keep the last whole line: it may turn out to be the last of the log, and broken.
        let before = line_end(&self.buffer[..complete.saturating_sub(1)]);
        if self.ended {
            self.finish(before, complete);
        } else if self.buffer.len() - complete <= self.max_line {
            self.proceed(before);
        } else if complete == 0 {
            self.skip_line();
        } else {
            // The line after them is too long to be kept with them; so none of them is the last.
            let lines = self.parse_lines(&self.buffer[..complete]);
            self.buffer.drain(..complete);
            self.ready = lines.into_iter();
        }
    }

    /// Parses the lines up to `before`, and reads the next block in parallel.
    fn proceed(&mut self, before: usize) {
        let rest = self.buffer.split_off(before);
        let block = mem::replace(&mut self.buffer, rest);
        // For a line longer than a block, the read size doubles.
        let most = self.buffer.len().clamp(BLOCK, MAX_BLOCK);
        let (file, buffer, parse_line) = (&mut self.file, &mut self.buffer, &self.parse_line);
        let (dropped, max_line) = (&self.dropped, self.max_line);
        let (lines, read) = rayon::join(
            || parse_lines(&block, dropped, parse_line, max_line),
            || read(file, most, buffer),
        );
        self.ready = lines.into_iter();
        self.note(read, most);
    }

    /// Parses the lines up to `complete`; the last of them begins at `before`.
    fn finish(&mut self, before: usize, complete: usize) {
        let mut lines = self.parse_lines(&self.buffer[..complete]);
        let whole = complete == self.buffer.len();
        let mut end = complete;
        let last = lines.last().and_then(|line| line.record.as_ref());
        if whole && last.is_some_and(Result::is_err) {
            lines.pop();
            end = before;
        }
        self.broken = (self.buffer.len() - end) as u64;
        self.buffer = Vec::new();
        self.ready = lines.into_iter();
        self.done = true;
    }

    /// Reads past a line that is too long, of which the buffer has the beginning.
    fn skip_line(&mut self) {
        let mut length = 0;
        let end = loop {
            if let Some(end) = memchr::memchr(b'\n', &self.buffer) {
                break end;
            }
            length += self.buffer.len() as u64;
            self.buffer.clear();
            if self.ended {
                return self.end_with(length);
            }
            self.read_block();
            if self.failure.is_some() {
                return;
            }
        };
        length += end as u64;
        self.buffer.drain(..=end);
        if self.buffer.is_empty() && !self.ended {
            self.read_block();
        }
        if self.buffer.is_empty() && self.failure.is_none() {
            return self.end_with(length + 1);
        }
        let record = Some(Err(too_long(length, self.max_line)));
        self.ready = vec![Parsed { length, record }].into_iter();
    }

    /// Ends the log with a broken line of this length.
    fn end_with(&mut self, broken: u64) {
        self.broken = broken;
        self.done = true;
    }

    /// Appends the next block to the buffer.
    fn read_block(&mut self) {
        let read = read(&mut self.file, BLOCK, &mut self.buffer);
        self.note(read, BLOCK);
    }

    /// Notes what came of reading up to `most` bytes.
    fn note(&mut self, read: io::Result<usize>, most: usize) {
        match read {
            Ok(count) => self.ended = count < most,
            Err(error) => self.failure = Some(error),
        }
    }

    fn parse_lines(&self, block: &[u8]) -> Vec<Parsed<T>> {
        parse_lines(block, &self.dropped, &self.parse_line, self.max_line)
    }
}

/// Parses whole lines.
fn parse_lines<T: Send>(
    block: &[u8],
    dropped: &Dropped,
    parse_line: impl Fn(&[u8]) -> Result<T, String> + Sync,
    max_line: usize,
) -> Vec<Parsed<T>> {
    let mut start = 0;
    let lines: Vec<&[u8]> = memchr::memchr_iter(b'\n', block)
        .map(|end| &block[mem::replace(&mut start, end + 1)..end])
        .collect();
    let parse = |line: &[u8]| {
        if line.len() > max_line {
            return Some(Err(too_long(line.len() as u64, max_line)));
        }
        match dropped.hides(line) {
            Ok(true) => None,
            Ok(false) => Some(parse_line(line)),
            Err(damage) => Some(Err(damage)),
        }
    };
    let lines = lines.par_iter().map(|line| Parsed {
        length: line.len() as u64,
        record: parse(line),
    });
    lines.collect()
}

/// The fault of a line of this length.
pub(super) fn too_long(length: u64, max_line: usize) -> String {
    format!("a line of {length} bytes, longer than the limit of {max_line}")
}

/// Reads up to `most` bytes; fewer only at the end of the file. Returns the number of bytes.
fn read(file: impl Read, most: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
    bytes.reserve(most);
    file.take(most as u64).read_to_end(bytes)
}

impl<R, T, F> Stream<R, T, F> {
    /// Length of the broken last line, in bytes; 0 if there is none. Valid after the last line was
    /// returned.
    pub fn broken(&self) -> u64 {
        self.broken
    }

    /// Length of the log without the broken line, in bytes. Valid after the last line was returned.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Whether the log has not a byte. Valid after the last line was returned.
    pub fn is_empty(&self) -> bool {
        self.length == 0 && self.broken == 0
    }

    /// Number of lines returned or left out.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// A warning if the last line of the log at `path` is broken. Valid after the last line was
    /// returned.
    pub fn warning(&self, path: &Path) -> Option<String> {
        (self.broken > 0).then(|| {
            let (line, bytes) = (self.lines + 1, self.broken);
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
            if let Some(Parsed { length, record }) = self.ready.next() {
                let (line, start) = (self.lines + 1, self.length);
                let end = start + length;
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
    use crate::parse;
    use crate::record::{GameResult, Reason, sample};

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
        let broken = stream.broken() as usize;
        assert_eq!(stream.length() as usize, bytes.len() - broken);
        let lengths = entries.into_iter().map(|entry| entry.record.ok());
        (lengths.collect(), broken)
    }

    fn line(length: usize) -> Vec<u8> {
        let mut game = sample::game("hex", "a", "b", GameResult::First, Reason::Rules);
        game.detail = "x".repeat(length);
        crate::line(&game).unwrap()
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

    /// What a stream with lines of at most two blocks finds, and how much memory its buffer took:
    /// for each line the length of its detail, or the message; the broken bytes.
    fn read_bounded(file: impl Read + Send) -> (Vec<Result<usize, String>>, u64, usize) {
        let mut stream = Stream::new(file, Dropped::default(), |line| {
            parse::<String>(line).map(|game| game.detail.len())
        });
        stream.max_line = 2 * BLOCK;
        let (mut found, mut most) = (Vec::new(), 0);
        while let Some(entry) = stream.next() {
            found.push(entry.unwrap().record);
            most = most.max(stream.buffer.capacity());
        }
        (found, stream.broken(), most.max(stream.buffer.capacity()))
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_and_not_kept_in_memory() {
        const LONG: u64 = 200 * BLOCK as u64;
        let (small, large) = (line(7), line(BLOCK));
        let refused = || {
            let limit = 2 * BLOCK;
            Err(format!(
                "a line of {LONG} bytes, longer than the limit of {limit}"
            ))
        };
        for before in [&small, &large] {
            let read = |end: &[u8]| {
                let long = io::repeat(b'x').take(LONG);
                let (found, broken, memory) = read_bounded(before.chain(long).chain(end));
                assert!(memory <= 8 * BLOCK, "{memory} bytes");
                let length = parse::<String>(before).unwrap().detail.len();
                assert_eq!(found[0], Ok(length));
                (found[1..].to_vec(), broken)
            };
            // Cut off, as the last line, before a game, and before a broken line.
            assert_eq!(read(b""), (vec![], LONG));
            assert_eq!(read(b"\n"), (vec![], LONG + 1));
            let end = [b"\n", &small[..]].concat();
            assert_eq!(read(&end), (vec![refused(), Ok(7)], 0));
            assert_eq!(read(b"\n{}\n"), (vec![refused()], 3));
        }
        // The longest line that is read, and one byte more.
        let longest = line(2 * BLOCK + 1 - line(0).len());
        assert_eq!(longest.len() - 1, 2 * BLOCK);
        let longer = line(2 * BLOCK + 2 - line(0).len());
        let bytes = [longest, longer, small].concat();
        let (found, broken, _) = read_bounded(&*bytes);
        assert_eq!(
            found.iter().map(Result::is_ok).collect::<Vec<_>>(),
            [true, false, true]
        );
        assert_eq!(broken, 0);
    }

    #[test]
    fn a_failing_disk_within_a_line_that_is_too_long_is_told() {
        let failing = Failing(Slow(&[b'x'; 8], 1), 8);
        let file = io::repeat(b'x').take(50 * BLOCK as u64).chain(failing);
        let mut stream = Stream::new(file, Dropped::default(), |_| Ok(()));
        stream.max_line = BLOCK;
        assert!(stream.next().is_some_and(|entry| entry.is_err()));
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

//! Splits the bytes of a pipe into lines, in bounded memory.

use std::borrow::Cow;
use std::os::fd::AsFd;

use rustix::io::Errno;

use super::extract::Extract;

/// Result of one read from a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filled {
    /// Bytes were read.
    Some,
    /// Nothing to read yet.
    Nothing,
    /// Nothing was read, because an unfinished line fills the buffer.
    Full,
    /// The other end is closed, or the pipe is broken.
    End,
}

/// A line without its LF or CRLF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// The line; U+FFFD replaces bytes that are not UTF-8.
    pub(super) text: String,
    /// Whether all of it was UTF-8, as far as it was kept.
    pub(super) is_utf8: bool,
    /// Whether only its beginning was kept.
    pub(super) is_cut: bool,
}

impl Text {
    fn read(line: &[u8]) -> Text {
        let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        Text {
            is_utf8: matches!(text, Cow::Borrowed(_)),
            text: text.into_owned(),
            is_cut: false,
        }
    }

    /// The beginning of a line, which may end within a letter.
    fn cut(line: &[u8]) -> Text {
        Text {
            is_utf8: true,
            is_cut: true,
            ..Text::read(line)
        }
    }
}

/// How much of a line is kept that is cut, in bytes.
const KEPT: usize = 1024;

/// A buffer of fixed size between a pipe and its reader.
///
/// The bytes in use are `start..end`, and there is no line end in `start..scanned`.
pub(super) struct Lines {
    bytes: Box<[u8]>,
    start: usize,
    scanned: usize,
    end: usize,
    /// How many bytes of the unfinished line were dropped: from its `KEPT` first ones on.
    dropped: usize,
    /// What was read so far.
    read: Extract,
}

impl Lines {
    /// A buffer that holds a line of up to `capacity` bytes, including its line end.
    pub(super) fn new(capacity: usize) -> Lines {
        Lines {
            bytes: vec![0; capacity].into_boxed_slice(),
            start: 0,
            scanned: 0,
            end: 0,
            dropped: 0,
            read: Extract::default(),
        }
    }

    /// All that was read so far: its length, its beginning and its end.
    pub(super) fn read(&self) -> &Extract {
        &self.read
    }

    /// Takes the next complete line.
    pub(super) fn next(&mut self) -> Option<Text> {
        let new = &self.bytes[self.scanned..self.end];
        let Some(length) = new.iter().position(|&byte| byte == b'\n') else {
            self.scanned = self.end;
            return None;
        };
        let end = self.scanned + length;
        let line = self.text(end);
        self.start = end + 1;
        self.scanned = self.start;
        Some(line)
    }

    /// The text from the start to `end`.
    fn text(&mut self, end: usize) -> Text {
        let line = &self.bytes[self.start..end];
        match std::mem::take(&mut self.dropped) {
            0 => Text::read(line),
            _ => Text::cut(&line[..line.len().min(KEPT)]),
        }
    }

    /// The beginning of the unfinished line.
    pub(super) fn beginning(&self) -> Cow<'_, str> {
        let line = &self.bytes[self.start..self.end];
        String::from_utf8_lossy(&line[..line.len().min(KEPT)])
    }

    /// Drops all but the beginning of an unfinished line that fills the buffer. Returns how many bytes
    /// of it have been dropped so far.
    pub(super) fn cut(&mut self) -> usize {
        let end = self.end.min(self.start + KEPT);
        self.dropped += self.end - end;
        (self.scanned, self.end) = (end, end);
        self.dropped
    }

    /// Takes the unfinished line at the end, if any. All complete lines must have been taken.
    pub(super) fn unfinished(&mut self) -> Option<Text> {
        let line = (self.start < self.end).then(|| self.text(self.end));
        self.clear();
        line
    }

    /// The longest line that fits, in bytes, including its line end.
    pub(super) fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Discards everything.
    pub(super) fn clear(&mut self) {
        (self.start, self.scanned, self.end) = (0, 0, 0);
        self.dropped = 0;
    }

    /// Reads once from a non-blocking pipe, as much as fits. All complete lines must have been
    /// taken.
    pub(super) fn fill(&mut self, pipe: impl AsFd) -> Filled {
        self.bytes.copy_within(self.start..self.end, 0);
        self.scanned -= self.start;
        self.end -= self.start;
        self.start = 0;
        if self.end == self.bytes.len() {
            return Filled::Full;
        }
        loop {
            match rustix::io::read(&pipe, &mut self.bytes[self.end..]) {
                Ok(0) => return Filled::End,
                Ok(count) => {
                    self.read.add(&self.bytes[self.end..][..count]);
                    self.end += count;
                    return Filled::Some;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Filled::Nothing,
                Err(_) => return Filled::End,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn all(lines: &mut Lines) -> Vec<String> {
        let lines = std::iter::from_fn(|| lines.next());
        lines
            .inspect(|line| assert_eq!(line.is_utf8, !line.text.contains('\u{fffd}')))
            .map(|line| line.text)
            .collect()
    }

    #[test]
    fn lines_are_cut_wherever_the_reads_fall() {
        let text = b"one\r\ntwo\n\nbad \xff\xfe bytes\nhalf";
        for step in 1..text.len() {
            let (reader, mut writer) = std::io::pipe().unwrap();
            let mut lines = Lines::new(64);
            let mut read = Vec::new();
            for part in text.chunks(step) {
                writer.write_all(part).unwrap();
                assert_eq!(lines.fill(&reader), Filled::Some);
                read.extend(all(&mut lines));
            }
            assert_eq!(
                read,
                ["one", "two", "", "bad \u{fffd}\u{fffd} bytes"],
                "{step}"
            );
            drop(writer);
            assert_eq!(lines.fill(&reader), Filled::End);
            let text = "half".into();
            let (is_utf8, is_cut) = (true, false);
            let expected = Text {
                text,
                is_utf8,
                is_cut,
            };
            assert_eq!(lines.unfinished(), Some(expected));
            assert_eq!(lines.unfinished(), None);
        }
    }

    #[test]
    fn a_line_may_just_fill_the_buffer() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut lines = Lines::new(8);
        writer.write_all(b"1234567\n12345678").unwrap();
        assert_eq!(lines.fill(&reader), Filled::Some);
        assert_eq!(all(&mut lines), ["1234567"]);
        assert_eq!(lines.fill(&reader), Filled::Some);
        assert_eq!(all(&mut lines), [""; 0]);
        assert_eq!(lines.fill(&reader), Filled::Full);
        lines.clear();
        writer.write_all(b"end\n").unwrap();
        assert_eq!(lines.fill(&reader), Filled::Some);
        assert_eq!(all(&mut lines), ["end"]);
        assert_eq!(lines.read().count(), 20);
    }

    /// Wherever the reads fall, a line that is cut keeps its beginning, and the next line is whole.
    #[test]
    fn a_line_that_is_cut_keeps_its_beginning() {
        let long = "é".repeat(3 * KEPT);
        for capacity in [KEPT + 1, 2 * KEPT, 5 * KEPT] {
            let (reader, mut writer) = std::io::pipe().unwrap();
            let text = format!("one\n{long}\ntwo\n{long}");
            writer.write_all(text.as_bytes()).unwrap();
            drop(writer);
            let (mut lines, mut read) = (Lines::new(capacity), Vec::new());
            loop {
                read.extend(std::iter::from_fn(|| lines.next()));
                match lines.fill(&reader) {
                    Filled::Full => {
                        assert!(lines.beginning().starts_with("éé"));
                        assert!(lines.cut() <= long.len());
                    }
                    Filled::End => break,
                    _ => {}
                }
            }
            read.extend(lines.unfinished());
            let cut: Vec<bool> = read.iter().map(|line| line.is_cut).collect();
            assert_eq!(cut, [false, true, false, true], "{capacity}");
            assert!(read.iter().all(|line| line.is_utf8));
            let short = |line: &Text| line.text.chars().take(3).collect::<String>();
            let texts: Vec<String> = read.iter().map(short).collect();
            assert_eq!(texts, ["one", "ééé", "two", "ééé"], "{capacity}");
            assert!(read[1].text.len() <= KEPT + 3);
        }
    }

    #[test]
    fn an_empty_pipe_brings_nothing() {
        let (reader, _writer) = std::io::pipe().unwrap();
        rustix::io::ioctl_fionbio(&reader, true).unwrap();
        assert_eq!(Lines::new(8).fill(&reader), Filled::Nothing);
    }
}

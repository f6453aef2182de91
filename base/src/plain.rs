//! Text for people: numbers in words, and text from elsewhere on its way to a terminal. Control
//! characters, with which a log or a record could move the cursor, rename the window or type
//! commands, become U+FFFD.

use std::borrow::Cow;
use std::io::{self, Write};

/// Replaces a control character.
const REPLACEMENT: &str = "\u{fffd}";

/// The first byte of the control characters U+0080 to U+009F in UTF-8; the second is their number.
const C1_LEAD: u8 = 0xc2;

/// `1 game`, `2 games`.
pub fn games_in_words(count: usize) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

/// Whether a character is kept: all but control characters other than line end and tab.
fn is_kept(c: char) -> bool {
    !c.is_control() || matches!(c, '\n' | '\t')
}

/// The text with every control character but line ends and tabs replaced.
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_kept) {
        return text.into();
    }
    text.replace(|c| !is_kept(c), REPLACEMENT).into()
}

/// The text in one line, with every control character, line ends and tabs too, written as in source code:
/// `\n`.
pub fn in_one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let one = |letter: char| {
        if letter.is_control() {
            letter.escape_default().to_string()
        } else {
            letter.to_string()
        }
    };
    text.chars().map(one).collect()
}

/// A writer of UTF-8 text that replaces control characters like [`plain`].
#[derive(Debug)]
pub struct Plain<W> {
    inner: W,
    /// Whether the last write ended with [`C1_LEAD`], which is not written yet.
    after_lead: bool,
}

impl<W: Write> Plain<W> {
    /// A writer to `inner`.
    pub fn new(inner: W) -> Plain<W> {
        Plain {
            inner,
            after_lead: false,
        }
    }

    /// Writes a character that was split between two writes, with `next` as its second byte.
    fn finish_character(&mut self, next: u8) -> io::Result<()> {
        self.after_lead = false;
        match next {
            0x80..=0x9f => self.inner.write_all(REPLACEMENT.as_bytes()),
            _ => self.inner.write_all(&[C1_LEAD, next]),
        }
    }
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some((&first, others)) = rest.split_first() {
            if self.after_lead {
                self.finish_character(first)?;
                rest = others;
            } else if first == C1_LEAD {
                self.after_lead = true;
                rest = others;
            } else if is_control(first) {
                self.inner.write_all(REPLACEMENT.as_bytes())?;
                rest = others;
            } else {
                let end = rest
                    .iter()
                    .position(|&byte| byte == C1_LEAD || is_control(byte));
                let (text, others) = rest.split_at(end.unwrap_or(rest.len()));
                self.inner.write_all(text)?;
                rest = others;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Whether a byte is a control character that is replaced.
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !is_kept(byte.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escape_sequences_lose_their_effect() {
        let text = "a\u{1b}[2Jb\r\u{9b}31m\u{7f}\u{7}\tcé\u{a0}\n";
        let expected = "a\u{fffd}[2Jb\u{fffd}\u{fffd}31m\u{fffd}\u{fffd}\tcé\u{a0}\n";
        assert_eq!(plain(text), expected);
        assert!(matches!(plain("Hex 11×11\n"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn writing_in_any_parts_is_the_same(text in "[a-é\\x00-\\u{a5}\u{fffd}]{0,40}", size in 1..9usize) {
            let mut writer = Plain::new(Vec::new());
            for part in text.as_bytes().chunks(size) {
                writer.write_all(part).unwrap();
            }
            prop_assert_eq!(String::from_utf8(writer.inner).unwrap(), plain(&text));
        }
    }
}

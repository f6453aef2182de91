//! The beginning and the end of what an engine writes to a stream, for messages.

use std::collections::VecDeque;

/// How many bytes are kept of the beginning, and how many of the end.
const KEPT: usize = 2048;

/// What is kept of a stream, in bounded memory.
#[derive(Debug, Default)]
pub(super) struct Extract {
    beginning: Vec<u8>,
    /// What follows the beginning, or the end of that.
    end: VecDeque<u8>,
    count: u64,
}

impl Extract {
    /// Adds the next bytes of the stream.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.count += bytes.len() as u64;
        let room = KEPT - self.beginning.len();
        let (beginning, rest) = bytes.split_at(room.min(bytes.len()));
        self.beginning.extend(beginning);
        let last = &rest[rest.len().saturating_sub(KEPT)..];
        let excess = (self.end.len() + last.len()).saturating_sub(KEPT);
        self.end.drain(..excess);
        self.end.extend(last);
    }

    /// The length of the stream so far, in bytes.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The stream, or its beginning and its end with a line between them that says how much is left
    /// out. U+FFFD replaces bytes that are not UTF-8.
    pub(super) fn text(&self) -> String {
        let mut bytes = self.beginning.clone();
        let left_out = self.count - (self.beginning.len() + self.end.len()) as u64;
        if left_out > 0 {
            bytes.extend(format!("\n… {left_out} bytes left out …\n").as_bytes());
        }
        bytes.extend(&self.end);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn extract(parts: &[&[u8]]) -> Extract {
        let mut extract = Extract::default();
        parts.iter().for_each(|part| extract.add(part));
        extract
    }

    #[test]
    fn what_fits_is_whole() {
        let long = vec![b'x'; 2 * KEPT];
        for length in [0, 1, KEPT, KEPT + 1, 2 * KEPT] {
            let extract = extract(&[&long[..length]]);
            assert_eq!(extract.text().len(), length);
        }
        // The seam cuts a character.
        let text = format!("-{}", "é".repeat(KEPT - 1));
        assert_eq!(extract(&[text.as_bytes()]).text(), text);
    }

    #[test]
    fn the_middle_is_left_out() {
        let text = extract(&[b"first\n", &[b'x'; 10 * KEPT], b"\nlast"]).text();
        let left_out = 8 * KEPT + 11;
        assert!(text.starts_with("first\nx"), "{text}");
        assert!(text.ends_with("x\nlast"), "{text}");
        assert!(
            text.contains(&format!("x\n… {left_out} bytes left out …\nx")),
            "{text}"
        );
    }

    proptest! {
        #[test]
        fn the_parts_do_not_matter(text in "[a-z]{0,6000}", size in 1..3000usize) {
            let parts: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            prop_assert_eq!(extract(&parts).text(), extract(&[text.as_bytes()]).text());
        }
    }
}

//! The last lines between the referee and an engine, for a game that went wrong.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Write;
use std::time::Instant;

use base::plain::in_one_line;

/// How many lines of the referee are kept, and of the engine: a flood of reports leaves the questions.
const MOST: [usize; 2] = [30, 60];

/// How much of the beginning and of the end of a longer line is kept, in bytes.
const ENDS: [usize; 2] = [200, 100];

/// Who says a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    Referee,
    Engine,
}

/// The last lines in both directions, in bounded memory.
#[derive(Debug)]
pub(super) struct Conversation {
    begun: Instant,
    /// Those of the referee and of the engine.
    lines: [VecDeque<Kept>; 2],
}

/// A line, or its beginning and its end.
#[derive(Debug)]
struct Kept {
    at: Instant,
    text: String,
    /// How many bytes were left out, and after how many.
    left_out: Option<(usize, usize)>,
}

impl Conversation {
    /// Nothing was said yet; times count from now.
    pub(super) fn new() -> Conversation {
        Conversation {
            begun: Instant::now(),
            lines: Default::default(),
        }
    }

    /// The referee has said a line.
    pub(super) fn said(&mut self, at: Instant, line: &str) {
        self.add(Speaker::Referee, at, line);
    }

    /// The engine has said a line.
    pub(super) fn heard(&mut self, at: Instant, line: &str) {
        self.add(Speaker::Engine, at, line);
    }

    fn add(&mut self, speaker: Speaker, at: Instant, line: &str) {
        let lines = &mut self.lines[speaker as usize];
        let is_full = lines.len() == MOST[speaker as usize];
        // The memory of the oldest line serves for the newest.
        let oldest = is_full.then(|| lines.pop_front()).flatten();
        let text = oldest.map(|kept| kept.text).unwrap_or_default();
        lines.push_back(Kept::new(at, line, text));
    }

    /// The lines in their order, each with the seconds since the start: `>` from the referee, `<` from
    /// the engine. `unfinished` is what the engine has begun to say.
    pub(super) fn text(&self, unfinished: &str) -> String {
        let [said, heard] = &self.lines;
        let said = said.iter().map(|line| (line, '>'));
        let heard = heard.iter().map(|line| (line, '<'));
        let mut lines: Vec<_> = said.chain(heard).collect();
        // Stable: a question stands before the answer that came at the same moment.
        lines.sort_by_key(|(line, _)| line.at);
        let mut text = String::new();
        for (line, mark) in lines {
            let time = line.at.saturating_duration_since(self.begun).as_secs_f64();
            let _ = writeln!(text, "{time:9.3} {mark} {}", in_one_line(&line.words()));
        }
        if !unfinished.is_empty() {
            let kept = Kept::new(self.begun, unfinished, String::new());
            let beginning = kept.words();
            let beginning = in_one_line(&beginning);
            let _ = writeln!(text, "          < {beginning} (without a line end)");
        }
        text
    }
}

impl Kept {
    /// Keeps a line in the memory of `text`.
    fn new(at: Instant, line: &str, mut text: String) -> Kept {
        text.clear();
        let [beginning, end] = ENDS;
        if line.len() <= beginning + end {
            text.push_str(line);
            let left_out = None;
            return Kept { at, text, left_out };
        }
        let between = |at: &usize| line.is_char_boundary(*at);
        let beginning = &line[..(0..=beginning).rfind(between).unwrap_or(0)];
        let end = &line[(line.len() - end..).find(between).unwrap_or(line.len())..];
        text.push_str(beginning);
        text.push_str(end);
        let left_out = Some((line.len() - text.len(), beginning.len()));
        Kept { at, text, left_out }
    }

    /// The line, with a word for what was left out.
    fn words(&self) -> Cow<'_, str> {
        let Some((left_out, at)) = self.left_out else {
            return Cow::Borrowed(&self.text);
        };
        let (beginning, end) = self.text.split_at(at);
        Cow::Owned(format!("{beginning} … {left_out} bytes left out … {end}"))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn lines_stand_in_their_order() {
        let mut conversation = Conversation::new();
        let begun = conversation.begun;
        let at = |ms| begun + Duration::from_millis(ms);
        conversation.add(Speaker::Referee, at(0), "ugi");
        conversation.add(Speaker::Engine, at(4), "ugiok\u{1b}[2J");
        conversation.add(Speaker::Referee, at(4), "go");
        conversation.add(Speaker::Engine, at(12_345), "info string é");
        let expected = "    0.000 > ugi\n    0.004 > go\n    0.004 < ugiok\\u{1b}[2J\n   12.345 < info \
                        string é\n          < bestm (without a line end)\n";
        assert_eq!(conversation.text("bestm"), expected);
    }

    #[test]
    fn a_flood_leaves_the_questions() {
        let mut conversation = Conversation::new();
        conversation.said(Instant::now(), "position startpos");
        for number in 0..10_000 {
            conversation.heard(Instant::now(), &format!("info nodes {number}"));
        }
        let text = conversation.text("");
        assert_eq!(text.lines().count(), 1 + MOST[1]);
        assert!(text.contains("> position startpos\n"), "{text}");
        assert!(text.ends_with("< info nodes 9999\n"), "{text}");
    }

    #[test]
    fn long_lines_keep_their_ends() {
        for letter in ["a", "é", "先"] {
            for count in [99, 100, 101, 150, 151, 299, 300, 301, 400] {
                let line = format!("x{}y", letter.repeat(count));
                let kept = Kept::new(Instant::now(), &line, "memory".to_owned());
                let short = kept.words();
                let whole = line.len() <= 300;
                assert_eq!(short == line, whole, "{letter} {count}");
                assert!(short.starts_with('x') && short.ends_with('y'));
                assert!(short.len() <= 340, "{}", short.len());
            }
        }
    }
}

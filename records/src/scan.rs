//! Lenient character-level reading of records.

use super::fault::{Fault, Place, Token};

/// Maximum number of characters of the text in a message.
const SHOWN: usize = 20;

/// A character in plain form: full-width punctuation, digits and letters become ASCII.
pub fn plain(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' | '\u{feff}' => ' ',
        '【' => '[',
        '】' => ']',
        '、' => ',',
        '。' => '.',
        '—' | '–' => '-',
        _ => c,
    }
}

/// A text in plain form, in lower case and without blanks.
pub fn folded(text: &str) -> String {
    let plain = text.chars().map(plain).filter(|c| !c.is_whitespace());
    plain.map(|c| c.to_ascii_lowercase()).collect()
}

/// The unread part of a record.
#[derive(Clone, Debug)]
pub struct Scanner<'t> {
    rest: &'t str,
    place: Place,
}

impl<'t> Scanner<'t> {
    /// A scanner of a text whose first line has this number.
    pub fn new(text: &'t str, line: usize) -> Scanner<'t> {
        Scanner {
            rest: text,
            place: Place::start_of(line),
        }
    }

    /// A scanner of a token's text.
    pub fn of(token: Token<'t>) -> Scanner<'t> {
        Scanner {
            rest: token.text,
            place: token.place,
        }
    }

    /// The place of the next character.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The next character, in plain form.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next().map(plain)
    }

    /// Skips the next character.
    pub fn skip(&mut self) {
        let mut rest = self.rest.chars();
        match rest.next() {
            Some('\n') => self.place = Place::start_of(self.place.line + 1),
            Some(_) => self.place.column += 1,
            None => {}
        }
        self.rest = rest.as_str();
    }

    /// Skips blanks and line ends.
    pub fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.skip();
        }
    }

    /// Whether only blanks are left. Skips blanks, except at the end: a fault for missing text is
    /// reported at the first of them.
    pub fn at_end(&mut self) -> bool {
        let mut ahead = self.clone();
        ahead.skip_blanks();
        let is_end = ahead.rest.is_empty();
        if !is_end {
            *self = ahead;
        }
        is_end
    }

    /// Skips blanks and reads this character, ignoring case, if it comes next.
    pub fn accept(&mut self, wanted: char) -> bool {
        let mut ahead = self.clone();
        ahead.skip_blanks();
        let is_next = ahead
            .peek()
            .is_some_and(|c| c.eq_ignore_ascii_case(&wanted));
        if is_next {
            ahead.skip();
            *self = ahead;
        }
        is_next
    }

    /// Skips blanks and reads this character, ignoring case.
    ///
    /// # Errors
    /// Another character, or the end.
    pub fn expect(&mut self, wanted: char, what: &str) -> Result<(), Fault> {
        if self.accept(wanted) {
            Ok(())
        } else {
            Err(self.fault(what))
        }
    }

    /// Reads characters while the predicate holds for their plain form.
    pub fn take_while(&mut self, predicate: impl Fn(char) -> bool) -> Token<'t> {
        let begin = self.clone();
        while self.peek().is_some_and(&predicate) {
            self.skip();
        }
        begin.until(self)
    }

    /// The text from here to `later`.
    pub fn until(&self, later: &Scanner<'t>) -> Token<'t> {
        Token {
            place: self.place,
            text: &self.rest[..self.rest.len() - later.rest.len()],
        }
    }

    /// The unread text.
    pub fn rest(&self) -> Token<'t> {
        Token {
            place: self.place,
            text: self.rest,
        }
    }

    /// Reads the line and its line end.
    pub fn line(&mut self) -> Token<'t> {
        let line = self.take_while(|c| c != '\n');
        self.skip();
        line
    }

    /// A fault at the next word.
    pub fn fault(&self, expected: impl Into<String>) -> Fault {
        let mut next = self.clone();
        next.skip_blanks();
        let place = next.place;
        let word = next.take_while(|c| !c.is_whitespace());
        let found = word.text.chars().take(SHOWN).collect();
        Fault {
            place: if word.text.is_empty() {
                self.place
            } else {
                place
            },
            found,
            expected: expected.into(),
        }
    }
}

/// The cells in a text, a letter and digits each, in lower case: `d1-d7/g7`, `a2d4e5`. `marks` may
/// stand between them. `None` for anything else.
pub fn cells(text: &str, marks: &str) -> Option<Vec<String>> {
    let mut cells: Vec<String> = Vec::new();
    let mut is_done = true;
    for c in text.chars().map(plain) {
        if c.is_ascii_alphabetic() && is_done {
            cells.push(c.to_ascii_lowercase().into());
            is_done = false;
        } else if c.is_ascii_digit()
            && let Some(cell) = cells.last_mut()
            && (!is_done || cell.ends_with(|last: char| last.is_ascii_digit()))
        {
            cell.push(c);
            is_done = true;
        } else if !(marks.contains(c) && is_done) {
            return None;
        }
    }
    (is_done && !cells.is_empty()).then_some(cells)
}

/// Splits a text before each line for which `begins` is true, with the number of the first line of
/// each part. Text before the first such line belongs to the first part.
pub fn parts(text: &str, begins: impl Fn(&str) -> bool) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut at = 0;
    let mut has_begun = false;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let begins = begins(line);
        if parts.is_empty() || begins && has_begun {
            parts.push(Part {
                text: &text[at..at],
                line: index + 1,
            });
        }
        has_begun |= begins;
        let part = parts.last_mut().expect("one was begun");
        let start = at - part.text.len();
        at += line.len();
        part.text = &text[start..at];
    }
    parts.retain(|part| !part.text.trim().is_empty());
    parts
}

/// The lines that are not blank, one part each.
pub fn lines(text: &str) -> impl Iterator<Item = Part<'_>> {
    let lines = text.lines().enumerate();
    let parts = lines.map(|(index, text)| Part {
        text,
        line: index + 1,
    });
    parts.filter(|part| part.text.chars().map(plain).any(|c| !c.is_whitespace()))
}

/// A part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part<'t> {
    /// Its text.
    pub text: &'t str,
    /// The number of its first line, from 1.
    pub line: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_characters() {
        let mut scanner = Scanner::new("甲队 ；\r\n b（", 3);
        assert_eq!(scanner.take_while(|c| c != ' ').text, "甲队");
        assert!(scanner.accept(';'));
        assert_eq!(scanner.place(), Place { line: 3, column: 5 });
        assert!(scanner.accept('B') && scanner.accept('('));
        let fault = scanner.fault("more");
        assert_eq!(
            fault.to_string(),
            "line 4, column 4: expected more, found the end"
        );
    }

    #[test]
    fn cells_may_have_marks_between_them() {
        let read = |text: &str| cells(text, "-/").map(|cells| cells.join(" "));
        assert_eq!(read("d1-d10/G7").as_deref(), Some("d1 d10 g7"));
        assert_eq!(read("a2d4e5").as_deref(), Some("a2 d4 e5"));
        for other in ["", "a", "1", "a-1", "aa1", "a1 b2", "a1:b2", "a1b"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn parts_keep_the_lines_they_began_with() {
        let hash = |line: &str| line.starts_with('#');
        let texts = |text: &'static str| -> Vec<(usize, &'static str)> {
            let parts = parts(text, hash);
            parts.iter().map(|part| (part.line, part.text)).collect()
        };
        assert_eq!(texts(""), []);
        assert_eq!(texts("\n \n"), []);
        assert_eq!(texts("a\nb"), [(1, "a\nb")]);
        assert_eq!(texts("\n#a\nb\n#c"), [(1, "\n#a\nb\n"), (4, "#c")]);
    }
}

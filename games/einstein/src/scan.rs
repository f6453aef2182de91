//! Character-level reading with columns for errors.

use engine_core::ParseError;

/// The unread characters of a text.
#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        Scanner {
            rest: text,
            column: 1,
        }
    }

    /// The column of the next character, from 1.
    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// The unread text.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next character; does not consume it.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// An error at the next character.
    pub(crate) fn error(&self, expected: impl Into<String>) -> ParseError {
        let found = self.peek().map(String::from).unwrap_or_default();
        ParseError::new(self.column, found, expected)
    }

    /// Reads a character and converts it.
    pub(crate) fn take<T>(
        &mut self,
        expected: &str,
        meaning: impl FnOnce(char) -> Option<T>,
    ) -> Result<T, ParseError> {
        let value = self.peek().and_then(meaning);
        let value = value.ok_or_else(|| self.error(expected))?;
        self.skip();
        Ok(value)
    }

    /// Reads this character, ignoring case.
    pub(crate) fn expect(&mut self, wanted: char) -> Result<(), ParseError> {
        self.take(&format!("{wanted:?}"), |c| {
            c.eq_ignore_ascii_case(&wanted).then_some(())
        })
    }

    /// Reads this character if it comes next.
    pub(crate) fn accept(&mut self, wanted: char) -> bool {
        let next = self.peek() == Some(wanted);
        if next {
            self.skip();
        }
        next
    }

    /// Reads a digit from `low` to `high`.
    pub(crate) fn digit(&mut self, low: u8, high: u8, what: &str) -> Result<u8, ParseError> {
        self.take(&format!("{what}, {low} to {high}"), |c| {
            let digit = c.to_digit(10)? as u8;
            (low..=high).contains(&digit).then_some(digit)
        })
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self) -> Result<(), ParseError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error("the end")),
        }
    }

    fn skip(&mut self) {
        let mut chars = self.rest.chars();
        if chars.next().is_some() {
            self.rest = chars.as_str();
            self.column += 1;
        }
    }
}

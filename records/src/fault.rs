//! Faults in a record and their places.

use std::fmt;

/// Maximum number of characters of a token in a message.
const SHOWN: usize = 60;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
}

impl Place {
    /// The place of a line's first character.
    pub const fn start_of(line: usize) -> Place {
        Place { line, column: 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The first fault in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The place of the fault.
    pub place: Place,
    /// The text at that place; empty at the end of the record.
    pub found: String,
    /// What was expected: `an empty cell`.
    pub expected: String,
}

impl Fault {
    /// The message without the place, for use after a file name: `expected …, found …`.
    pub fn message(&self) -> String {
        match self.found.as_str() {
            "" => format!("expected {}, found the end", self.expected),
            found => format!("expected {}, found {found:?}", self.expected),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message())
    }
}

impl std::error::Error for Fault {}

/// A piece of a record and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'t> {
    /// The place of its first character.
    pub place: Place,
    /// Its text.
    pub text: &'t str,
}

impl Token<'_> {
    /// The place after its last character.
    pub fn end(&self) -> Place {
        let last = self.text.rsplit('\n').next().unwrap_or_default();
        let columns = last.chars().count();
        match self.text.matches('\n').count() {
            0 => Place {
                column: self.place.column + columns,
                ..self.place
            },
            lines => Place {
                line: self.place.line + lines,
                column: 1 + columns,
            },
        }
    }

    /// A fault at this token.
    pub fn fault(&self, expected: impl Into<String>) -> Fault {
        Fault {
            place: self.place,
            found: self.text.trim().chars().take(SHOWN).collect(),
            expected: expected.into(),
        }
    }
}

//! What is wrong in a record, and where.

use std::fmt;

/// How much of a token a fault shows, in characters.
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
    /// The first character of a line.
    pub const fn start_of(line: usize) -> Place {
        Place { line, column: 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The first thing that is wrong in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where it stands.
    pub place: Place,
    /// What stands there; empty at the end of the record.
    pub found: String,
    /// What was expected, in words: `an empty cell`.
    pub expected: String,
}

impl Fault {
    /// The place left out, as where a file's name stands before it: `expected …, found …`.
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

/// A part of a record as it stands there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'t> {
    /// Where it begins.
    pub place: Place,
    /// Its text.
    pub text: &'t str,
}

impl Token<'_> {
    /// The place behind it.
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

    /// A fault of this token.
    pub fn fault(&self, expected: impl Into<String>) -> Fault {
        Fault {
            place: self.place,
            found: self.text.trim().chars().take(SHOWN).collect(),
            expected: expected.into(),
        }
    }
}

//! Errors the user can fix, and messages on standard error.

use std::fmt::Display;
use std::io::Write;

use thiserror::Error;

use crate::plain::plain;

/// Unusable input: a file or an argument. The message is one line: where, what was found and what
/// was expected. The program exits with status 2.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadInput(pub String);

/// Writes a line to standard error, without control characters. Write errors are ignored: a closed
/// pipe (`2>&1 | head`) must not end a league.
pub fn tell(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", plain(&line.to_string()));
}

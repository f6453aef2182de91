//! Errors that are the user's to mend, and how the user is told.

use std::fmt::Display;
use std::io::Write;

use thiserror::Error;

/// Input that cannot be used: a file, an argument. The message is one line that says where, what
/// was found and what was expected. The program ends with exit status 2.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadInput(pub String);

/// Writes a line to standard error. Where nobody reads it any more (`2>&1 | head`), that is no
/// reason to end a league.
pub fn tell(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

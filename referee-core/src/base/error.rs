//! Errors the user can fix, and messages on standard error.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::base::plain::plain;

/// Unusable input: a file or an argument. The message is one line: where, what was found and what
/// was expected. The program exits with status 2.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadInput(pub String);

/// Whether the user asked for no progress.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on, [`inform`] writes nothing.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether progress is shown as a bar: on a terminal, if the user wants progress.
pub fn shows_bar() -> bool {
    !QUIET.load(Ordering::Relaxed) && std::io::stderr().is_terminal()
}

/// Writes a line about progress to standard error, unless the user asked for none.
pub fn inform(line: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        tell(line);
    }
}

/// Writes a line to standard error, without control characters. Write errors are ignored: a closed
/// pipe (`2>&1 | head`) must not end a league.
pub fn tell(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", plain(&line.to_string()));
}

//! Errors the user can fix, and messages on standard error.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

use crate::plain::plain;

/// Unusable input: a file or an argument. The message is one line: where, what was found and what
/// was expected. The program exits with status 2.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BadInput(pub String);

/// Prints a line, without its line end.
type Printer = Box<dyn Fn(&str) + Send>;

/// Prints messages in place of standard error.
static PRINTER: Mutex<Option<Printer>> = Mutex::new(None);

/// From now on, `printer` prints every message: above what it shows on the terminal. `None` for
/// standard error itself.
pub fn tell_through(printer: Option<Printer>) {
    *PRINTER.lock().unwrap_or_else(PoisonError::into_inner) = printer;
}

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
    let line = line.to_string();
    let line = plain(&line);
    let printer = PRINTER.lock().unwrap_or_else(PoisonError::into_inner);
    match &*printer {
        Some(print) => print(&line),
        None => drop(writeln!(std::io::stderr(), "{line}")),
    }
}

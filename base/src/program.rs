//! This program: where it lies, and how it was started.

use std::io;
use std::path::PathBuf;

/// The path of this executable. On Linux it stays valid while the program runs, even if it is built anew.
///
/// # Errors
/// The system does not say.
pub fn this_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        return Ok("/proc/self/exe".into());
    }
    let unknown =
        |error| io::Error::other(format!("cannot find the path of this program: {error}"));
    std::env::current_exe().map_err(unknown)
}

/// The command line of this process, for a shell: running it again goes on with what was begun.
pub fn command_line() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words = shlex::try_join(words.iter().map(String::as_str));
    // No argument of a process has a NUL in it.
    format!("referee {}", words.unwrap_or_default())
}

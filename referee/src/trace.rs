//! The trace: every line exchanged with engines, with its time, in a file.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

/// The target of all events that go to the trace.
pub const TARGET: &str = "engine";

/// Writes the trace to a new file from now on, in this whole program. Each line has the time (UTC,
/// µs), then game and engine, then `>` for a line to the engine, `<` for one from it, or `!` for
/// standard error and what happens to the process.
///
/// # Errors
/// The file cannot be made, or a trace is already being written.
pub fn start(path: &Path) -> io::Result<()> {
    let file = File::create(path)?;
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(format!("{TARGET}=trace")))
        .with_ansi(false)
        .with_level(false)
        .with_target(false)
        .with_writer(Mutex::new(file))
        .finish()
        .try_init()
        .map_err(io::Error::other)
}

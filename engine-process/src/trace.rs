//! The trace: a file with every line exchanged with engines and its time.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

/// The target of all events that go to the trace.
pub const TARGET: &str = "engine";

/// From now on, writes the trace of the whole program to a new file. Each line has the time (UTC,
/// µs), the game and the engine, then `>` for a line to the engine, `<` for one from it, or `!` for
/// standard error and process events.
///
/// # Errors
/// The file cannot be created, or a trace is already being written.
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

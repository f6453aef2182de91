//! Signals that stop the referee.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// A wish to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Ctrl-C (SIGINT) or SIGTERM.
    Asked,
    /// The terminal has gone (SIGHUP).
    HungUp,
}

/// Calls `stop` at every signal that asks the referee to stop, on a thread of its own. Signals that
/// the referee was started to ignore stay ignored: under `nohup` a hang-up changes nothing.
///
/// # Errors
/// The system refuses a signal handler.
pub fn on_stop(stop: impl Fn(Wish) + Send + 'static) -> io::Result<()> {
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter();
    let mut signals = Signals::new(heeded.filter(|&signal| !is_ignored(signal)))?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            stop(match signal {
                SIGHUP => Wish::HungUp,
                _ => Wish::Asked,
            });
        }
    });
    Ok(())
}

/// Makes a write beyond the file size limit (`ulimit -f`) an error instead of a fatal signal.
/// Engines are not affected: exec resets signal handlers.
///
/// # Errors
/// The system refuses the signal handler.
pub fn survive_full_files() -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// Whether this process ignores a signal. Where the system does not say, it does not.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored(&status) >> (signal - 1) & 1 == 1
}

/// The set of ignored signals in `/proc/PID/status`: bit 0 is signal 1.
fn ignored(status: &str) -> u64 {
    let set = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    set.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_of_ignored_signals_is_read() {
        let status = "Name:\treferee\nSigBlk:\t0000000000000002\nSigIgn:\t0000000000001001\n";
        let set = ignored(status);
        assert_eq!(set >> (SIGHUP - 1) & 1, 1);
        assert_eq!(set >> (SIGINT - 1) & 1, 0);
        assert_eq!(ignored(""), 0);
    }
}

//! What is exchanged with an engine: its lines, how long one waits for them, and why that fails.

use std::cell::Cell;
use std::io;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

/// Why communication with an engine failed.
#[derive(Debug, Error)]
pub enum Failure {
    /// The process could not be started.
    #[error("cannot start: {0}")]
    Start(#[from] io::Error),
    /// The deadline has passed.
    #[error("no answer in time")]
    Late,
    /// The process has exited.
    #[error("{status}{words}")]
    Exit {
        /// Exit status or signal.
        status: ExitStatus,
        /// The last lines on standard error, formatted to follow the status; may be empty.
        words: String,
    },
    /// The process is alive but has closed a pipe: `input` or `output`.
    #[error("closed its standard {0}")]
    Closed(&'static str),
    /// It wrote a line that is too long.
    #[error("a line of more than {0} bytes")]
    LongLine(usize),
    /// The referee is being stopped.
    #[error("the referee is stopping")]
    Stopped,
}

/// A line from an engine.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line without its line end; U+FFFD replaces bytes that are not UTF-8.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
}

/// How many bytes an engine has written since it was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// On standard output.
    pub output: u64,
    /// On standard error.
    pub errors: u64,
}

/// What an engine has written since it was started, for a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// On standard output.
    pub output: String,
    /// On standard error.
    pub errors: String,
}

/// How long a wait may last.
#[derive(Clone, Copy)]
pub struct Until<'a> {
    /// When the wait ends.
    pub deadline: Instant,
    /// Set when the referee is to stop.
    pub stop: &'a AtomicBool,
    /// What is done if the wait takes long.
    pub delayed: Option<&'a Delayed<'a>>,
}

/// Something that is done once, if a wait lasts until a moment.
pub struct Delayed<'a> {
    at: Instant,
    action: &'a dyn Fn(),
    done: Cell<bool>,
}

impl<'a> Delayed<'a> {
    /// Does `action` at this moment, unless the wait is over then. The action delays the wait.
    pub fn new(at: Instant, action: &'a dyn Fn()) -> Delayed<'a> {
        Delayed {
            at,
            action,
            done: Cell::new(false),
        }
    }

    /// Acts if it is time. Returns how long to wait before the next look, at most `slice`.
    fn look(&self, now: Instant, slice: Duration) -> Duration {
        if self.done.get() {
            return slice;
        }
        let left = self.at.saturating_duration_since(now);
        if left.is_zero() {
            self.done.set(true);
            (self.action)();
            return slice;
        }
        slice.min(left)
    }
}

impl<'a> Until<'a> {
    /// A wait until `deadline` that `stop` ends early.
    pub fn new(deadline: Instant, stop: &'a AtomicBool) -> Until<'a> {
        Until {
            deadline,
            stop,
            delayed: None,
        }
    }

    /// The same wait, but no longer than this from now.
    pub(crate) fn within(self, time: Duration) -> Until<'a> {
        Until {
            deadline: self.deadline.min(Instant::now() + time),
            ..self
        }
    }

    /// The time left from now on, at most `slice`: the caller checks again after it.
    pub(super) fn left(&self, now: Instant, slice: Duration) -> Result<Duration, Failure> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        let slice = self
            .delayed
            .map_or(slice, |delayed| delayed.look(now, slice));
        match self.deadline.saturating_duration_since(now) {
            Duration::ZERO => Err(Failure::Late),
            left => Ok(left.min(slice)),
        }
    }
}

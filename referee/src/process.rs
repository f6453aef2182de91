//! An engine as a child process: started, written to, read from, ended.
//!
//! Nothing an engine does blocks the referee beyond a deadline, and nothing makes it keep more than
//! a fixed number of bytes: every pipe is read and written without blocking, by one `poll` that
//! waits for all of them, and for the end of the process.

mod confine;
mod group;
pub mod guard;
mod lines;
#[cfg(target_os = "linux")]
mod sandbox;
mod strays;
mod table;

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use thiserror::Error;
use tracing::trace;

pub use self::confine::unconfined;
use self::group::Group;
use self::lines::{Filled, Lines, Text};
use crate::deviation::{Deviation, Deviations};
use crate::task::EngineSpec;
use crate::trace::TARGET;

/// The longest line an engine may write, its end included, in bytes.
pub const LONGEST_LINE: usize = 64 * 1024;

/// Room for lines on standard error, in bytes; longer ones are not kept.
const ERROR_LINE: usize = 4 * 1024;

/// How much of what an engine wrote before it was asked is thrown away, in buffers of
/// [`LONGEST_LINE`]: as much as the largest pipe that an unprivileged Linux process can make.
const STALE_BUFFERS: usize = 16;

/// How long an answer is looked for again and again before the thread sleeps. Where cores are idle,
/// waking a thread takes longer than many an answer; where they are not, others have the core.
const EAGER: Duration = Duration::from_micros(30);

/// How often a wait looks whether the referee is being stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// How often a wait looks whether the process has ended, where the system cannot wake it.
const EXIT_INTERVAL: Duration = Duration::from_millis(5);

/// How long a process that has closed a pipe may take to end: then it has crashed, and not just
/// closed the pipe.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// How much of the last lines on standard error is told with a crash, in bytes.
const LAST_WORDS: usize = 300;

/// Why an engine can be spoken to no longer.
#[derive(Debug, Error)]
pub enum Failure {
    /// It was not started.
    #[error("cannot start: {0}")]
    Start(#[from] io::Error),
    /// The deadline has passed.
    #[error("no answer in time")]
    Late,
    /// Its process has ended.
    #[error("{status}{words}")]
    Exit {
        /// Exit status or signal.
        status: ExitStatus,
        /// The last lines on standard error, ready to follow the status; or nothing.
        words: String,
    },
    /// It is alive and has closed a pipe: `input` or `output`.
    #[error("closed its standard {0}")]
    Closed(&'static str),
    /// It wrote a line without end.
    #[error("a line of more than {LONGEST_LINE} bytes")]
    LongLine,
    /// It is the referee that is being stopped.
    #[error("the referee is stopping")]
    Stopped,
}

/// A line from an engine.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line without its end; U+FFFD stands for what is not UTF-8.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
}

/// What an engine has written since it was started, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// On standard output.
    pub output: u64,
    /// On standard error.
    pub errors: u64,
}

/// Until when a wait may last.
#[derive(Clone, Copy, Debug)]
pub struct Until<'a> {
    /// The end of it.
    pub deadline: Instant,
    /// Set when the referee is to stop.
    pub stop: &'a AtomicBool,
}

impl Until<'_> {
    /// What is left, in slices after which to look again.
    fn left(&self, slice: Duration) -> Result<Duration, Failure> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        match self.deadline.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(Failure::Late),
            left => Ok(left.min(slice)),
        }
    }
}

/// A running engine. Dropping it kills it with all its processes, and reaps it.
pub struct Process {
    group: Group,
    exit: Option<OwnedFd>,
    input: Option<ChildStdin>,
    output: Pipe<ChildStdout>,
    errors: Pipe<ChildStderr>,
    /// When `output` was last read.
    read_at: Instant,
    last_words: String,
    /// The name in the trace.
    label: String,
    deviations: Deviations,
    strays: Strays,
}

/// What is odd about a line that nobody waits for.
pub type Strays = fn(&str) -> Option<Deviation>;

/// A pipe from the engine, and what has been read of it.
struct Pipe<P> {
    pipe: P,
    lines: Lines,
    open: bool,
}

impl<P: AsFd> Pipe<P> {
    fn new(pipe: P, capacity: usize) -> io::Result<Pipe<P>> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Pipe {
            pipe,
            lines: Lines::new(capacity),
            open: true,
        })
    }

    fn fill(&mut self) -> Filled {
        let filled = self.lines.fill(&self.pipe);
        self.open &= filled != Filled::End;
        filled
    }

    /// What to ask `poll` for, unless the pipe has ended.
    fn poll(&self) -> Option<PollFd<'_>> {
        self.open.then(|| PollFd::new(&self.pipe, PollFlags::IN))
    }
}

impl Process {
    /// Starts an engine in a session of its own. `label` names it in the trace.
    ///
    /// On Linux it is killed when the calling thread ends, which must therefore outlive it.
    ///
    /// # Errors
    /// [`Failure::Start`].
    pub fn start(spec: &EngineSpec, label: String) -> Result<Process, Failure> {
        let mut group = Group::start(spec)?;
        let (input, output, errors) = group.pipes()?;
        rustix::io::ioctl_fionbio(&input, true).map_err(io::Error::from)?;
        trace!(target: TARGET, "{label} ! process {}: {:?}", group.id(), spec.command);
        Ok(Process {
            exit: group.exit(),
            group,
            input: Some(input),
            output: Pipe::new(output, LONGEST_LINE)?,
            errors: Pipe::new(errors, ERROR_LINE)?,
            read_at: Instant::now(),
            last_words: String::new(),
            label,
            deviations: Deviations::default(),
            strays: |_| None,
        })
    }

    /// Names it in the trace from now on.
    pub fn name(&mut self, label: String) {
        self.label = label;
    }

    /// Has lines that come while nobody waits for one judged from now on.
    pub fn judge_strays(&mut self, strays: Strays) {
        self.strays = strays;
    }

    /// Counts a deviation from the protocol.
    pub fn note(&mut self, met: impl Into<Option<Deviation>>) {
        self.deviations.note(met);
    }

    /// All deviations since this was last asked, with those of lines that nobody waits for.
    pub fn deviations(&mut self) -> Deviations {
        self.forget();
        std::mem::take(&mut self.deviations)
    }

    /// Writes `text`, whole lines, and forgets whatever the engine has said so far, because it
    /// cannot be an answer.
    ///
    /// Returns when the engine's time begins: just before the last bytes are handed over, since the
    /// system may let it run before the referee looks at the time again; or, if its pipe was full
    /// because it does not read, when that was seen.
    ///
    /// # Errors
    /// Any [`Failure`] but `Start`.
    pub fn send(&mut self, text: &str, until: Until) -> Result<Instant, Failure> {
        for line in text.lines() {
            trace!(target: TARGET, "{} > {line}", self.label);
        }
        self.forget();
        let mut rest = text.as_bytes();
        let mut blocked_at = None;
        let mut handed_over = Instant::now();
        while let Some(input) = &self.input {
            handed_over = Instant::now();
            match rustix::io::write(input, rest) {
                Ok(count) if count == rest.len() => break,
                Ok(count) => rest = &rest[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    blocked_at.get_or_insert(handed_over);
                    if self.wait(true, until.left(STOP_INTERVAL)?) {
                        return Err(self.gone("input"));
                    }
                    self.forget();
                }
                Err(_) => return Err(self.gone("input")),
            }
        }
        Ok(blocked_at.unwrap_or(handed_over))
    }

    /// The next line that the engine writes.
    ///
    /// # Errors
    /// Any [`Failure`] but `Start`.
    pub fn receive(&mut self, until: Until) -> Result<Line, Failure> {
        let begun = Instant::now();
        loop {
            if let Some(line) = self.take_line() {
                return Ok(line);
            }
            let left = until.left(STOP_INTERVAL)?;
            let ended = if begun.elapsed() < EAGER {
                std::thread::yield_now();
                false
            } else {
                self.wait(false, left)
            };
            strays::tidy();
            match self.output.fill() {
                Filled::Some => self.read_at = Instant::now(),
                Filled::Nothing if ended => return Err(self.gone("output")),
                Filled::Nothing => {}
                Filled::Full => return Err(Failure::LongLine),
                Filled::End => return Err(self.gone("output")),
            }
        }
    }

    /// The lines that the engine has written and nobody has received, without waiting for more; of
    /// a flood, only the beginning.
    pub fn waiting(&mut self) -> Vec<Line> {
        let mut lines: Vec<Line> = std::iter::from_fn(|| self.take_line()).collect();
        for _ in 0..STALE_BUFFERS {
            if !self.output.open || self.output.fill() != Filled::Some {
                break;
            }
            self.read_at = Instant::now();
            lines.extend(std::iter::from_fn(|| self.take_line()));
        }
        lines
    }

    /// How much the engine has written, as far as it was read.
    pub fn volume(&self) -> Volume {
        Volume {
            output: self.output.lines.count(),
            errors: self.errors.lines.count(),
        }
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Stops the engine's processes, or has them go on.
    pub fn pause(&self, pause: bool) {
        self.group.pause(pause);
    }

    /// Closes the engine's input, gives it until `deadline` to end by itself, and then ends it.
    pub fn end(mut self, deadline: Instant) {
        self.close_input();
        if self.ends_by(deadline).is_none() {
            trace!(target: TARGET, "{} ! does not end and is killed", self.label);
        }
    }

    /// Why a pipe is broken.
    fn gone(&mut self, pipe: &'static str) -> Failure {
        let Some(status) = self.ends_by(Instant::now() + EXIT_GRACE) else {
            return Failure::Closed(pipe);
        };
        self.read_errors(STALE_BUFFERS);
        let words = match self.last_words.as_str() {
            "" => String::new(),
            words => format!("; standard error: {words}"),
        };
        trace!(target: TARGET, "{} ! {status}", self.label);
        Failure::Exit { status, words }
    }

    /// Waits for the process's end, its pipes read so that it is not held up. `None` if it has not
    /// ended by the deadline.
    pub fn ends_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Some(status) = self.group.status() {
                return Some(status);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            self.wait(false, left);
            self.forget();
        }
    }

    /// Waits for the process's end, as [`Process::ends_by`] does.
    ///
    /// # Errors
    /// [`Failure::Late`] and [`Failure::Stopped`].
    pub fn ends(&mut self, until: Until) -> Result<ExitStatus, Failure> {
        loop {
            let slice = Instant::now() + until.left(STOP_INTERVAL)?;
            if let Some(status) = self.ends_by(slice) {
                return Ok(status);
            }
        }
    }

    /// What an engine that writes no more has written after its last line.
    pub fn unfinished(&mut self) -> Option<Line> {
        let text = self.output.lines.unfinished()?;
        Some(self.line(text))
    }

    /// How many processes an engine that has ended has left behind. They have until the deadline to
    /// end, too.
    pub fn leaves(&self, deadline: Instant) -> usize {
        self.group.leaves(deadline)
    }

    fn take_line(&mut self) -> Option<Line> {
        let text = self.output.lines.next()?;
        Some(self.line(text))
    }

    /// A line that has been read.
    fn line(&mut self, Text { text, is_utf8 }: Text) -> Line {
        trace!(target: TARGET, "{} < {text}", self.label);
        self.note((!is_utf8).then_some(Deviation::Encoding));
        Line {
            text,
            at: self.read_at,
        }
    }

    /// Takes note of the lines that have been read, and throws them away.
    fn pass_over(&mut self) {
        while let Some(line) = self.take_line() {
            self.note((self.strays)(&line.text));
        }
    }

    /// Throws away what the engine has written, but for an unfinished line that leaves room for
    /// its end.
    fn forget(&mut self) {
        self.pass_over();
        for _ in 0..STALE_BUFFERS {
            if !self.output.open {
                return;
            }
            match self.output.fill() {
                Filled::Some => self.read_at = Instant::now(),
                // Kept, it would wake every wait at once.
                Filled::Full => self.output.lines.clear(),
                Filled::Nothing | Filled::End => return,
            }
            self.pass_over();
        }
    }

    /// Sleeps until there is something to read, or room to write if asked for, or the process has
    /// ended, or `timeout` has passed. Reads standard error. Returns whether the process has ended,
    /// as far as the system tells.
    fn wait(&mut self, writing: bool, timeout: Duration) -> bool {
        let timeout = match self.exit {
            Some(_) => timeout,
            None => timeout.min(EXIT_INTERVAL),
        };
        let input = self.input.as_ref().filter(|_| writing);
        let streams = [
            self.exit
                .as_ref()
                .map(|exit| PollFd::new(exit, PollFlags::IN)),
            self.errors.poll(),
            self.output.poll(),
            input.map(|input| PollFd::new(input, PollFlags::OUT)),
        ];
        let mut fds: Vec<PollFd> = streams.into_iter().flatten().collect();
        // An interrupted wait is a short one.
        let _ = poll(&mut fds, Timespec::try_from(timeout).ok().as_ref());
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        let ended = self.exit.is_some() && ready.next() == Some(true);
        let errors = self.errors.open && ready.next() == Some(true);
        if errors {
            self.read_errors(1);
        }
        ended
    }

    /// Reads standard error at most `times` times, traces it, and keeps the end of it.
    fn read_errors(&mut self, times: usize) {
        for _ in 0..times {
            let filled = self.errors.fill();
            while let Some(Text { text: line, .. }) = self.errors.lines.next() {
                trace!(target: TARGET, "{} ! {line}", self.label);
                if !self.last_words.is_empty() {
                    self.last_words.push_str(" | ");
                }
                // They are shown on terminals, which obey control characters.
                self.last_words
                    .push_str(&line.replace(char::is_control, "\u{fffd}"));
                let excess = self.last_words.len().saturating_sub(LAST_WORDS);
                let cut = (excess..).find(|&at| self.last_words.is_char_boundary(at));
                self.last_words.drain(..cut.unwrap_or(0));
            }
            match filled {
                Filled::Some => {}
                Filled::Full => self.errors.lines.clear(),
                Filled::Nothing | Filled::End => return,
            }
        }
    }
}

#[cfg(test)]
mod tests;

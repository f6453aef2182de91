//! An engine as a child process: start it, write to it, read from it, end it.
//!
//! Nothing an engine does blocks the referee past a deadline, and memory use per engine is bounded:
//! all pipes are non-blocking, and one `poll` waits for all of them and for the exit of the
//! process.

mod cgroup;
mod child;
mod confine;
mod conversation;
pub mod delay;
mod exchange;
mod extract;
mod group;
pub mod guard;
mod held;
mod hint;
mod lines;
mod meter;
mod program;
#[cfg(target_os = "linux")]
mod sandbox;
mod strays;
pub mod table;
mod watch;

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

use base::plain::in_one_line;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use task::{EngineSpec, Protocol};
use tracing::trace;

use self::conversation::Conversation;
use self::group::Group;
use self::lines::{Filled, Lines, Text};
use crate::deviation::{Deviation, Deviations};
use crate::trace::TARGET;

pub use self::confine::unconfined;
pub use self::delay::CoreTime;
pub use self::exchange::{Delayed, Failure, Line, Until, Volume, Written};
#[cfg(target_os = "linux")]
pub use self::sandbox::needs;

/// What a program needs to start, which only a sandbox has to know.
#[cfg(not(target_os = "linux"))]
pub fn needs(_program: &std::path::Path) -> Vec<PathBuf> {
    Vec::new()
}

/// The longest turn an engine may write, in bytes, including its line end. Of other lines that are longer,
/// only the beginning is read.
pub const LONGEST_LINE: usize = 64 * 1024;

/// The same for Botzone, where a turn and the data that a bot saves are one line.
const LONGEST_WITH_DATA: usize = 2 << 20;

/// How much of a line is dropped before it counts as endless, in bytes.
const ENDLESS: usize = 16 << 20;

/// Buffer size for lines on standard error, in bytes; longer lines are discarded.
const ERROR_LINE: usize = 4 * 1024;

/// How many buffers of [`LONGEST_LINE`] bytes of stale output are discarded before a command is
/// sent: together as large as the largest pipe that an unprivileged Linux process can make.
const STALE_BUFFERS: usize = 16;

/// How long the thread polls for an answer before it sleeps. On idle cores, waking a thread takes
/// longer than many answers; on busy cores, `yield_now` gives the core to others.
const SPIN_TIME: Duration = Duration::from_micros(30);

/// How often a wait checks whether the referee is stopping.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// How often a wait checks whether the process has exited, where the system has no pidfd.
const EXIT_INTERVAL: Duration = Duration::from_millis(5);

/// How long a process that has closed a pipe may take to exit. If it exits in this time, that is a
/// crash and not just a closed pipe. On a busy machine an exit waits for a core, and the game is lost
/// in either case.
const EXIT_GRACE: Duration = Duration::from_secs(2);

/// The same for an engine that the referee has killed, which may have thousands of processes.
const KILL_GRACE: Duration = Duration::from_secs(10);

/// How much of the end of standard error is reported with a crash, in bytes.
const STDERR_TAIL: usize = 300;

/// A running engine. Dropping it kills and reaps all its processes.
pub struct Process {
    group: Group,
    exit: Option<OwnedFd>,
    input: Option<ChildStdin>,
    output: Pipe<ChildStdout>,
    errors: Pipe<ChildStderr>,
    /// When `output` was read last.
    read_at: Instant,
    stderr_tail: String,
    /// Whether its failures quote standard error.
    quotes_errors: bool,
    /// Its name in the trace.
    label: String,
    deviations: Deviations,
    unsolicited: UnsolicitedCheck,
    is_turn: TurnCheck,
    /// The file that was started, if it is known.
    program: Option<PathBuf>,
    conversation: Conversation,
}

/// Returns the protocol deviation, if any, of a line that was not asked for.
pub type UnsolicitedCheck = fn(&str) -> Option<Deviation>;

/// Whether a line that begins so is a turn, or part of one.
pub type TurnCheck = fn(&str) -> bool;

/// A pipe from the engine, with its line buffer.
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

    /// The `poll` request of this pipe, unless the pipe is closed.
    fn poll(&self) -> Option<PollFd<'_>> {
        self.open.then(|| PollFd::new(&self.pipe, PollFlags::IN))
    }
}

impl Process {
    /// Starts an engine in its own session. `label` is its name in the trace.
    ///
    /// On Linux an engine without namespaces of its own is killed when the calling thread ends, so
    /// that thread must outlive it.
    ///
    /// # Errors
    /// [`Failure::Start`].
    pub fn start(spec: &EngineSpec, label: String) -> Result<Process, Failure> {
        let mut group = Group::start(spec).map_err(|error| program::explained(spec, error))?;
        let (input, output, errors) = group.pipes()?;
        rustix::io::ioctl_fionbio(&input, true).map_err(io::Error::from)?;
        trace!(target: TARGET, "{label} ! process {}: {:?}", group.pid(), spec.command);
        Ok(Process {
            exit: group.exit(),
            group,
            input: Some(input),
            output: Pipe::new(output, longest_line(spec.protocol))?,
            errors: Pipe::new(errors, ERROR_LINE)?,
            read_at: Instant::now(),
            stderr_tail: String::new(),
            quotes_errors: true,
            label,
            deviations: Deviations::default(),
            unsolicited: |_| None,
            is_turn: |_| true,
            program: program::file_of(spec),
            conversation: Conversation::new(),
        })
    }

    /// Changes its name in the trace.
    pub fn name(&mut self, label: String) {
        self.label = label;
    }

    /// Leaves standard error out of the engine's failures: who shows [`Process::written`] with them
    /// would show it twice.
    pub fn leave_out_errors(&mut self) {
        self.quotes_errors = false;
    }

    /// Sets the check for lines that arrive when no answer is expected.
    pub fn check_unsolicited(&mut self, check: UnsolicitedCheck) {
        self.unsolicited = check;
    }

    /// Sets the check for lines that are too long: those that are no turns are cut. Without a check none
    /// is.
    pub fn check_turns(&mut self, check: TurnCheck) {
        self.is_turn = check;
    }

    /// Counts a deviation from the protocol.
    pub fn note(&mut self, met: impl Into<Option<Deviation>>) {
        self.deviations.note(met);
    }

    /// Takes all deviations since the last call, including those of unsolicited lines.
    pub fn deviations(&mut self) -> Deviations {
        self.discard_output();
        std::mem::take(&mut self.deviations)
    }

    /// Writes `text`, which consists of whole lines. First discards all output so far, because it
    /// cannot be the answer.
    ///
    /// Returns when the engine's time starts: just before the last bytes are written, because the
    /// system may run the engine before the referee reads the clock again. If the pipe was full
    /// because the engine does not read, it is the time when that was noticed.
    ///
    /// # Errors
    /// Any [`Failure`] but `Start`.
    pub fn send(&mut self, text: &str, until: Until) -> Result<Instant, Failure> {
        let mut handed_over = Instant::now();
        for line in text.lines() {
            trace!(target: TARGET, "{} > {line}", self.label);
            self.conversation.said(handed_over, line);
        }
        self.discard_output();
        let mut unwritten = text.as_bytes();
        let mut blocked_at = None;
        while let Some(input) = &self.input {
            handed_over = Instant::now();
            match rustix::io::write(input, unwritten) {
                Ok(count) if count == unwritten.len() => break,
                Ok(count) => unwritten = &unwritten[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    blocked_at.get_or_insert(handed_over);
                    if self.wait(true, until.left(handed_over, STOP_INTERVAL)?) {
                        return Err(self.pipe_failure("input"));
                    }
                    self.discard_output();
                }
                Err(_) => return Err(self.pipe_failure("input")),
            }
        }
        Ok(blocked_at.unwrap_or(handed_over))
    }

    /// Writes a few words at once, and discards nothing: the answer may have come already. An engine
    /// that does not read does not get them.
    pub(crate) fn interject(&mut self, text: &str) {
        trace!(target: TARGET, "{} > {}", self.label, text.trim_end());
        self.conversation.said(Instant::now(), text.trim_end());
        if let Some(input) = &self.input {
            // Who waits for the answer learns of a broken pipe.
            let _ = rustix::io::write(input, text.as_bytes());
        }
    }

    /// The next line from the engine.
    ///
    /// # Errors
    /// Any [`Failure`] but `Start`.
    pub fn receive(&mut self, until: Until) -> Result<Line, Failure> {
        let begun = Instant::now();
        let mut now = begun;
        loop {
            if let Some(line) = self.take_line() {
                return Ok(line);
            }
            let left = until.left(now, STOP_INTERVAL)?;
            let ended = if now - begun < SPIN_TIME {
                std::thread::yield_now();
                false
            } else {
                self.wait(false, left)
            };
            let filled = self.output.fill();
            now = Instant::now();
            match filled {
                Filled::Some => self.read_at = now,
                Filled::Nothing if ended => return Err(self.pipe_failure("output")),
                Filled::Nothing => {}
                Filled::Full => self.cut_line()?,
                Filled::End => return Err(self.pipe_failure("output")),
            }
        }
    }

    /// All lines that have arrived and were not received yet, without waiting for more. If the
    /// engine floods its output, only the first ones.
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

    /// How much of the engine's output has been read.
    pub fn volume(&self) -> Volume {
        Volume {
            output: self.output.lines.read().count(),
            errors: self.errors.lines.read().count(),
        }
    }

    /// What the engine has written so far: all of it, or the beginning and the end.
    pub fn written(&mut self) -> Written {
        self.discard_output();
        self.read_errors(STALE_BUFFERS);
        Written {
            output: self.output.lines.read().text(),
            errors: self.errors.lines.read().text(),
        }
    }

    /// The last lines in both directions, with the seconds since its start, and the end of what it has
    /// written to standard error: some 30 KiB at most.
    pub fn conversation(&mut self) -> String {
        self.discard_output();
        self.read_errors(STALE_BUFFERS);
        let mut text = self.conversation.text(&self.output.lines.beginning());
        let errors = self.errors.lines.read().text();
        if !errors.is_empty() {
            text += "standard error:\n";
            let lines = errors.lines().map(in_one_line);
            lines.for_each(|line| text += &format!("{line}\n"));
        }
        text
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Stops or continues the engine's processes (SIGSTOP, SIGCONT).
    pub fn pause(&self, pause: bool) {
        self.group.pause(pause);
    }

    /// Lets the engine's processes, which must be stopped, run on these cores; on any if there are none.
    pub fn run_on(&self, cores: &[usize]) {
        self.group.run_on(cores);
    }

    /// The CPU time of all the engine's processes since it was started, also after it has exited. Takes
    /// longer than [`Process::processor_time`]. `None` if it is unknown.
    pub fn total_time(&self) -> Option<Duration> {
        self.group.total_time()
    }

    /// Looks for the engine's processes, for [`Process::processor_time`]. Those that are started later
    /// are found within a tenth of a second.
    pub fn find_processes(&self) {
        self.group.find_processes();
    }

    /// The CPU time of all the engine's processes; only differences have a meaning. `None` if it is
    /// unknown: on systems other than Linux, and before [`Process::find_processes`].
    pub fn processor_time(&self) -> Option<Duration> {
        self.group.processor_time()
    }

    /// Closes the engine's input and waits until `deadline` for it to exit. Dropping it then kills
    /// what still runs.
    pub fn end(&mut self, deadline: Instant) {
        self.close_input();
        if self.ends_by(deadline).is_none() {
            trace!(target: TARGET, "{} ! does not exit and is killed", self.label);
        }
    }

    /// The failure that explains a broken pipe.
    fn pipe_failure(&mut self, pipe: &'static str) -> Failure {
        let excess = self.group.excess();
        let grace = excess.map_or(EXIT_GRACE, |_| KILL_GRACE);
        let Some(status) = self.ends_by(Instant::now() + grace) else {
            return Failure::Closed(pipe);
        };
        self.read_errors(STALE_BUFFERS);
        let tail = self.stderr_tail.as_str();
        let words = if self.quotes_errors && !tail.is_empty() {
            format!("; standard error: {tail}")
        } else {
            String::new()
        };
        let (killed, hint) = match excess {
            Some(excess) => (format!("; {excess}"), String::new()),
            None => (
                String::new(),
                hint::of(status, tail, self.group.confinement()),
            ),
        };
        let hint = match self.unfit_program() {
            Some(fault) => format!("; {fault}"),
            None => hint,
        };
        let words = format!("{killed}{words}{hint}");
        trace!(target: TARGET, "{} ! {status}", self.label);
        Failure::Exit { status, words }
    }

    /// What is wrong with the file of an engine that has said nothing at all.
    fn unfit_program(&self) -> Option<String> {
        let silent = self.volume().output == 0;
        self.program
            .as_deref()
            .filter(|_| silent)
            .and_then(program::fault)
    }

    /// Waits for the process to exit, reading its pipes meanwhile so that it does not block on
    /// them. `None` if it is still running at the deadline.
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
            self.discard_output();
        }
    }

    /// Waits for the process to exit, like [`Process::ends_by`].
    ///
    /// # Errors
    /// [`Failure::Late`] and [`Failure::Stopped`].
    pub fn ends(&mut self, until: Until) -> Result<ExitStatus, Failure> {
        loop {
            let now = Instant::now();
            let slice = now + until.left(now, STOP_INTERVAL)?;
            if let Some(status) = self.ends_by(slice) {
                return Ok(status);
            }
        }
    }

    /// The unfinished line at the end of the output of an engine that has exited or closed it.
    pub fn unfinished(&mut self) -> Option<Line> {
        let text = self.output.lines.unfinished()?;
        Some(self.line(text))
    }

    /// How many processes of an engine that has exited are still running at the deadline.
    pub fn left_running(&self, deadline: Instant) -> usize {
        self.group.left_running(deadline)
    }

    /// How long the engine's processes were ready to run and had no core since they were started.
    /// Processes that have exited do not count.
    pub fn core_delay(&self) -> Duration {
        self.core_time().waited
    }

    /// The same, and how long they had a core.
    pub fn core_time(&self) -> CoreTime {
        self.group.core_time()
    }

    /// Cuts an unfinished line that fills the buffer.
    fn cut_line(&mut self) -> Result<(), Failure> {
        let lines = &mut self.output.lines;
        if (self.is_turn)(&lines.beginning()) {
            return Err(Failure::LongLine(lines.capacity()));
        }
        match lines.cut() {
            dropped if dropped > ENDLESS => Err(Failure::LongLine(ENDLESS)),
            _ => Ok(()),
        }
    }

    fn take_line(&mut self) -> Option<Line> {
        let text = self.output.lines.next()?;
        Some(self.line(text))
    }

    /// Traces a line and counts its encoding fault, if any.
    fn line(&mut self, text: Text) -> Line {
        let Text {
            text,
            is_utf8,
            is_cut,
        } = text;
        trace!(target: TARGET, "{} < {text}", self.label);
        self.conversation.heard(self.read_at, &text);
        self.note((!is_utf8).then_some(Deviation::Encoding));
        self.note(is_cut.then_some(Deviation::LongLine));
        Line {
            text,
            at: self.read_at,
        }
    }

    /// Discards all complete lines after checking each for a deviation.
    fn discard_lines(&mut self) {
        while let Some(line) = self.take_line() {
            self.note((self.unsolicited)(&line.text));
        }
    }

    /// Discards all output except an unfinished line that still fits the buffer.
    fn discard_output(&mut self) {
        self.discard_lines();
        for _ in 0..STALE_BUFFERS {
            if !self.output.open {
                return;
            }
            match self.output.fill() {
                Filled::Some => self.read_at = Instant::now(),
                // A full buffer would make every later wait return at once.
                Filled::Full => self.output.lines.clear(),
                Filled::Nothing | Filled::End => return,
            }
            self.discard_lines();
        }
    }

    /// Sleeps until there is something to read, room to write if `writing`, the process has exited,
    /// or `timeout` has passed. Reads standard error. Returns whether the process is known to have
    /// exited.
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
        // If a signal interrupts `poll`, the wait is just shorter.
        let _ = poll(&mut fds, Timespec::try_from(timeout).ok().as_ref());
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        let ended = self.exit.is_some() && ready.next() == Some(true);
        let errors = self.errors.open && ready.next() == Some(true);
        if errors {
            self.read_errors(1);
        }
        ended
    }

    /// Reads standard error at most `times` times, traces it, and keeps its tail.
    fn read_errors(&mut self, times: usize) {
        for _ in 0..times {
            let filled = self.errors.fill();
            while let Some(Text { text: line, .. }) = self.errors.lines.next() {
                trace!(target: TARGET, "{} ! {line}", self.label);
                if !self.stderr_tail.is_empty() {
                    self.stderr_tail.push_str(" | ");
                }
                // Replace control characters: the text is shown on terminals.
                self.stderr_tail
                    .push_str(&line.replace(char::is_control, "\u{fffd}"));
                let excess = self.stderr_tail.len().saturating_sub(STDERR_TAIL);
                let cut = (excess..).find(|&at| self.stderr_tail.is_char_boundary(at));
                self.stderr_tail.drain(..cut.unwrap_or(0));
            }
            match filled {
                Filled::Some => {}
                Filled::Full => self.errors.lines.clear(),
                Filled::Nothing | Filled::End => return,
            }
        }
    }
}

/// The longest line that is read whole, in bytes.
fn longest_line(protocol: Protocol) -> usize {
    match protocol {
        Protocol::Botzone | Protocol::BotzoneSimple => LONGEST_WITH_DATA,
        _ => LONGEST_LINE,
    }
}

#[cfg(test)]
mod tests;

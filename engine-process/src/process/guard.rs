//! The guard: a process beside the referee. If the referee is killed without a chance to clean up,
//! for example by SIGKILL, the guard kills the remaining processes of engines.
//!
//! The guard leads its own session, so Ctrl-C does not reach it. It reads from a pipe whose other
//! end only the referee holds. The referee writes a line to it when an engine starts or ends.
//!
//! However the referee exits, the pipe closes. Then the guard kills the remaining processes: those
//! in the sessions of engines that have not ended, and those whose environment has the referee's
//! mark. Last, it removes their control groups and its folder, which holds the folders of engines, and
//! exits.
//!
//! An engine's own process does not need the guard, because it is killed with the referee. The
//! processes that it started need the guard. The guard needs `/proc`, so it exists only on Linux.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use super::cgroup;
use super::strays;
use super::table::{self, Entry};

/// How long the guard tries to kill remaining processes, and how long the referee waits for the guard
/// to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the referee waits for the guard to exit.
const GRACE: Duration = Duration::from_secs(1);

/// How often both check whether killed processes have exited.
const INTERVAL: Duration = Duration::from_millis(2);

/// Ends the path of the folder in the guard's answer; no path contains a zero byte.
const TERMINATOR: u8 = 0;

/// A message to the guard, one line each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// An engine has started: the id of its process, which leads its session, and the start time of
    /// that process, as in [`Entry::start`].
    Started(Pid, u64),
    /// An engine and all its processes have ended; its process id may be reused.
    Ended(Pid),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Started(pid, start) => write!(f, "started {pid} {start}"),
            Event::Ended(pid) => write!(f, "ended {pid}"),
        }
    }
}

impl Event {
    /// Parses a line.
    fn parse(line: &str) -> Option<Event> {
        let pid = |number: &str| Pid::from_raw(number.parse().ok().filter(|&number| number > 0)?);
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["started", number, start] => Some(Event::Started(pid(number)?, start.parse().ok()?)),
            ["ended", number] => Some(Event::Ended(pid(number)?)),
            _ => None,
        }
    }
}

/// The pipe to the guard, if one runs.
static PIPE: Mutex<Option<Pipe>> = Mutex::new(None);

/// The referee's end of the pipe.
#[derive(Debug)]
struct Pipe {
    /// The parent folder of the engines' folders.
    folder: PathBuf,
    pipe: ChildStdin,
    /// Bytes that did not fit into the pipe yet.
    unsent: Vec<u8>,
}

impl Pipe {
    /// Writes as much as fits. If the guard is stopped, nobody waits for it; if it has exited, that
    /// only matters when the referee is killed.
    fn flush(&mut self) {
        while !self.unsent.is_empty() {
            match self.pipe.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.unsent.clear(),
            }
        }
    }
}

fn pipe() -> MutexGuard<'static, Option<Pipe>> {
    PIPE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends an event to the guard, if one runs.
pub(super) fn notify(event: Event) {
    if let Some(pipe) = &mut *pipe() {
        pipe.unsent.extend(format!("{event}\n").into_bytes());
        pipe.flush();
    }
}

/// The parent folder for the engines' folders.
pub(super) fn folder() -> PathBuf {
    let guarded = pipe().as_ref().map(|pipe| pipe.folder.clone());
    guarded.unwrap_or_else(std::env::temp_dir)
}

/// The guard process of this referee; it exits when this value is dropped.
#[derive(Debug)]
pub struct Guard {
    /// `None` where the system does not support it.
    child: Option<Child>,
    /// The parent folder of the engines' folders.
    folder: PathBuf,
}

impl Guard {
    /// Starts `program guard MARK FOLDER`, which calls [`run`], and waits until it is ready. Must
    /// be called before any engine is started; only one guard may exist at a time.
    ///
    /// # Errors
    /// The program cannot be started, or does not answer as a guard.
    pub fn start(program: &Path) -> io::Result<Guard> {
        Guard::start_within(program, PATIENCE)
    }

    /// Like [`Guard::start`]; the guard has this long to answer.
    fn start_within(program: &Path, patience: Duration) -> io::Result<Guard> {
        let mut guard = Guard {
            child: None,
            folder: PathBuf::new(),
        };
        if cfg!(not(target_os = "linux")) {
            return Ok(guard);
        }
        let mut child = Command::new(program)
            .arg0("referee")
            .args(["guard", strays::token()])
            .arg(std::path::absolute(std::env::temp_dir())?)
            // So that it does not keep a folder busy.
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        strays::exempt(Some(Pid::from_child(&child)));
        let (input, output) = (child.stdin.take(), child.stdout.take());
        // From here on, dropping `guard` waits for the child.
        guard.child = Some(child);
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        guard.folder = answer(&output, patience)?;
        rustix::io::ioctl_fionbio(&input, true)?;
        *pipe() = Some(Pipe {
            folder: guard.folder.clone(),
            pipe: input,
            unsent: Vec::new(),
        });
        Ok(guard)
    }
}

/// The folder in the guard's answer, which must come within `patience`.
fn answer(output: &ChildStdout, patience: Duration) -> io::Result<PathBuf> {
    let deadline = Instant::now() + patience;
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(output, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        let count = rustix::io::read(output, &mut buffer)?;
        answer.extend(&buffer[..count]);
        if answer.last() == Some(&TERMINATOR) {
            answer.pop();
            return Ok(OsString::from_vec(answer).into());
        }
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        *pipe() = None;
        let Some(child) = &mut self.child else {
            return;
        };
        let deadline = Instant::now() + GRACE;
        while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
            std::thread::sleep(INTERVAL);
        }
        // An engine may have stopped or killed the guard. The referee has already ended its engines
        // itself.
        let _ = child.kill();
        let _ = child.wait();
        strays::exempt(None);
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The main function of the guard process: guards the engines whose marks begin with `token`.
///
/// Creates a folder inside `folder` and writes its path and a zero byte to standard output. When
/// standard input ends, it kills the engines, removes that folder, and returns.
///
/// # Errors
/// It cannot create its session or its folder, or cannot write to standard output.
pub fn run(token: &str, folder: &Path) -> io::Result<()> {
    rustix::process::setsid()?;
    // Removed when dropped.
    let folder = tempfile::Builder::new()
        .prefix("referee-")
        .tempdir_in(folder)?;
    let mut output = io::stdout();
    output.write_all(folder.path().as_os_str().as_bytes())?;
    output.write_all(&[TERMINATOR])?;
    output.flush()?;
    let mut watched = Watched::new(token);
    let (mut input, mut line) = (io::stdin().lock(), String::new());
    while input.read_line(&mut line).is_ok_and(|count| count > 0) {
        // A line without a line end is incomplete.
        if let Some(line) = line.strip_suffix('\n') {
            watched.note(line);
        }
        line.clear();
    }
    watched.end();
    Ok(())
}

/// The engines of a referee.
#[derive(Debug)]
struct Watched {
    /// Prefix of the marks of all its engines.
    token: String,
    /// Processes of engines, which lead sessions, with their start times.
    engines: HashMap<Pid, u64>,
}

impl Watched {
    fn new(token: &str) -> Watched {
        Watched {
            token: token.to_owned(),
            engines: HashMap::new(),
        }
    }

    /// Handles a line from the referee.
    fn note(&mut self, line: &str) {
        match Event::parse(line) {
            Some(Event::Started(pid, start)) => drop(self.engines.insert(pid, start)),
            Some(Event::Ended(pid)) => drop(self.engines.remove(&pid)),
            None => {}
        }
    }

    /// Kills all remaining processes, and removes their control groups.
    fn end(&self) {
        let deadline = Instant::now() + PATIENCE;
        // Two empty scans in a row: a process that was just starting during one scan is found by
        // the next.
        let mut nobody = 0;
        while nobody < 2 && Instant::now() < deadline {
            nobody = if self.kill_all() == 0 { nobody + 1 } else { 0 };
            std::thread::sleep(INTERVAL);
        }
        cgroup::remove_all(&self.token);
    }

    /// Kills all remaining processes; returns how many there were.
    fn kill_all(&self) -> usize {
        let own = rustix::process::getpid();
        let processes = table::all().into_iter();
        processes
            .filter(|&pid| pid != own && self.kill(pid))
            .count()
    }

    /// Kills a process if it is running and comes from an engine of the referee.
    fn kill(&self, pid: Pid) -> bool {
        // The pidfd is opened before the check: process ids are reused, a pidfd is not.
        #[cfg(target_os = "linux")]
        let handle = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty());
        if !self.comes_from_engine(pid) {
            return false;
        }
        #[cfg(target_os = "linux")]
        if let Ok(handle) = handle {
            let _ = rustix::process::pidfd_send_signal(handle, Signal::KILL);
            return true;
        }
        let _ = rustix::process::kill_process(pid, Signal::KILL);
        true
    }

    /// Whether a process is running and comes from an engine of the referee.
    fn comes_from_engine(&self, pid: Pid) -> bool {
        let Some(Entry { ended, session, .. }) = Entry::of(pid) else {
            return false;
        };
        !ended && (session.is_some_and(|session| self.is_of_engine(session)) || self.is_marked(pid))
    }

    /// Whether a session is that of an engine. A process id is not reused while its session has
    /// members. If the leader's start time differs, the old session had no members left and the id
    /// was reused.
    fn is_of_engine(&self, session: Pid) -> bool {
        let leader = || Entry::of(session);
        let start = self.engines.get(&session);
        start.is_some_and(|&start| leader().is_none_or(|leader| leader.start == start))
    }

    fn is_marked(&self, pid: Pid) -> bool {
        strays::mark_of(pid).is_some_and(|mark| {
            let suffix = mark.strip_prefix(&self.token);
            suffix.is_some_and(|suffix| suffix.starts_with('-'))
        })
    }
}

#[cfg(test)]
mod tests;

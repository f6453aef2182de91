//! The guard: a process beside the referee that ends what engines have left if the referee itself
//! is ended in a way that it cannot answer, such as SIGKILL.
//!
//! It leads a session of its own, so that no Ctrl-C reaches it, and reads from a pipe that only the
//! referee has. There it is told of every engine, when it comes and when it goes. However the referee
//! ends, the pipe ends with it. Then the guard kills all processes of the sessions that are left, and
//! all that carry the referee's mark in their environment, removes the folder in which engines have
//! theirs, which it has made, and ends.
//!
//! An engine's own process does not need it: it ends with the referee. What it has started does.
//! Without `/proc`, which is Linux's, there is no guard.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::strays;
use super::table::{self, Entry};

/// How long the guard tries to end what engines have left.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it may take to end while the referee waits for it.
const GRACE: Duration = Duration::from_secs(1);

/// How often either looks whether killed processes have ended.
const INTERVAL: Duration = Duration::from_millis(2);

/// What ends the path of the folder, and no path has in it.
const END: u8 = 0;

/// What the guard is told, a line each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// An engine has started: its process, which leads its session, and when that started, as in
    /// [`Entry::start`].
    Started(Pid, u64),
    /// An engine has ended with all that it had started, and its number may soon be another's.
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
    /// Reads a line.
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

/// The pipe to the guard, while there is one.
static PIPE: Mutex<Option<Pipe>> = Mutex::new(None);

/// The referee's end of the pipe.
#[derive(Debug)]
struct Pipe {
    /// Where the folders of engines lie.
    folder: PathBuf,
    pipe: ChildStdin,
    /// What the pipe had no room for.
    waiting: Vec<u8>,
}

impl Pipe {
    /// Writes as much as there is room for. A guard that is stopped keeps nobody waiting, and one
    /// that is gone is not missed before the referee's own end.
    fn flush(&mut self) {
        while !self.waiting.is_empty() {
            match self.pipe.write(&self.waiting) {
                Ok(count) => drop(self.waiting.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.waiting.clear(),
            }
        }
    }
}

fn pipe() -> MutexGuard<'static, Option<Pipe>> {
    PIPE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the guard, if there is one.
pub(super) fn tell(event: Event) {
    if let Some(pipe) = &mut *pipe() {
        pipe.waiting.extend(format!("{event}\n").into_bytes());
        pipe.flush();
    }
}

/// Where the folders of engines are to lie.
pub(super) fn folder() -> PathBuf {
    let guarded = pipe().as_ref().map(|pipe| pipe.folder.clone());
    guarded.unwrap_or_else(std::env::temp_dir)
}

/// The guard of this process's engines, which ends when this value is dropped.
#[derive(Debug)]
pub struct Guard {
    /// `None` where the system has no means for it.
    child: Option<Child>,
    /// Where the folders of engines lie.
    folder: PathBuf,
}

impl Guard {
    /// Starts `program guard MARK FOLDER`, which calls [`run`], and waits until it is ready. To be
    /// called before any engine is started, and once at a time.
    ///
    /// # Errors
    /// It cannot be started, or is not that program.
    pub fn start(program: &Path) -> io::Result<Guard> {
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
            // It keeps no folder in use.
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        strays::spare(Some(Pid::from_child(&child)));
        let (input, output) = (child.stdin.take(), child.stdout.take());
        // From here on, dropping it waits for its end.
        guard.child = Some(child);
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut answer = Vec::new();
        BufReader::new(output).read_until(END, &mut answer)?;
        if answer.pop() != Some(END) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        guard.folder = OsString::from_vec(answer).into();
        rustix::io::ioctl_fionbio(&input, true)?;
        *pipe() = Some(Pipe {
            folder: guard.folder.clone(),
            pipe: input,
            waiting: Vec::new(),
        });
        Ok(guard)
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
        // An engine may have stopped or ended it. The referee has ended its engines itself.
        let _ = child.kill();
        let _ = child.wait();
        strays::spare(None);
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Guards the engines whose marks begin with `token`, as the process that [`Guard::start`] starts.
///
/// It makes a folder within `folder`, and says on standard output where, with a zero after it. When
/// standard input has ended, it ends the engines, removes that folder, and returns.
///
/// # Errors
/// It can have no session or no folder of its own, or nobody listens.
pub fn run(token: &str, folder: &Path) -> io::Result<()> {
    rustix::process::setsid()?;
    // Removed when dropped.
    let folder = tempfile::Builder::new()
        .prefix("referee-")
        .tempdir_in(folder)?;
    let mut output = io::stdout();
    output.write_all(folder.path().as_os_str().as_bytes())?;
    output.write_all(&[END])?;
    output.flush()?;
    let mut watched = Watched::new(token);
    let (mut input, mut line) = (io::stdin().lock(), String::new());
    while input.read_line(&mut line).is_ok_and(|count| count > 0) {
        // One without an end is a part of a line.
        if let Some(line) = line.strip_suffix('\n') {
            watched.note(line);
        }
        line.clear();
    }
    watched.end();
    Ok(())
}

/// What there is of a referee's engines.
#[derive(Debug)]
struct Watched {
    /// What the marks of all its engines begin with.
    token: String,
    /// The processes of engines, which lead sessions, with their starts.
    engines: HashMap<Pid, u64>,
}

impl Watched {
    fn new(token: &str) -> Watched {
        Watched {
            token: token.to_owned(),
            engines: HashMap::new(),
        }
    }

    /// Takes in a line from the referee.
    fn note(&mut self, line: &str) {
        match Event::parse(line) {
            Some(Event::Started(pid, start)) => drop(self.engines.insert(pid, start)),
            Some(Event::Ended(pid)) => drop(self.engines.remove(&pid)),
            None => {}
        }
    }

    /// Ends all that is left.
    fn end(&self) {
        let deadline = Instant::now() + PATIENCE;
        // What was just being started when it was looked for is found the second time.
        let mut nobody = 0;
        while nobody < 2 && Instant::now() < deadline {
            nobody = if self.kill_all() == 0 { nobody + 1 } else { 0 };
            std::thread::sleep(INTERVAL);
        }
    }

    /// Kills all that run; returns how many there were.
    fn kill_all(&self) -> usize {
        let own = rustix::process::getpid();
        let processes = table::all().into_iter();
        processes
            .filter(|&pid| pid != own && self.kill(pid))
            .count()
    }

    /// Kills a process, if it runs and comes from an engine of the referee.
    fn kill(&self, pid: Pid) -> bool {
        // Taken before it is looked at, so that it cannot become somebody else's.
        #[cfg(target_os = "linux")]
        let handle = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty());
        if !self.is_left(pid) {
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

    /// Whether a process runs and comes from an engine of the referee.
    fn is_left(&self, pid: Pid) -> bool {
        let Some(Entry { ended, session, .. }) = Entry::of(pid) else {
            return false;
        };
        !ended && (session.is_some_and(|session| self.is_of_engine(session)) || self.is_marked(pid))
    }

    /// Whether a session is that of an engine. Its number is nobody else's as long as anybody is in
    /// it; a leader that started at another time shows that nobody was left, and it was given anew.
    fn is_of_engine(&self, session: Pid) -> bool {
        let leader = || Entry::of(session);
        let start = self.engines.get(&session);
        start.is_some_and(|&start| leader().is_none_or(|leader| leader.start == start))
    }

    fn is_marked(&self, pid: Pid) -> bool {
        strays::mark_of(pid).is_some_and(|mark| {
            let rest = mark.strip_prefix(&self.token);
            rest.is_some_and(|rest| rest.starts_with('-'))
        })
    }
}

#[cfg(test)]
mod tests;

//! Stray processes, which have left their engine's process group: how they are found, stopped and
//! killed.
//!
//! Every engine leads its own session; a process can leave it only by creating a new one. The
//! referee is a subreaper: a process whose parent exits becomes a child of the referee, however
//! deep below an engine it was created. So a child of the referee that is not in the referee's own
//! session is an engine or comes from one. Its session tells which engine; if it created its own
//! session, a variable in its environment does. If neither does, it is killed at once: no engine
//! has a reason to hide a process.
//!
//! All this needs Linux. On other systems only the process group is killed.

use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::child::Child;
use super::guard::{self, Event};
use super::table::{self, Entry};
use super::watch;
use crate::cores::anywhere;

/// The environment variable that identifies an engine. Child processes inherit it.
pub(super) const MARK: &str = "REFEREE_ENGINE";

/// How often strays are collected while games are played: each zombie occupies a process id until
/// the referee reaps it.
const TIDY_INTERVAL: Duration = Duration::from_millis(100);

/// How many processes of an engine are looked for.
pub(super) const MOST: usize = 10_000;

/// How often to check whether killed processes have exited.
pub(super) const END_INTERVAL: Duration = Duration::from_millis(1);

/// The running engines. Hold this lock to start an engine or to tell strays from engines.
static ENGINES: Mutex<Engines> = Mutex::new(Engines {
    marks: Vec::new(),
    unknown: Vec::new(),
    exempt: None,
});

#[derive(Debug)]
struct Engines {
    /// The value of [`MARK`] of each engine, by its process id, which is also its session id.
    marks: Vec<(Pid, String)>,
    /// Strays without a known engine at the last scan.
    unknown: Vec<Pid>,
    /// The guard: a child of the referee that is not a stray.
    exempt: Option<Pid>,
}

/// A child of the referee that is not an engine.
#[derive(Debug)]
struct Stray {
    pid: Pid,
    session: Option<Pid>,
    /// Whether it is a zombie, which the referee has to reap.
    ended: bool,
}

/// Starts an engine by its command. `start` must make it the leader of a new session.
pub(super) fn spawn(
    command: &mut Command,
    start: impl FnOnce(&mut Command) -> io::Result<Child>,
) -> io::Result<Child> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{}-{number}", token());
    command.env(MARK, &mark);
    start_to_tidy();
    let mut engines = engines();
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let child = start(command)?;
    let pid = child.pid();
    engines.marks.push((pid, mark));
    if let Some(Entry { start, .. }) = Entry::of(pid) {
        guard::notify(Event::Started(pid, start));
    }
    Ok(child)
}

/// The processes of an engine, its own first, then its children, and so on; when `most` are found,
/// the children of those are not looked for.
pub(super) fn family(engine: Pid, most: usize) -> Vec<Pid> {
    let started = engines().started_by(engine, most);
    [engine].into_iter().chain(started).collect()
}

/// Stops the processes that an engine has started, and returns them.
pub(super) fn stop(engine: Pid) -> Vec<Pid> {
    /// What starts processes faster than they are stopped goes on.
    const ROUNDS: usize = 10;
    let engines = engines();
    let mut stopped = Vec::new();
    for _ in 0..ROUNDS {
        let mut running = engines.started_by(engine, MOST);
        running.retain(|process| !stopped.contains(process));
        if running.is_empty() {
            break;
        }
        signal(&running, Signal::STOP);
        stopped.append(&mut running);
    }
    stopped
}

/// Sends a signal to processes, some of which may have exited.
pub(super) fn signal(processes: &[Pid], signal: Signal) {
    for &process in processes {
        let _ = rustix::process::kill_process(process, signal);
    }
}

/// Prefix of the marks of all engines of this process. It includes the time, so it stays unique
/// when the process id is reused.
pub(super) fn token() -> &'static str {
    static TOKEN: OnceLock<String> = OnceLock::new();
    TOKEN.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        format!(
            "{}-{}",
            std::process::id(),
            now.unwrap_or_default().as_nanos()
        )
    })
}

/// Sets the child of the referee that is not a stray although it has its own session.
pub(super) fn exempt(child: Option<Pid>) {
    engines().exempt = child;
}

/// Kills all processes that an engine has left after its own has exited. Processes that fork faster
/// than they are killed survive the deadline; every later game tries again.
pub(super) fn end(engine: Pid, deadline: Instant) {
    while engines().sweep(Some(engine)) > 0 && Instant::now() < deadline {
        std::thread::sleep(END_INTERVAL);
    }
}

/// Reaps an engine that has exited. After that its process id may be reused.
pub(super) fn reap(child: &Child) {
    let pid = child.pid();
    watch::forget(pid);
    let mut engines = engines();
    // Sent first: after the wait, the process id may be reused.
    guard::notify(Event::Ended(pid));
    child.reap();
    engines.marks.retain(|&(engine, _)| engine != pid);
}

/// Reaps zombies and kills strays that belong to no running engine, again and again while engines
/// run. On a thread of its own: a scan takes longer than many turns, and must not stand between an
/// engine's answer and its time stamp.
fn tidy() {
    anywhere();
    loop {
        std::thread::sleep(TIDY_INTERVAL);
        let mut engines = engines();
        if !engines.marks.is_empty() {
            engines.sweep(None);
        }
    }
}

/// Starts the thread that tidies up, if it does not run yet.
fn start_to_tidy() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // Without the thread, strays are collected when their engine ends.
        let thread = std::thread::Builder::new().name("tidy".to_owned());
        let _ = thread.spawn(tidy);
    });
}

/// Nobody scans for strays while this lock is held: for tests that start their own children.
#[cfg(test)]
pub(super) fn without_sweeps() -> impl Sized {
    engines()
}

/// A process, its children, and so on: for tests that start their own.
#[cfg(all(test, target_os = "linux"))]
pub(super) fn descendants(process: Pid) -> Vec<Pid> {
    let mut found = vec![process];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(children_of(parent));
        next += 1;
    }
    found
}

fn engines() -> MutexGuard<'static, Engines> {
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engines {
    /// Kills the strays of `engine` and those without an engine, and reaps those that have exited.
    /// Returns how many were found.
    fn sweep(&mut self, engine: Option<Pid>) -> usize {
        let mut unknown = Vec::new();
        let mut found = 0;
        for child in children() {
            let Some(stray) = self.stray(child) else {
                continue;
            };
            let owner = self.owner(&stray);
            if owner.is_some() && owner != engine && !stray.ended {
                continue;
            }
            found += 1;
            // During `exec` a process has no environment for a moment, so an unknown stray is
            // killed only at the second scan.
            if owner.is_some() || stray.ended || self.unknown.contains(&child) {
                stray.end();
            } else {
                unknown.push(child);
            }
        }
        self.unknown = unknown;
        found
    }

    /// The strays of an engine that run.
    fn strays_of(&self, engine: Pid) -> Vec<Pid> {
        let strays = adopted().into_iter().filter_map(|child| self.stray(child));
        let belongs = |stray: &Stray| !stray.ended && self.owner(stray) == Some(engine);
        strays.filter(belongs).map(|stray| stray.pid).collect()
    }

    /// The processes that an engine and its strays have started. When `most` are found, their
    /// children are not looked for: some start others faster than they can be listed.
    fn started_by(&self, engine: Pid, most: usize) -> Vec<Pid> {
        let mut started = children_of(engine);
        started.extend(self.strays_of(engine));
        let mut next = 0;
        while let Some(&parent) = started.get(next).filter(|_| started.len() < most) {
            started.extend(children_of(parent));
            next += 1;
        }
        started
    }

    /// The child as a stray, unless it is an engine or the guard.
    fn stray(&self, child: Pid) -> Option<Stray> {
        let engine = self.marks.iter().any(|&(engine, _)| engine == child);
        let known = engine || self.exempt == Some(child);
        if known { None } else { Stray::of(child) }
    }

    /// The running engine that a stray comes from.
    fn owner(&self, stray: &Stray) -> Option<Pid> {
        let find = |is: &dyn Fn(&(Pid, String)) -> bool| {
            let found = self.marks.iter().find(|engine| is(engine));
            found.map(|&(engine, _)| engine)
        };
        find(&|(engine, _)| stray.session == Some(*engine)).or_else(|| {
            let mark = mark_of(stray.pid)?;
            find(&|(_, known)| *known == mark)
        })
    }
}

impl Stray {
    /// A child of the referee, unless it is in the referee's own session. A session that began
    /// outside the container has no id here, so `getsid` cannot be used.
    fn of(pid: Pid) -> Option<Stray> {
        let own = Entry::of(rustix::process::getpid())?;
        let Entry { ended, session, .. } = Entry::of(pid)?;
        (session != own.session).then_some(Stray {
            pid,
            session,
            ended,
        })
    }

    /// Its process id cannot have been reused: it is a child, and only this code reaps it.
    fn end(&self) {
        let _ = rustix::process::kill_process(self.pid, Signal::KILL);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        let _ = rustix::process::waitid(WaitId::Pid(self.pid), options);
    }
}

/// The children of this process.
fn children() -> Vec<Pid> {
    children_of(rustix::process::getpid())
}

/// The children of a process. The kernel lists them per parent thread.
fn children_of(process: Pid) -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    let threads = threads.flatten();
    threads.flat_map(|thread| listed(&thread.path())).collect()
}

/// The children of this process whose parents have exited: a subreaper's main thread becomes their
/// parent. One list instead of one for each thread of the referee.
fn adopted() -> Vec<Pid> {
    let main = rustix::process::getpid();
    listed(Path::new(&format!("/proc/{main}/task/{main}")))
}

/// The children of a thread, by its folder in `/proc`.
fn listed(thread: &Path) -> Vec<Pid> {
    let list = std::fs::read_to_string(thread.join("children")).unwrap_or_default();
    let numbers = list.split_whitespace();
    let pids = numbers.filter_map(|number| Pid::from_raw(number.parse().ok()?));
    pids.collect()
}

/// The value of [`MARK`] in a process's environment.
pub(super) fn mark_of(pid: Pid) -> Option<String> {
    table::variable(pid, MARK)
}

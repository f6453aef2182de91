//! Processes that leave their engine's process group, and how they are ended all the same.
//!
//! Every engine leads a session of its own, out of which a process finds only into a new one. And
//! the referee is a subreaper: a process whose parent ends becomes a child of the referee, however
//! far below an engine it was born. So a child of the referee in another session than the
//! referee's own is an engine, or comes from one. Whose it is, its session tells, or, if it made
//! one, a variable in its environment. Where neither tells, it is killed at once: no engine has a
//! reason to hide it.
//!
//! What this rests on is Linux's. Elsewhere only the process group is ended.

use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::guard::{self, Event};
use super::table::{self, Entry};

/// The variable that names an engine to the referee. Processes hand it down to their children.
pub(super) const MARK: &str = "REFEREE_ENGINE";

/// How often strays are looked for while games are played: ended ones take a number each until the
/// referee has seen them.
const TIDY_INTERVAL: Duration = Duration::from_millis(100);

/// How often to look whether killed processes have ended.
pub(super) const END_INTERVAL: Duration = Duration::from_millis(1);

/// The engines that run: whoever holds it starts one, or tells strays from engines.
static ENGINES: Mutex<Engines> = Mutex::new(Engines {
    marks: Vec::new(),
    unknown: Vec::new(),
    tidied: None,
    spared: None,
});

#[derive(Debug)]
struct Engines {
    /// The value of [`MARK`] of each engine, by its process, which leads its session.
    marks: Vec<(Pid, String)>,
    /// Strays that seemed to belong to nobody when they were last looked for.
    unknown: Vec<Pid>,
    /// When strays were last looked for.
    tidied: Option<Instant>,
    /// A child of the referee that is no stray: its guard.
    spared: Option<Pid>,
}

/// A child of the referee that is no engine.
#[derive(Debug)]
struct Stray {
    pid: Pid,
    session: Option<Pid>,
    /// Whether it has ended and waits for the referee to see it.
    ended: bool,
}

/// Starts an engine. The command must make it the leader of a new session.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{}-{number}", token());
    command.env(MARK, &mark);
    let mut engines = engines();
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let child = command.spawn()?;
    let pid = Pid::from_child(&child);
    engines.marks.push((pid, mark));
    if let Some(Entry { start, .. }) = Entry::of(pid) {
        guard::tell(Event::Started(pid, start));
    }
    Ok(child)
}

/// How many processes of an engine, whose own has ended, go on. One whose parent goes on is not
/// counted before that has ended.
pub(super) fn count(engine: Pid) -> usize {
    let engines = engines();
    let children = children().into_iter();
    let strays = children.filter_map(|child| engines.stray(child));
    let theirs = |stray: &Stray| !stray.ended && engines.owner(stray) == Some(engine);
    strays.filter(theirs).count()
}

/// What the marks of all engines of this process begin with, and of no other process's, whatever
/// its number.
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

/// Says which child of the referee in a session of its own is no stray.
pub(super) fn spare(child: Option<Pid>) {
    engines().spared = child;
}

/// Ends all that an engine, whose own process has ended, has left behind. What runs away faster
/// than it is killed lives on after the deadline, and is looked for again with every game.
pub(super) fn end(engine: Pid, deadline: Instant) {
    while engines().sweep(Some(engine)) > 0 && Instant::now() < deadline {
        std::thread::sleep(END_INTERVAL);
    }
}

/// Reaps an engine that has ended. Its number is then free for others.
pub(super) fn reap(child: &mut Child) {
    let mut engines = engines();
    let pid = Pid::from_child(child);
    // Told before: from the end of the wait on, the number may be another's.
    guard::tell(Event::Ended(pid));
    let _ = child.wait();
    engines.marks.retain(|&(engine, _)| engine != pid);
}

/// Reaps what has ended and kills what belongs to no running engine, if the last time was a while
/// ago. Waits for nobody.
pub(super) fn tidy() {
    if let Ok(mut engines) = ENGINES.try_lock()
        && engines
            .tidied
            .is_none_or(|last| last.elapsed() >= TIDY_INTERVAL)
    {
        engines.sweep(None);
    }
}

/// Nobody looks for strays while this is held: for tests that have children of their own.
#[cfg(test)]
pub(super) fn undisturbed() -> impl Sized {
    engines()
}

fn engines() -> MutexGuard<'static, Engines> {
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engines {
    /// Kills, and reaps as far as they have ended, the strays of an engine and those of nobody.
    /// Returns how many were found.
    fn sweep(&mut self, engine: Option<Pid>) -> usize {
        self.tidied = Some(Instant::now());
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
            // A process that is just being replaced by another program has no environment for a
            // moment, so that one look is not enough.
            if owner.is_some() || stray.ended || self.unknown.contains(&child) {
                stray.end();
            } else {
                unknown.push(child);
            }
        }
        self.unknown = unknown;
        found
    }

    /// A child as a stray, if it is one.
    fn stray(&self, child: Pid) -> Option<Stray> {
        let engine = self.marks.iter().any(|&(engine, _)| engine == child);
        let known = engine || self.spared == Some(child);
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
    /// A child of the referee, unless it belongs to the referee's own session. That one has no
    /// number where it began outside of the container, so that it is not asked for by `getsid`.
    fn of(pid: Pid) -> Option<Stray> {
        let own = Entry::of(rustix::process::getpid())?;
        let Entry { ended, session, .. } = Entry::of(pid)?;
        (session != own.session).then_some(Stray {
            pid,
            session,
            ended,
        })
    }

    /// Its number cannot be another's by now: it is a child, and nobody else reaps it.
    fn end(&self) {
        let _ = rustix::process::kill_process(self.pid, Signal::KILL);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        let _ = rustix::process::waitid(WaitId::Pid(self.pid), options);
    }
}

/// The children of this process. The kernel lists them by the thread that has them.
fn children() -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let lists = threads.filter_map(|thread| {
        let list = thread.ok()?.path().join("children");
        std::fs::read_to_string(list).ok()
    });
    let parse = |list: String| {
        let numbers = list.split_whitespace();
        let pids = numbers.filter_map(|number| Pid::from_raw(number.parse().ok()?));
        pids.collect::<Vec<_>>()
    };
    lists.flat_map(parse).collect()
}

/// The value of [`MARK`] in a process's environment.
pub(super) fn mark_of(pid: Pid) -> Option<String> {
    table::variable(pid, MARK)
}

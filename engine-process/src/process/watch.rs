//! What an engine uses in all its processes together. Without control groups the kernel limits single
//! processes only; engines that use too much in total are killed by the referee.
//!
//! A thread looks every tenth of a second. It kills an engine that has too many processes at once,
//! and one that uses too much memory or disk at the second look: a process that has just been copied
//! from another seems to use all that the other does.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use task::Confinement;

use super::cgroup::Cgroup;
use super::held;
use super::meter::Meter;
use super::strays;
use super::table::Entry;
use crate::cores::anywhere;

/// How often the thread looks.
const INTERVAL: Duration = Duration::from_millis(100);

/// With many engines it looks less often: it sleeps this many times as long as it has looked.
const MOST_BUSY: u32 = 19;

/// But no longer than this, so that no engine is found out more than 0.2 s late: while the kernel
/// counts the memory of one, a look takes tens of ms.
const LONGEST_SLEEP: Duration = Duration::from_millis(150);

/// How many files of a temporary folder are counted.
const MOST_FILES: usize = 100_000;

/// The running engines. Hold this lock to reap one.
static ENGINES: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

/// An engine and what it may use.
#[derive(Debug)]
pub(super) struct Watched {
    /// The process that leads its session.
    pub(super) pid: Pid,
    /// How many processes, from the first, are copies of the referee and not the engine's.
    pub(super) attendants: usize,
    /// Its limits.
    pub(super) confinement: Confinement,
    /// Its control groups.
    pub(super) cgroup: Arc<Cgroup>,
    /// The folder that it may fill, unless the system limits the size of that.
    pub(super) folder: Option<PathBuf>,
    /// Its CPU time.
    pub(super) meter: Arc<Meter>,
    /// What it used too much of when the thread looked last.
    pub(super) over: Option<Excess>,
    /// Whether it was killed for that.
    pub(super) killed: bool,
}

/// More than an engine may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Excess {
    /// What the referee has seen.
    Seen {
        what: &'static str,
        used: u64,
        limit: u64,
        key: &'static str,
    },
    /// What the kernel has refused: more than so much memory, MiB, besides files in memory.
    Memory(u64),
}

impl Excess {
    /// What the kernel has refused to the control groups of an engine.
    pub(super) fn of_memory(groups: &Cgroup, limits: &Confinement) -> Option<Excess> {
        (groups.used_too_much_memory()).then_some(Excess::Memory(limits.memory_mb))
    }

    /// Whether one look is enough.
    fn is_certain(self) -> bool {
        match self {
            Excess::Seen { key, .. } => key == PROCESSES,
            Excess::Memory(_) => true,
        }
    }
}

/// The key of a league file that limits the number of processes.
const PROCESSES: &str = "processes";

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Excess::Seen {
                what,
                used,
                limit,
                key,
            } => write!(
                f,
                "killed by the referee: {used} {what}, allowed {limit} ({key})"
            ),
            Excess::Memory(limit) => write!(
                f,
                "killed by the kernel: more than {limit} MiB of memory (memory_mb)"
            ),
        }
    }
}

/// What an engine uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Usage {
    /// Pages that are mapped, shared ones counted in each process, bytes.
    mapped: u64,
    threads: u64,
}

/// Watches an engine until [`forget`].
pub(super) fn add(engine: Watched) {
    engines().push(engine);
    start();
}

/// Starts the thread, if it does not run yet. Returns whether it runs before all engines.
///
/// The kernel lets only root do that, and does not limit the number of root's processes: they could
/// keep the thread from running for seconds.
pub(super) fn start() -> bool {
    static FIRST: OnceLock<bool> = OnceLock::new();
    *FIRST.get_or_init(|| {
        let (tell, told) = mpsc::channel();
        let thread = std::thread::Builder::new().name("watch".to_owned());
        let _ = thread.spawn(move || {
            anywhere();
            let _ = tell.send(go_first());
            look()
        });
        told.recv().unwrap_or(false)
    })
}

/// Why an engine was killed, if it was.
pub(super) fn verdict(pid: Pid) -> Option<Excess> {
    let engines = engines();
    let engine = engines.iter().find(|engine| engine.pid == pid)?;
    engine.over.filter(|_| engine.killed)
}

/// Ends the watch, before an engine is reaped.
pub(super) fn forget(pid: Pid) {
    engines().retain(|engine| engine.pid != pid);
}

fn engines() -> MutexGuard<'static, Vec<Watched>> {
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread does.
fn look() -> ! {
    loop {
        let begun = processor_time();
        let running: Vec<Pid> = engines().iter().map(|engine| engine.pid).collect();
        for pid in running {
            // One at a time, so that others can be added meanwhile.
            let mut engines = engines();
            if let Some(engine) = engines.iter_mut().find(|engine| engine.pid == pid) {
                engine.inspect();
            }
        }
        let took = processor_time().saturating_sub(begun);
        std::thread::sleep(INTERVAL.max(took * MOST_BUSY).min(LONGEST_SLEEP));
    }
}

/// What this thread has used of a core.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Lets this thread run before all engines; whether the system allows it.
fn go_first() -> bool {
    #[cfg(target_os = "linux")]
    // SAFETY: the call reads the parameter only; 0 is the calling thread.
    unsafe {
        let parameter = libc::sched_param { sched_priority: 1 };
        libc::sched_setscheduler(0, libc::SCHED_RR, &raw const parameter) == 0
    }
    #[cfg(not(target_os = "linux"))]
    false
}

impl Watched {
    /// Kills it if it uses too much.
    fn inspect(&mut self) {
        if self.killed {
            return;
        }
        let before = self.over;
        let processes = self.processes();
        self.over = self.excess(&processes);
        let certain = |excess: Excess| before.is_some() || excess.is_certain();
        if self.over.is_some_and(certain) {
            self.killed = true;
            let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
            strays::signal(&processes, Signal::KILL);
        }
        // Not before it is killed, and not for thousands of processes.
        if self.over.is_none() {
            let own = processes.get(self.attendants..);
            self.meter.note(own.unwrap_or_default());
        }
    }

    /// Its processes and their attendants, as far as they are needed to tell that it has too many.
    fn processes(&self) -> Vec<Pid> {
        let limit = usize::try_from(self.confinement.processes).unwrap_or(usize::MAX);
        strays::family(
            self.pid,
            limit.saturating_add(self.attendants).min(strays::MOST),
        )
    }

    /// What the engine uses too much of.
    fn excess(&self, processes: &[Pid]) -> Option<Excess> {
        let own = processes.get(self.attendants..).unwrap_or_default();
        let usages = own.iter().filter_map(|&process| Usage::of(process));
        let usage = usages.fold(Usage::default(), Usage::add);
        let limits = &self.confinement;
        let memory = || {
            let held = held::bytes(own);
            if usage.mapped + held > mib(limits.memory_mb) {
                // Only now, because it takes the kernel a while to count.
                memory(own, held)
            } else {
                0
            }
        };
        let bytes = || self.folder.as_deref().map_or(0, size);
        let threads = over(
            "processes and threads",
            usage.threads,
            limits.processes,
            PROCESSES,
        );
        Excess::of_memory(&self.cgroup, limits)
            .or(threads)
            .or_else(|| self.over_memory(memory()))
            .or_else(|| over("MiB in files", bytes() >> 20, limits.file_mb, "file_mb"))
    }

    fn over_memory(&self, bytes: u64) -> Option<Excess> {
        over(
            "MiB of memory",
            bytes >> 20,
            self.confinement.memory_mb,
            "memory_mb",
        )
    }
}

fn over(what: &'static str, used: u64, limit: u64, key: &'static str) -> Option<Excess> {
    (used > limit).then_some(Excess::Seen {
        what,
        used,
        limit,
        key,
    })
}

fn mib(number: u64) -> u64 {
    number << 20
}

impl Usage {
    fn of(process: Pid) -> Option<Usage> {
        let Entry {
            threads,
            pages,
            ended,
            ..
        } = Entry::of(process)?;
        let mapped = pages * rustix::param::page_size() as u64;
        (!ended).then_some(Usage { mapped, threads })
    }

    fn add(self, other: Usage) -> Usage {
        Usage {
            mapped: self.mapped + other.mapped,
            threads: self.threads + other.threads,
        }
    }
}

/// The memory of processes that have so many bytes in open files in memory, bytes. What of these is
/// mapped, too, counts once.
fn memory(processes: &[Pid], held: u64) -> u64 {
    let mapped = processes.iter().filter_map(|&process| mapped(process));
    let [all, shared] = mapped.fold([0; 2], |[all, shared], [one, of_it]| {
        [all + one, shared + of_it]
    });
    all.max(all.saturating_sub(shared) + held)
}

/// What a process has mapped, its share of what it shares with others, and what was swapped out; and
/// what of it is files in memory; bytes.
fn mapped(process: Pid) -> Option<[u64; 2]> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let kib = |line: &str| line.split_whitespace().nth(1)?.parse::<u64>().ok();
    let sum = |names: &[&str]| {
        let is_counted = |line: &&str| names.iter().any(|name| line.starts_with(name));
        text.lines().filter(is_counted).filter_map(kib).sum::<u64>() << 10
    };
    Some([sum(&["Pss:", "SwapPss:"]), sum(&["Pss_Shmem:"])])
}

/// The size of all files in a folder, bytes on disk.
fn size(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let (mut folders, mut bytes, mut files) = (vec![folder.to_owned()], 0, 0);
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            files += 1;
            if files > MOST_FILES {
                return bytes;
            }
            let Ok(found) = file.metadata() else { continue };
            bytes += found.blocks() * 512;
            if found.is_dir() {
                folders.push(file.path());
            }
        }
    }
    bytes
}

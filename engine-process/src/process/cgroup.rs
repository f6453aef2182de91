//! Control groups: what the kernel limits for all processes of an engine together.
//!
//! Every engine has a group of its own where the system lets the referee make groups: under its own
//! group, or under the nearest one above that hands on the limits of memory and processes. The
//! first process of the engine enters the group before anything else, so all others start in it.
//!
//! Version 2 has one tree of groups, version 1 one for every resource; a system may have both, and
//! then an engine has several groups. Each group is a folder whose files are its settings. A file
//! that a group lacks belongs to the other version, or to a resource that is not handed on.

mod dead;
mod trees;

use std::ffi::CString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal};
use task::Confinement;

use self::trees::candidates;
use super::strays;

/// Lists the processes of a group; who writes 0 to it enters the group.
const PROCESSES: &str = "cgroup.procs";

/// Suspends all processes of a group. Version 2 only.
const FREEZE: &str = "cgroup.freeze";

/// Kills all processes of a group. Version 2 only, since Linux 5.14.
const KILL: &str = "cgroup.kill";

/// What limits memory, by version: version 2, and 1.
const MEMORY: [&str; 2] = ["memory.max", "memory.limit_in_bytes"];

/// What counts the processes that the kernel has killed for want of memory, by version.
const MEMORY_EVENTS: [&str; 2] = ["memory.events", "memory.oom_control"];

/// Memory that the kernel uses for an engine's processes, not counted by the referee's own watch: so
/// many bytes, and so much of the limit.
const KERNEL: (u64, u64) = (16 << 20, 16);

/// How long the processes of a group may take to end after they were killed.
const GRACE: Duration = Duration::from_secs(1);

/// The groups of one engine. When the value is dropped, their processes are killed.
#[derive(Debug)]
pub(super) struct Cgroup {
    folders: Vec<PathBuf>,
    /// Where all processes can be suspended.
    freezer: Option<PathBuf>,
    /// Where the kernel counts those that it has killed for want of memory.
    memory_events: Option<PathBuf>,
}

/// What the processes of an engine may use together.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Bytes.
    memory: u64,
    /// Processes and threads.
    processes: u64,
}

impl Limits {
    /// The limits of an engine that has so many folders in memory, and so many attendants.
    fn of(confinement: &Confinement, folders: usize, attendants: usize) -> Limits {
        let memory = confinement.memory_mb << 20;
        let files = folders as u64 * (confinement.file_mb << 20);
        Limits {
            memory: KERNEL.0 + memory + memory / KERNEL.1 + files,
            // One more than allowed, so that the referee sees who wants more, and kills it.
            processes: attendants as u64 + confinement.processes + 1,
        }
    }

    /// What is written to which file, if the group has it.
    fn settings(self) -> [(&'static str, u64); 6] {
        let Limits { memory, processes } = self;
        [
            (MEMORY[0], memory),
            // Who may swap is slow instead of killed.
            ("memory.swap.max", 0),
            ("memory.oom.group", 1),
            (MEMORY[1], memory),
            // Of memory and swap; it may not be below the other.
            ("memory.memsw.limit_in_bytes", memory),
            ("pids.max", processes),
        ]
    }
}

impl Cgroup {
    /// New groups for an engine that has so many folders in memory, and so many attendants; none
    /// where the system allows none.
    ///
    /// # Errors
    /// A group cannot be made although others could.
    pub(super) fn new(
        confinement: &Confinement,
        folders: usize,
        attendants: usize,
    ) -> io::Result<Cgroup> {
        Cgroup::within(parents(), Limits::of(confinement, folders, attendants))
    }

    fn within(parents: &[PathBuf], limits: Limits) -> io::Result<Cgroup> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut group = Cgroup {
            folders: Vec::new(),
            freezer: None,
            memory_events: None,
        };
        for parent in parents {
            let folder = parent.join(format!("{}{number}", prefix(strays::token())));
            fs::create_dir(&folder)?;
            group.folders.push(folder.clone());
            for (file, value) in limits.settings() {
                write(&folder.join(file), &value.to_string())?;
            }
        }
        // Looked for once: the watch asks for the events again and again.
        group.freezer = group.file(&[FREEZE]);
        group.memory_events = group.file(&MEMORY_EVENTS);
        Ok(group)
    }

    /// The files by which a process [enters](enter).
    pub(super) fn entrances(&self) -> io::Result<Vec<CString>> {
        let entrance =
            |folder: &PathBuf| CString::new(folder.join(PROCESSES).as_os_str().as_bytes());
        let entrances: Result<Vec<CString>, _> = self.folders.iter().map(entrance).collect();
        Ok(entrances?)
    }

    /// The first file with one of these names.
    fn file(&self, names: &[&str]) -> Option<PathBuf> {
        let mut files = (self.folders.iter())
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        files.find(|file| file.exists())
    }

    /// Suspends all processes, or lets them go on; whether the system can.
    pub(super) fn freeze(&self, freeze: bool) -> bool {
        let value = if freeze { "1" } else { "0" };
        (self.freezer.as_ref()).is_some_and(|file| write(file, value).unwrap_or(false))
    }

    /// Whether the kernel has killed a process because the group used too much memory.
    pub(super) fn used_too_much_memory(&self) -> bool {
        let events = self.memory_events.as_ref().map(fs::read_to_string);
        events.is_some_and(|events| events.is_ok_and(|events| kills(&events) > 0))
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        self.folders.iter().for_each(|folder| remove(folder));
    }
}

/// Lets the calling process enter groups. Only makes system calls.
pub(super) fn enter(entrances: &[CString]) -> rustix::io::Result<()> {
    entrances.iter().try_for_each(|entrance| {
        let file = rustix::fs::open(entrance, OFlags::WRONLY, Mode::empty())?;
        rustix::io::write(&file, b"0").map(drop)
    })
}

/// Removes what a referee that was killed has left, with all processes: the groups whose engines have
/// marks that begin with `token`.
pub(super) fn remove_all(token: &str) {
    for parent in candidates() {
        for group in fs::read_dir(parent).into_iter().flatten().flatten() {
            let name = group.file_name();
            if name.as_bytes().starts_with(prefix(token).as_bytes()) {
                remove(&group.path());
            }
        }
    }
}

/// Whether the kernel limits the memory of engines.
pub(super) fn limits_memory() -> bool {
    let limits = |parent: &PathBuf| trees::hands_on(parent) || parent.join(MEMORY[1]).exists();
    parents().iter().any(limits)
}

/// How the names of all groups begin that a referee makes.
fn prefix(token: &str) -> String {
    format!("referee-{token}-")
}

/// Writes to a file of a group; `false` if the group does not have it.
fn write(file: &Path, value: &str) -> io::Result<bool> {
    let written = (fs::OpenOptions::new().write(true).open(file))
        .and_then(|mut file| file.write_all(value.as_bytes()));
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// How many processes were killed, by a file of [`MEMORY_EVENTS`].
fn kills(events: &str) -> u64 {
    let mut lines = events.lines();
    let number = lines.find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok());
    number.unwrap_or(0)
}

/// Kills all processes of a group, and removes it.
fn remove(folder: &Path) {
    let deadline = Instant::now() + GRACE;
    while let Err(error) = fs::remove_dir(folder) {
        if error.kind() == io::ErrorKind::NotFound || Instant::now() > deadline {
            return;
        }
        if !write(&folder.join(KILL), "1").unwrap_or(false) {
            let listed = fs::read_to_string(folder.join(PROCESSES)).unwrap_or_default();
            let numbers = listed.lines().filter_map(|line| line.parse().ok());
            let processes: Vec<Pid> = numbers.filter_map(Pid::from_raw).collect();
            strays::signal(&processes, Signal::KILL);
        }
        std::thread::sleep(strays::END_INTERVAL);
    }
}

/// The groups under which an engine's are made; tried once.
fn parents() -> &'static [PathBuf] {
    static PARENTS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PARENTS.get_or_init(|| {
        let mut parents = candidates();
        parents.iter().for_each(|parent| dead::remove(parent));
        parents.retain(serves);
        parents
    })
}

/// Whether a process can enter a new group under this one.
fn serves(parent: &PathBuf) -> bool {
    let limits = Limits::of(&Confinement::default(), 0, 0);
    let entered = || -> io::Result<bool> {
        let group = Cgroup::within(std::slice::from_ref(parent), limits)?;
        let entrances = group.entrances()?;
        #[cfg(target_os = "linux")]
        return Ok(super::sandbox::in_copy(|| enter(&entrances).is_ok())?);
        #[cfg(not(target_os = "linux"))]
        Ok(enter(&entrances).is_ok())
    };
    entered().unwrap_or(false)
}

#[cfg(test)]
mod tests;

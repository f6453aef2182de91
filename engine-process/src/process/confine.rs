//! The confinement of engines: working folder, environment, resource limits.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit};
use serde::{Deserialize, Serialize};
use task::{Confinement, EngineSpec};
use tempfile::TempDir;

use super::cgroup::{self, Cgroup};
use super::guard;
#[cfg(target_os = "linux")]
use super::sandbox::{self, Sandbox};
use super::table::{self, Entry};
use super::watch;

/// Variables that engines inherit from the referee.
const SHARED: [&str; 2] = ["PATH", "LANG"];

/// Variables set to the engine's own folder.
const OWN: [&str; 2] = ["HOME", "TMPDIR"];

/// How readily the kernel kills a process when memory runs out, from -1000 to 1000.
#[cfg(target_os = "linux")]
const OOM_SCORE: &std::ffi::CStr = c"/proc/self/oom_score_adj";

/// What of an engine cannot be confined on this system, one line each.
pub fn unconfined(spec: &EngineSpec) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut lacks = |lacking: bool, line: &str| lines.extend(lacking.then(|| line.to_owned()));
    lacks(
        cfg!(not(target_os = "linux")),
        "new privileges, exit with the referee: only Linux can confine these",
    );
    lacks(
        !Path::new("/proc/thread-self/children").exists(),
        "leaving the process group: the kernel does not list the children of a process",
    );
    #[cfg(target_os = "linux")]
    lacks(
        rustix::fs::access(OOM_SCORE, rustix::fs::Access::WRITE_OK).is_err(),
        "choice of a victim when memory runs out: no access to /proc/self/oom_score_adj",
    );
    lacks(
        rustix::process::geteuid().is_root() && !watch::start(),
        "number of processes: the kernel does not limit root's, and the referee, which does, \
         cannot run before them",
    );
    lacks(
        !cgroup::limits_memory(),
        "memory in pipes and sockets: the referee may not make control groups",
    );
    lacks(
        !spec.confinement.sandbox,
        "files, signals, network: sandbox = \"none\"",
    );
    if spec.confinement.sandbox {
        #[cfg(target_os = "linux")]
        lines.extend(sandbox::lacking(spec));
        #[cfg(not(target_os = "linux"))]
        lines.push("files, signals, network: only Linux has the sandbox".to_owned());
    }
    lines
}

/// The engine's own folder, as the engine sees it.
pub(super) enum Home {
    /// In memory, only in its sandbox.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    InSandbox(&'static Path),
    /// A temporary folder, removed when the value is dropped.
    Temporary(TempDir),
}

impl Home {
    pub(super) fn new(
        #[cfg_attr(not(target_os = "linux"), expect(unused_variables))] spec: &EngineSpec,
    ) -> io::Result<Home> {
        #[cfg(target_os = "linux")]
        if let Some(home) = spec.confinement.sandbox.then(sandbox::home).flatten() {
            return Ok(Home::InSandbox(home));
        }
        let mut builder = tempfile::Builder::new();
        let folder = builder
            .prefix("referee-engine-")
            .tempdir_in(guard::folder())?;
        Ok(Home::Temporary(folder))
    }

    /// How many copies of the referee attend the engine's own process.
    pub(super) fn attendants(&self) -> usize {
        match self {
            Home::InSandbox(_) => 1,
            Home::Temporary(_) => 0,
        }
    }

    /// How many folders the engine may fill whose files are in memory.
    pub(super) fn in_memory(&self) -> usize {
        match self {
            #[cfg(target_os = "linux")]
            Home::InSandbox(_) => sandbox::FOLDERS_IN_MEMORY,
            _ => 0,
        }
    }

    /// The folder, if the system does not limit its size.
    pub(super) fn unlimited(&self) -> Option<&Path> {
        match self {
            Home::InSandbox(_) => None,
            Home::Temporary(folder) => Some(folder.path()),
        }
    }

    /// Where the engine finds it.
    pub(super) fn path(&self) -> &Path {
        match self {
            Home::InSandbox(path) => path,
            Home::Temporary(folder) => folder.path(),
        }
    }
}

/// Gives the engine a clean environment.
pub(super) fn environment(command: &mut Command, spec: &EngineSpec, home: &Path) {
    command.env_clear();
    let shared = SHARED.iter();
    command.envs(shared.filter_map(|&name| Some((name, std::env::var_os(name)?))));
    command.envs(OWN.map(|name| (name, home)));
    command.envs(&spec.environment);
}

/// What a process does before it becomes an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Preparation {
    /// Its working directory.
    pub(super) directory: CString,
    /// The values of [`LIMITED`].
    pub(super) limits: [u64; LIMITED.len()],
    /// The cores it runs on; empty for any.
    pub(super) cores: Vec<usize>,
    /// The control groups that it enters.
    pub(super) groups: Vec<CString>,
}

impl Preparation {
    pub(super) fn new(spec: &EngineSpec, home: &Home, groups: &Cgroup) -> io::Result<Preparation> {
        let directory = spec.directory.as_deref().unwrap_or(home.path());
        Ok(Preparation {
            directory: CString::new(directory.as_os_str().as_bytes())?,
            limits: limits(&spec.confinement, home),
            cores: spec.cores.clone(),
            groups: groups.entrances()?,
        })
    }

    /// First, before it enters its sandbox: the calling process enters its control groups, leads a
    /// session, and loses privileges. Only makes system calls.
    pub(super) fn isolate(&self) -> io::Result<()> {
        cgroup::enter(&self.groups)?;
        rustix::process::setsid()?;
        rustix::process::setrlimit(Resource::Core, both(0))?;
        #[cfg(target_os = "linux")]
        {
            rustix::thread::set_no_new_privs(true)?;
            inherit_nothing();
            prefer_to_kill();
            if !self.cores.is_empty() {
                rustix::thread::sched_setaffinity(None, &crate::cores::set_of(&self.cores))?;
            }
        }
        Ok(())
    }

    /// Then it goes to its working directory, which may exist only in its sandbox, and loses
    /// resources. Only makes system calls.
    pub(super) fn limit(&self) -> io::Result<()> {
        rustix::process::chdir(&*self.directory)?;
        for (resource, &limit) in LIMITED.into_iter().zip(&self.limits) {
            rustix::process::setrlimit(resource, both(limit))?;
        }
        Ok(())
    }
}

/// Prepares the child process between fork and exec. It is killed when the referee exits.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables))]
pub(super) fn before_exec(
    command: &mut Command,
    spec: &EngineSpec,
    home: &Home,
    preparation: Preparation,
) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    let parent = rustix::process::getpid();
    #[cfg(target_os = "linux")]
    let sandbox = || Sandbox::new(spec, home.path());
    #[cfg(target_os = "linux")]
    let mut sandbox = spec.confinement.sandbox.then(sandbox).transpose()?;
    let in_child = move || {
        #[cfg(target_os = "linux")]
        end_with(parent)?;
        preparation.isolate()?;
        #[cfg(target_os = "linux")]
        if let Some(sandbox) = &mut sandbox {
            sandbox.enter()?;
        }
        preparation.limit()?;
        #[cfg(target_os = "linux")]
        if let Some(sandbox) = &sandbox {
            sandbox.restrict()?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure only makes system calls and touches only its own
    // memory: no allocation, no lock.
    unsafe { command.pre_exec(in_child) };
    Ok(())
}

/// The resources that are limited.
const LIMITED: [Resource; 4] = [
    Resource::Data,
    Resource::Fsize,
    Resource::Nofile,
    Resource::Nproc,
];

/// A limit that the process cannot raise.
fn both(limit: u64) -> Rlimit {
    Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    }
}

/// Lets the calling process, a child of the referee, end with it, even if the referee is killed: a
/// child that has not executed another program yet keeps the log locked.
///
/// # Errors
/// The referee has ended already.
#[cfg(target_os = "linux")]
fn end_with(referee: Pid) -> rustix::io::Result<()> {
    let kill = rustix::process::Signal::KILL;
    rustix::process::set_parent_process_death_signal(Some(kill))?;
    let orphaned = rustix::process::getppid() != Some(referee);
    if orphaned {
        Err(rustix::io::Errno::SRCH)
    } else {
        Ok(())
    }
}

/// Closes at `exec` what the referee itself has inherited, for example from a shell script.
#[cfg(target_os = "linux")]
fn inherit_nothing() {
    const FIRST: u32 = 3;
    // SAFETY: it takes no pointers, and closes nothing yet. Kernels before 5.11 refuse.
    unsafe {
        let at_exec = libc::CLOSE_RANGE_CLOEXEC;
        libc::syscall(libc::SYS_close_range, FIRST, u32::MAX, at_exec)
    };
}

/// Makes this process, and those that it starts, the first that the kernel kills when memory runs
/// out. Where the kernel refuses, [`unconfined`] says so.
#[cfg(target_os = "linux")]
fn prefer_to_kill() {
    use rustix::fs::{Mode, OFlags};
    if let Ok(file) = rustix::fs::open(OOM_SCORE, OFlags::WRONLY, Mode::empty()) {
        let _ = rustix::io::write(file, b"1000");
    }
}

/// The limits as the kernel takes them, none above the referee's own. The kernel counts the
/// processes of a user in a sandbox apart; it has no limit for root.
fn limits(confinement: &Confinement, home: &Home) -> [u64; LIMITED.len()] {
    let others = match home {
        Home::InSandbox(_) => home.attendants() as u64,
        Home::Temporary(_) => tasks(),
    };
    let mut limits = [
        confinement.memory_mb << 20,
        confinement.file_mb << 20,
        confinement.open_files,
        others + confinement.processes,
    ];
    for (limit, resource) in limits.iter_mut().zip(LIMITED) {
        let most = rustix::process::getrlimit(resource).maximum;
        *limit = most.map_or(*limit, |most| most.min(*limit));
    }
    limits
}

/// The number of processes and threads of the referee's user, because the kernel's limit applies to
/// all of them. Counted at most once a second: counting takes as long as a short game.
fn tasks() -> u64 {
    static COUNTED: Mutex<Option<(Instant, u64)>> = Mutex::new(None);
    let mut counted = COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
    match *counted {
        Some((at, tasks)) if at.elapsed() < Duration::from_secs(1) => tasks,
        _ => {
            let tasks = count_tasks();
            *counted = Some((Instant::now(), tasks));
            tasks
        }
    }
}

fn count_tasks() -> u64 {
    let user = rustix::process::geteuid().as_raw();
    let threads = |pid: Pid| {
        let folder = std::fs::metadata(format!("/proc/{pid}")).ok()?;
        let own = folder.uid() == user;
        Some(Entry::of(pid).filter(|_| own)?.threads)
    };
    table::all().into_iter().filter_map(threads).sum()
}

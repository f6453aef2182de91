//! The confinement of engines: working folder, environment, resource limits.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit};
use tempfile::TempDir;

use super::guard;
#[cfg(target_os = "linux")]
use super::sandbox::{self, Sandbox};
use super::table::{self, Entry};
use crate::task::{Confinement, EngineSpec};

/// Variables that engines inherit from the referee.
const SHARED: [&str; 2] = ["PATH", "LANG"];

/// Variables set to the engine's own folder.
const OWN: [&str; 2] = ["HOME", "TMPDIR"];

/// How readily the kernel kills a process when memory runs out, from -1000 to 1000.
#[cfg(target_os = "linux")]
const OOM_SCORE: &std::ffi::CStr = c"/proc/self/oom_score_adj";

/// What cannot be confined on this system, one line each.
pub fn unconfined(spec: &EngineSpec) -> Vec<String> {
    let mut lines = Vec::new();
    if cfg!(not(target_os = "linux")) {
        lines.push("new privileges, exit with the referee: only Linux can confine these");
    }
    if !Path::new("/proc/thread-self/children").exists() {
        lines.push("leaving the process group: the kernel does not list the children of a process");
    }
    #[cfg(target_os = "linux")]
    if rustix::fs::access(OOM_SCORE, rustix::fs::Access::WRITE_OK).is_err() {
        lines
            .push("choice of a victim when memory runs out: no access to /proc/self/oom_score_adj");
    }
    if rustix::process::geteuid().is_root() {
        lines.push("number of processes: the referee runs as root, which has no such limit");
    }
    if spec.confinement.strict {
        #[cfg(target_os = "linux")]
        lines.extend(sandbox::lacking());
        #[cfg(not(target_os = "linux"))]
        lines.push("files, signals, network: only Linux has the strict sandbox");
    }
    lines.into_iter().map(str::to_owned).collect()
}

/// A temporary folder for the engine, removed when the value is dropped.
pub(super) fn scratch() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder
        .prefix("referee-engine-")
        .tempdir_in(guard::folder())
}

/// Gives the engine a clean environment.
pub(super) fn environment(command: &mut Command, spec: &EngineSpec, scratch: &Path) {
    command.env_clear();
    let shared = SHARED.iter();
    command.envs(shared.filter_map(|&name| Some((name, std::env::var_os(name)?))));
    command.envs(OWN.map(|name| (name, scratch)));
    command.envs(&spec.environment);
}

/// Prepares the child process between fork and exec: it leads a session, is killed when the referee
/// exits, and loses privileges and resources that an engine must not have.
pub(super) fn before_exec(
    command: &mut Command,
    spec: &EngineSpec,
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables))] scratch: &Path,
) -> io::Result<()> {
    let limits = limits(&spec.confinement);
    #[cfg(target_os = "linux")]
    let (parent, cores) = (rustix::process::getpid(), spec.core.map(one_core));
    #[cfg(target_os = "linux")]
    let mut sandbox = if spec.confinement.strict {
        Some(Sandbox::new(spec, scratch)?)
    } else {
        None
    };
    let in_child = move || {
        rustix::process::setsid()?;
        #[cfg(target_os = "linux")]
        {
            let kill = rustix::process::Signal::KILL;
            rustix::process::set_parent_process_death_signal(Some(kill))?;
            if rustix::process::getppid() != Some(parent) {
                // The referee has exited already.
                return Err(rustix::io::Errno::SRCH.into());
            }
            rustix::thread::set_no_new_privs(true)?;
            prefer_to_kill();
            if let Some(cores) = &cores {
                rustix::thread::sched_setaffinity(None, cores)?;
            }
        }
        for (resource, limit) in &limits {
            rustix::process::setrlimit(*resource, *limit)?;
        }
        #[cfg(target_os = "linux")]
        if let Some(sandbox) = &mut sandbox {
            sandbox.enter()?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure only makes system calls and touches only its own
    // memory: no allocation, no lock.
    unsafe { command.pre_exec(in_child) };
    Ok(())
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

/// A CPU set with one core.
#[cfg(target_os = "linux")]
fn one_core(core: usize) -> rustix::thread::CpuSet {
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(core);
    cores
}

/// The limits as the kernel takes them, none above the referee's own.
fn limits(confinement: &Confinement) -> [(Resource, Rlimit); 5] {
    let mib = |number: u64| number << 20;
    [
        (Resource::As, mib(confinement.memory_mb)),
        (Resource::Fsize, mib(confinement.file_mb)),
        (Resource::Nofile, confinement.open_files),
        (Resource::Nproc, tasks() + confinement.processes),
        (Resource::Core, 0),
    ]
    .map(|(resource, limit)| {
        let most = rustix::process::getrlimit(resource).maximum;
        let limit = Some(most.map_or(limit, |most| most.min(limit)));
        let both = Rlimit {
            current: limit,
            maximum: limit,
        };
        (resource, both)
    })
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

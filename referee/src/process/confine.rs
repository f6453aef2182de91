//! What an engine is given, and what is kept from it: folder, environment, limits.

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

/// Variables that engines share with the referee.
const SHARED: [&str; 2] = ["PATH", "LANG"];

/// Variables that name the engine's own folder.
const OWN: [&str; 2] = ["HOME", "TMPDIR"];

/// What an engine is not confined in, as the system lacks the means: a line each.
pub fn unconfined(spec: &EngineSpec) -> Vec<String> {
    let mut lines = Vec::new();
    if cfg!(not(target_os = "linux")) {
        lines.push("new privileges, end with the referee: Linux alone can refuse and do that");
    }
    if !Path::new("/proc/thread-self/children").exists() {
        lines.push("leaving the process group: the kernel does not list the children of a process");
    }
    if rustix::process::geteuid().is_root() {
        lines.push("number of processes: the referee is run by root, for whom there is no limit");
    }
    if spec.confinement.strict {
        #[cfg(target_os = "linux")]
        lines.extend(sandbox::lacking());
        #[cfg(not(target_os = "linux"))]
        lines.push("files, signals, network: Linux alone has the strict sandbox");
    }
    lines.into_iter().map(str::to_owned).collect()
}

/// A folder that is the engine's own, and goes with the value.
pub(super) fn scratch() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder
        .prefix("referee-engine-")
        .tempdir_in(guard::folder())
}

/// Gives the engine an environment of its own.
pub(super) fn environment(command: &mut Command, spec: &EngineSpec, scratch: &Path) {
    command.env_clear();
    let shared = SHARED.iter();
    command.envs(shared.filter_map(|&name| Some((name, std::env::var_os(name)?))));
    command.envs(OWN.map(|name| (name, scratch)));
    command.envs(&spec.environment);
}

/// Has the process, before it becomes the engine, lead a session, end with the referee, and give up
/// what it must not have.
pub(super) fn before_exec(
    command: &mut Command,
    spec: &EngineSpec,
    scratch: &Path,
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
                // The referee has ended.
                return Err(rustix::io::Errno::SRCH.into());
            }
            rustix::thread::set_no_new_privs(true)?;
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
    // SAFETY: between fork and exec the closure makes system calls and touches no memory but its
    // own: no allocation, no lock.
    unsafe { command.pre_exec(in_child) };
    Ok(())
}

/// The set of one core.
#[cfg(target_os = "linux")]
fn one_core(core: usize) -> rustix::thread::CpuSet {
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(core);
    cores
}

/// The limits as the kernel takes them: none above those of the referee itself.
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

/// How many processes and threads the referee's user has: the kernel's limit is on all of them. They
/// are counted once a second at most, since that takes as long as a short game.
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

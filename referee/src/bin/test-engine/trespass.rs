//! Tries actions that an engine is not allowed.

use std::fs;
use std::net::UdpSocket;
use std::process::Command;

use rustix::process::{getpid, getppid, test_kill_process};

/// The names of the actions that succeeded.
pub(crate) fn all() -> Vec<&'static str> {
    let parent = getppid().expect("the referee is the parent");
    let own = std::env::var("HOME").unwrap_or_default();
    let outside = std::env::var("OUTSIDE").unwrap_or_default();
    let write = |folder: &str| fs::write(format!("{folder}/{}", getpid()), "x").is_ok();
    // The kernel may show an empty file instead of denying access.
    let readable = |path: String| fs::read(path).is_ok_and(|bytes| !bytes.is_empty());
    [
        ("write-own", write(&own)),
        ("start-own", succeeds("env")),
        ("signal-own", test_kill_process(getpid()).is_ok()),
        ("thread", std::thread::Builder::new().spawn(|| ()).is_ok()),
        ("write", write(&outside)),
        ("read", fs::read_dir(&outside).is_ok()),
        ("signal", test_kill_process(parent).is_ok()),
        ("environment", readable(format!("/proc/{parent}/environ"))),
        ("network", UdpSocket::bind("127.0.0.1:0").is_ok()),
        ("session", succeeds("setsid")),
        ("trace", traces()),
    ]
    .into_iter()
    .filter_map(|(name, done)| done.then_some(name))
    .collect()
}

/// Whether a program that runs another one succeeds.
fn succeeds(program: &str) -> bool {
    let status = Command::new(program).arg("true").status();
    status.is_ok_and(|status| status.success())
}

/// Whether a child can be traced.
#[cfg(target_os = "linux")]
fn traces() -> bool {
    let Ok(mut child) = Command::new("sleep").arg("60").spawn() else {
        return false;
    };
    // SAFETY: the request names a process and takes no pointers.
    let traced = unsafe { libc::ptrace(libc::PTRACE_SEIZE, child.id(), 0, 0) } == 0;
    let _ = child.kill();
    let _ = child.wait();
    traced
}

#[cfg(not(target_os = "linux"))]
fn traces() -> bool {
    true
}

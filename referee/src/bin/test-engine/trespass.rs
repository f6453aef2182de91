//! Tries actions that an engine is not allowed.

use std::fs;
use std::net::UdpSocket;
use std::process::Command;

use rustix::process::{Pid, getpid, test_kill_process};

/// The names of the actions that succeeded.
pub(crate) fn all() -> Vec<&'static str> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let (own, outside) = (variable("HOME"), variable("OUTSIDE"));
    let referee: i32 = variable("REFEREE")
        .parse()
        .expect("the referee's process id");
    let referee = Pid::from_raw(referee).expect("it is not 0");
    let secret = format!("{outside}/secret");
    let names = || fs::read_dir(&outside).into_iter().flatten().flatten();
    let append = || fs::OpenOptions::new().append(true).open(&secret);
    // The kernel may show an empty file instead of denying access.
    let readable = |path: String| fs::read(path).is_ok_and(|bytes| !bytes.is_empty());
    // In a namespace of its own, process 1 is a copy of the referee.
    let environments = [referee.as_raw_pid(), 1].map(|pid| format!("/proc/{pid}/environ"));
    [
        ("write-own", fs::write(format!("{own}/x"), "x").is_ok()),
        ("start-own", succeeds("env")),
        ("signal-own", test_kill_process(getpid()).is_ok()),
        ("thread", std::thread::Builder::new().spawn(|| ()).is_ok()),
        ("session", succeeds("setsid")),
        ("write", append().is_ok()),
        ("list", names().any(|file| file.file_name() == "secret")),
        ("read", fs::read(&secret).is_ok()),
        ("signal", test_kill_process(referee).is_ok()),
        ("environment", environments.into_iter().any(readable)),
        ("network", UdpSocket::bind("127.0.0.1:0").is_ok()),
        ("trace", traces()),
        ("shared-memory", shares_memory()),
        ("machine", changes_settings()),
        ("lock", meets_locks(&format!("{outside}/shared/file"))),
        ("lease", leases(&format!("{outside}/shared/file"))),
        ("watch", watches(&format!("{outside}/shared"))),
        ("rights", lends_rights(&format!("{own}/y"))),
        ("datagrams", pairs_datagrams()),
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

/// Whether it could change a setting of the machine, as root may.
fn changes_settings() -> bool {
    let mut options = fs::OpenOptions::new();
    let setting = options.write(true).open("/proc/sys/kernel/core_pattern");
    setting.is_ok() || options.open("/proc/sysrq-trigger").is_ok()
}

/// Whether a lock that another process has on a file is one for this process, too.
fn meets_locks(file: &str) -> bool {
    let lock = |file: fs::File| {
        let operation = rustix::fs::FlockOperation::NonBlockingLockExclusive;
        rustix::fs::flock(&file, operation)
    };
    fs::File::open(file).is_ok_and(|file| lock(file) == Err(rustix::io::Errno::WOULDBLOCK))
}

/// Locks and watches the program, which other engines run, too, as far as it may, until it exits.
pub(crate) fn lock_forever() {
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let name = program.to_string_lossy();
    std::mem::forget(fs::File::open(&program).inspect(|file| {
        let _ = rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    }));
    leases(&name);
    watches(&name);
}

/// Whether it can be asked before others open a file.
#[cfg(target_os = "linux")]
fn leases(file: &str) -> bool {
    use std::os::fd::AsRawFd;
    let Ok(file) = fs::File::open(file) else {
        return false;
    };
    // SAFETY: the command takes a number. The descriptor is open.
    unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_RDLCK) == 0 }
}

#[cfg(not(target_os = "linux"))]
fn leases(_: &str) -> bool {
    true
}

/// Whether it can leave a program that runs with its user's rights, whoever starts it.
fn lends_rights(path: &str) -> bool {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o4755);
    let made = options.open(path);
    if made.is_err() && fs::write(path, "x").is_err() {
        return false;
    }
    let set = fs::set_permissions(path, fs::Permissions::from_mode(0o4755));
    (made.is_ok() || set.is_ok())
        && fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o4000 != 0)
}

/// Whether it can have sockets that send to any address.
fn pairs_datagrams() -> bool {
    std::os::unix::net::UnixDatagram::pair().is_ok()
}

/// Whether it can watch what others do in a folder.
#[cfg(target_os = "linux")]
fn watches(folder: &str) -> bool {
    use rustix::fs::inotify;
    let watch = |to| inotify::add_watch(&to, folder, inotify::WatchFlags::OPEN);
    inotify::init(inotify::CreateFlags::CLOEXEC).is_ok_and(|to| watch(to).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn watches(_: &str) -> bool {
    true
}

/// Whether it can make memory that any process of the user can map, and that outlives it.
#[cfg(target_os = "linux")]
fn shares_memory() -> bool {
    // SAFETY: the calls take numbers and no pointers but null.
    unsafe {
        let memory = libc::shmget(libc::IPC_PRIVATE, 4096, libc::IPC_CREAT | 0o600);
        memory >= 0 && libc::shmctl(memory, libc::IPC_RMID, std::ptr::null_mut()) == 0
    }
}

#[cfg(not(target_os = "linux"))]
fn shares_memory() -> bool {
    true
}

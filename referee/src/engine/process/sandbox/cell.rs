//! An engine's own namespaces: it sees no processes, files, shared memory or network but its own.
//!
//! Three processes stand in a row. The *outer* one is the referee's child and stays outside, for
//! the referee to signal and to wait for. The *first* one is the first process of the new PID
//! namespace: it adopts and reaps what the engine leaves, and when it ends, the kernel kills
//! everything in the namespace. The third becomes the engine. The outer process ends as the engine
//! does, with the same status; the first one ends when no process is left.
//!
//! Namespaces of users are what ordinary users need to create the others. Each engine has its own,
//! so that the kernel counts its processes apart. All engines of a referee share one empty network,
//! because making one takes nearly a millisecond.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::OnceLock;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};
use rustix::stdio::{dup2_stdin, stdin};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space};

use super::super::confine::end_with;
use super::grants::Grants;
use super::view::View;

/// The namespaces of one engine.
const OWN: UnshareFlags = UnshareFlags::NEWUSER
    .union(UnshareFlags::NEWNS)
    .union(UnshareFlags::NEWPID)
    .union(UnshareFlags::NEWIPC);

/// The namespaces that all engines share.
const SHARED: UnshareFlags = UnshareFlags::NEWUSER.union(UnshareFlags::NEWNET);

/// The exit status of the outer process if it cannot tell that of the engine.
const LOST: i32 = 1;

/// A cell that an engine's process can enter.
#[derive(Debug)]
pub(super) struct Cell<'n> {
    view: View,
    maps: Maps,
    network: &'n Network,
}

impl<'n> Cell<'n> {
    /// A cell for an engine with these grants that may write so much, MiB.
    pub(super) fn new(network: &'n Network, grants: &Grants, size_mb: u64) -> Cell<'n> {
        Cell {
            view: View::new(grants, size_mb),
            maps: Maps::new(),
            network,
        }
    }

    /// Moves the calling process, a child of the referee with one thread, into the cell. Returns in
    /// the process that becomes the engine, or with an error in one that is to end with it.
    ///
    /// Only makes system calls.
    pub(super) fn enter(&self) -> rustix::io::Result<()> {
        self.network.enter()?;
        unshare(OWN)?;
        self.maps.write()?;
        let (status, report) = rustix::pipe::pipe()?;
        if let Some(first) = fork()? {
            outer(first, &status);
        }
        drop(status);
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        self.view.enter()?;
        if let Some(engine) = fork()? {
            first(engine, &report);
        }
        Ok(())
    }
}

/// The network of all cells; an error if this system cannot give engines cells. Tried once.
pub(super) fn network() -> Result<&'static Network, Errno> {
    static TRIED: OnceLock<Result<Network, Errno>> = OnceLock::new();
    let attempt = || {
        let network = Network::new()?;
        try_cell(&network).map(|()| network)
    };
    TRIED.get_or_init(attempt).as_ref().map_err(|&error| error)
}

/// Lets a process enter a cell and exit.
fn try_cell(network: &Network) -> rustix::io::Result<()> {
    let cell = Cell::new(network, &Grants::default(), 1);
    let referee = rustix::process::getpid();
    let Some(child) = fork()? else {
        let entered = end_with(referee).and_then(|()| cell.enter());
        exit(entered.err().map_or(0, Errno::raw_os_error));
    };
    let status = rustix::process::waitpid(Some(child), WaitOptions::empty())?;
    match status.and_then(|(_, status)| status.exit_status()) {
        Some(0) => Ok(()),
        error => Err(Errno::from_raw_os_error(error.unwrap_or(libc::EPERM))),
    }
}

/// An empty network, and the namespace of users that owns it.
#[derive(Debug)]
pub(super) struct Network {
    users: OwnedFd,
    network: OwnedFd,
}

impl Network {
    /// Made by a child that exists until its namespaces are open here.
    fn new() -> rustix::io::Result<Network> {
        let maps = Maps::new();
        let referee = rustix::process::getpid();
        let (answer, made) = rustix::pipe::pipe()?;
        let Some(child) = fork()? else {
            let alone = end_with(referee).and_then(|()| unshare(SHARED));
            let error = alone.and_then(|()| maps.write()).err();
            let _ = rustix::io::write(&made, &error.map_or(0, Errno::raw_os_error).to_ne_bytes());
            // Until it is killed.
            loop {
                rustix::event::pause();
            }
        };
        drop(made);
        let opened = read_number(&answer).and_then(|error| match error {
            0 => Network::of(child),
            error => Err(Errno::from_raw_os_error(error)),
        });
        let _ = rustix::process::kill_process(child, Signal::KILL);
        let _ = rustix::process::waitpid(Some(child), WaitOptions::empty());
        opened
    }

    /// That of a process.
    fn of(process: Pid) -> rustix::io::Result<Network> {
        let open = |kind: &str| {
            let path = format!("/proc/{process}/ns/{kind}");
            rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
        };
        Ok(Network {
            users: open("user")?,
            network: open("net")?,
        })
    }

    fn enter(&self) -> rustix::io::Result<()> {
        move_into_link_name_space(self.users.as_fd(), Some(LinkNameSpaceType::User))?;
        move_into_link_name_space(self.network.as_fd(), Some(LinkNameSpaceType::Network))
    }
}

/// Who the engine's user is in its namespace: the same as outside.
#[derive(Debug)]
struct Maps {
    users: String,
    groups: String,
}

impl Maps {
    fn new() -> Maps {
        let map = |id: u32| format!("{id} {id} 1");
        Maps {
            users: map(rustix::process::geteuid().as_raw()),
            groups: map(rustix::process::getegid().as_raw()),
        }
    }

    /// For the namespace of users that the calling process has just made.
    fn write(&self) -> rustix::io::Result<()> {
        let files = [
            (c"/proc/self/setgroups", "deny"),
            (c"/proc/self/uid_map", &*self.users),
            (c"/proc/self/gid_map", &*self.groups),
        ];
        files.into_iter().try_for_each(|(path, text)| {
            let file = rustix::fs::open(path, OFlags::WRONLY, Mode::empty())?;
            rustix::io::write(&file, text.as_bytes()).map(drop)
        })
    }
}

/// What the outer process does: waits for the engine, and ends as it does.
fn outer(first: Pid, status: &OwnedFd) -> ! {
    become_attendant(status);
    match read_number(stdin()) {
        Ok(status) => end_like(status),
        // The cell could not be made. If the caller of `enter` wants to know why, its exit says so.
        Err(_) => {
            let ended = rustix::process::waitpid(Some(first), WaitOptions::empty());
            let status = ended.ok().flatten();
            exit(
                status
                    .and_then(|(_, status)| status.exit_status())
                    .unwrap_or(LOST),
            );
        }
    }
}

/// What the first process of the namespace does: reaps all others, and reports how the engine ended.
fn first(engine: Pid, report: &OwnedFd) -> ! {
    become_attendant(report);
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == engine => tell(status),
            Ok(_) | Err(Errno::INTR) => {}
            // No process is left.
            Err(_) => exit(0),
        }
    }
}

/// Reports the engine's status to the outer process, which then ends before this one.
fn tell(status: WaitStatus) {
    let _ = rustix::process::set_parent_process_death_signal(None);
    let _ = rustix::io::write(stdin(), &status.as_raw().to_ne_bytes());
}

/// Ends the calling process with a status as `wait` reports it.
fn end_like(status: i32) -> ! {
    if libc::WIFEXITED(status) {
        exit(libc::WEXITSTATUS(status));
    }
    let signal = libc::WTERMSIG(status);
    // SAFETY: the set is initialised by `sigemptyset`; no handler is installed, only the default.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signal);
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const set, std::ptr::null_mut());
        libc::kill(libc::getpid(), signal);
    }
    exit(LOST)
}

/// Takes from a copy of the referee what it is not to use: all descriptors but this one, which
/// becomes standard input, and the handlers of signals. Other processes cannot look into its memory,
/// which is that of the referee.
fn become_attendant(descriptor: &OwnedFd) {
    let hidden = rustix::process::DumpableBehavior::NotDumpable;
    let _ = rustix::process::set_dumpable_behavior(hidden);
    let _ = dup2_stdin(descriptor);
    // SAFETY: nothing that owns one of the descriptors is used any more: the process ends without
    // dropping anything.
    unsafe { libc::syscall(libc::SYS_close_range, 1, u32::MAX, 0) };
    // SAFETY: the set is initialised by `sigfillset`.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigfillset(&raw mut set);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut());
    }
}

/// Four bytes from a pipe.
fn read_number(pipe: impl AsFd) -> rustix::io::Result<i32> {
    let mut bytes = [0; 4];
    loop {
        match rustix::io::read(&pipe, &mut bytes) {
            Ok(4) => return Ok(i32::from_ne_bytes(bytes)),
            Ok(_) => return Err(Errno::PIPE),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}

fn unshare(flags: UnshareFlags) -> rustix::io::Result<()> {
    // SAFETY: namespaces do not change which descriptors or memory the process shares.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

/// Copies the calling thread; `None` in the copy, which may only make system calls.
fn fork() -> rustix::io::Result<Option<Pid>> {
    // SAFETY: see above; all callers keep to it.
    match unsafe { libc::fork() } {
        0 => Ok(None),
        child => Pid::from_raw(child)
            .filter(|_| child > 0)
            .map(Some)
            .ok_or(Errno::AGAIN),
    }
}

/// Ends the process without anything else.
fn exit(status: i32) -> ! {
    // SAFETY: it takes no pointers.
    unsafe { libc::_exit(status) }
}

//! An engine's own namespaces: it sees no processes, files, shared memory or network but its own.
//!
//! Two processes stand in a row. The *first* one, a child of the referee, is the first process of
//! the new PID namespace: it adopts and reaps what the engine leaves, and when it ends, the kernel
//! kills everything in the namespace. The second becomes the engine. The first one tells the referee
//! how the engine ended, and ends when no process is left.
//!
//! Namespaces of users are what ordinary users need to create the others. Each engine has its own,
//! so that the kernel counts its processes apart.

use std::ffi::{CString, c_char};
use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stdin};
use rustix::thread::UnshareFlags;

use super::request::Request;
use super::{Common, restrict};

/// The namespaces of one engine.
const OWN: UnshareFlags = UnshareFlags::NEWUSER
    .union(UnshareFlags::NEWNS)
    .union(UnshareFlags::NEWPID)
    .union(UnshareFlags::NEWIPC);

/// The exit status of the first process if there was no engine.
const LOST: i32 = 1;

/// Starts an engine in a cell; returns the first process of it, a sibling of the calling process,
/// which must have one thread.
///
/// The first three descriptors become the engine's standard input, output and error. The others are
/// pipes to the referee: for the number of an error before the engine runs, and for the status with
/// which it ends, as `wait` reports it.
pub(super) fn start(
    request: &Request,
    descriptors: [OwnedFd; 5],
    common: Common,
    maps: &Maps,
) -> rustix::io::Result<Pid> {
    if let Some(first) = sibling(OWN)? {
        return Ok(first);
    }
    let [input, output, errors, failure, report] = descriptors;
    let run = || -> io::Result<()> {
        become_first(request, &report, common, maps)?;
        if let Some(engine) = fork()? {
            attend(engine, &report);
        }
        dup2_stdin(&input)?;
        dup2_stdout(&output)?;
        dup2_stderr(&errors)?;
        request.preparation.limit()?;
        restrict(common.filter)?;
        execute(request)
    };
    let error = run().err().and_then(|error| error.raw_os_error());
    let number = error.unwrap_or(libc::EPERM).to_ne_bytes();
    let _ = rustix::io::write(&failure, &number);
    exit(LOST)
}

/// What the first process does before the engine's is made.
fn become_first(
    request: &Request,
    report: &OwnedFd,
    common: Common,
    maps: &Maps,
) -> io::Result<()> {
    end_with_reader_of(report)?;
    maps.write()?;
    request.preparation.isolate()?;
    request.view.enter(common.system)?;
    // Other processes cannot look into its memory, which is that of the referee.
    let hidden = rustix::process::DumpableBehavior::NotDumpable;
    Ok(rustix::process::set_dumpable_behavior(hidden)?)
}

/// Lets the calling process end with its parent, which alone reads from this pipe.
fn end_with_reader_of(report: &OwnedFd) -> rustix::io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let mut pipe = [PollFd::new(report, PollFlags::empty())];
    let now = Timespec::default();
    poll(&mut pipe, Some(&now))?;
    let orphaned = pipe[0].revents().contains(PollFlags::ERR);
    if orphaned { Err(Errno::SRCH) } else { Ok(()) }
}

/// What the first process does from then on: it reaps all others, and reports how the engine ended.
fn attend(engine: Pid, report: &OwnedFd) -> ! {
    become_attendant(report, 1);
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == engine => tell(status),
            Ok(_) | Err(Errno::INTR) => {}
            // No process is left.
            Err(_) => exit(0),
        }
    }
}

/// Reports the engine's status to the referee, and closes the pipe.
fn tell(status: WaitStatus) {
    let _ = rustix::io::write(stdin(), &status.as_raw().to_ne_bytes());
    // SAFETY: nothing uses the descriptor any more.
    unsafe { rustix::io::close(0) };
}

/// Runs the engine's program; returns only with an error.
fn execute(request: &Request) -> io::Result<()> {
    unsafe extern "C" {
        static mut environ: *const *const c_char;
    }
    let pointers = |texts: &[CString]| -> Vec<*const c_char> {
        let texts = texts.iter().map(|text| text.as_ptr());
        texts.chain([std::ptr::null()]).collect()
    };
    let [arguments, environment] =
        [&request.arguments, &request.environment].map(|it| pointers(it));
    let Some(program) = request.arguments.first() else {
        exit(0);
    };
    // SAFETY: both lists end with a null pointer, and their texts with a zero byte; the process has
    // one thread. The set is initialised by `sigemptyset`.
    unsafe {
        environ = environment.as_ptr();
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut());
        libc::execvp(program.as_ptr(), arguments.as_ptr());
    }
    Err(io::Error::last_os_error())
}

/// Who the engine's user is in its namespace: the same as outside.
#[derive(Debug)]
pub(super) struct Maps {
    users: String,
    groups: String,
}

impl Maps {
    pub(super) fn new() -> Maps {
        let map = |id: u32| format!("{id} {id} 1");
        Maps {
            users: map(rustix::process::geteuid().as_raw()),
            groups: map(rustix::process::getegid().as_raw()),
        }
    }

    /// For the namespace of users that was just made with the calling process, or by it.
    pub(super) fn write(&self) -> rustix::io::Result<()> {
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

/// Takes from a copy of the referee what it is not to use: all descriptors but this one, which
/// becomes the first ones, and all signals.
pub(super) fn become_attendant(descriptor: &OwnedFd, copies: u32) {
    let copy = [dup2_stdin, dup2_stdout, dup2_stderr];
    for copy in copy.into_iter().take(copies as usize) {
        let _ = copy(descriptor);
    }
    // SAFETY: nothing that owns one of the descriptors is used any more: the process ends without
    // dropping anything.
    unsafe { libc::syscall(libc::SYS_close_range, copies, u32::MAX, 0) };
    // SAFETY: the set is initialised by `sigfillset`.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigfillset(&raw mut set);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut());
    }
}

pub(super) fn unshare(flags: UnshareFlags) -> rustix::io::Result<()> {
    // SAFETY: namespaces do not change which descriptors or memory the process shares.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

/// Copies the calling thread; `None` in the copy.
pub(super) fn fork() -> rustix::io::Result<Option<Pid>> {
    // SAFETY: the copy takes no locks that other threads may hold.
    copied(unsafe { libc::fork() }.into())
}

/// What a copy of this process finds; it may only make system calls.
pub(in super::super) fn in_copy(find: impl FnOnce() -> bool) -> rustix::io::Result<bool> {
    let Some(copy) = fork()? else {
        exit(i32::from(!find()));
    };
    let ended = rustix::process::waitpid(Some(copy), WaitOptions::empty())?;
    Ok(ended.is_some_and(|(_, status)| status.exit_status() == Some(0)))
}

/// Copies the calling process, which must have one thread, into new namespaces. The copy has the
/// same parent. `None` in the copy.
fn sibling(namespaces: UnshareFlags) -> rustix::io::Result<Option<Pid>> {
    let flags = libc::CLONE_PARENT as u64 | u64::from(namespaces.bits());
    // `struct clone_args`: besides the flags, it has no pointers, no signal and no stack.
    let arguments = [flags, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: the size is that of the arguments; the copy has memory of its own.
    copied(unsafe {
        libc::syscall(
            libc::SYS_clone3,
            arguments.as_ptr(),
            size_of_val(&arguments),
        )
    })
}

/// What a call that copies a process has returned.
fn copied(result: libc::c_long) -> rustix::io::Result<Option<Pid>> {
    match result {
        0 => Ok(None),
        -1 => Err(Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::AGAIN)),
        child => Ok(Pid::from_raw(child as i32)),
    }
}

/// Ends the process without anything else.
pub(super) fn exit(status: i32) -> ! {
    // SAFETY: it takes no pointers.
    unsafe { libc::_exit(status) }
}

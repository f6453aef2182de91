//! An engine's own process as the referee sees it: its pipes, and how it ends.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitId, WaitIdOptions};

use super::strays;

/// Standard input, output and error.
pub(super) type Pipes = (ChildStdin, ChildStdout, ChildStderr);

/// A child of the referee: an engine, or the attendant of an engine in a cell.
#[derive(Debug)]
pub(super) struct Child {
    pid: Pid,
    pipes: Option<Pipes>,
    cell: Option<Cell>,
}

/// What an engine's attendant tells the referee.
#[derive(Debug)]
struct Cell {
    /// The number of the error for which the engine could not start; closed when it runs.
    failure: OwnedFd,
    /// The status with which the engine has ended, as `wait` reports it.
    report: OwnedFd,
    /// The same once it was read.
    status: OnceLock<ExitStatus>,
}

impl Child {
    /// An engine that is itself a child of the referee.
    pub(super) fn new(child: std::process::Child) -> io::Result<Child> {
        let pid = Pid::from_child(&child);
        let (Some(input), Some(output), Some(errors)) = (child.stdin, child.stdout, child.stderr)
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(Child {
            pid,
            pipes: Some((input, output, errors)),
            cell: None,
        })
    }

    /// An engine with an attendant, its standard input, output and error, and the pipes on which the
    /// attendant tells of the engine's failure to start and of its end.
    #[cfg(target_os = "linux")]
    pub(super) fn in_cell(
        attendant: Pid,
        [input, output, errors, failure, report]: [OwnedFd; 5],
    ) -> io::Result<Child> {
        rustix::io::ioctl_fionbio(&report, true)?;
        Ok(Child {
            pid: attendant,
            pipes: Some((input.into(), output.into(), errors.into())),
            cell: Some(Cell {
                failure,
                report,
                status: OnceLock::new(),
            }),
        })
    }

    /// Waits until the engine's program runs.
    ///
    /// # Errors
    /// It cannot.
    pub(super) fn started(&self) -> io::Result<()> {
        let Some(cell) = &self.cell else {
            return Ok(());
        };
        match read_number(&cell.failure)? {
            Some(number) => Err(io::Error::from_raw_os_error(number)),
            None => Ok(()),
        }
    }

    /// The process id.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Takes the pipes.
    pub(super) fn pipes(&mut self) -> io::Result<Pipes> {
        self.pipes
            .take()
            .ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    /// A descriptor that becomes readable when the engine has ended. `None` where the system has
    /// none.
    pub(super) fn exit(&self) -> Option<OwnedFd> {
        match &self.cell {
            Some(cell) => cell.report.try_clone().ok(),
            None => self.process(),
        }
    }

    /// A descriptor that becomes readable when the child of the referee has ended.
    fn process(&self) -> Option<OwnedFd> {
        #[cfg(target_os = "linux")]
        return rustix::process::pidfd_open(self.pid, rustix::process::PidfdFlags::empty()).ok();
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// The exit status if the engine has ended; does not reap it.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        match &self.cell {
            Some(cell) => cell.status(),
            None => self.waited(),
        }
    }

    /// The exit status if the child of the referee has ended; does not reap it.
    fn waited(&self) -> Option<ExitStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = rustix::process::waitid(WaitId::Pid(self.pid), options).ok()??;
        let raw = match status.exit_status() {
            Some(code) => (code & 0xff) << 8,
            None => status.terminating_signal()?,
        };
        Some(ExitStatus::from_raw(raw))
    }

    /// Whether the kernel kills all processes of the engine with the child of the referee.
    pub(super) fn ends_all(&self) -> bool {
        self.cell.is_some()
    }

    /// Waits until the child of the referee has ended; whether it has at the deadline.
    pub(super) fn ends_by(&self, deadline: Instant) -> bool {
        let exit = self.process();
        while self.waited().is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            match &exit {
                Some(exit) => wait_for(exit, left),
                None => std::thread::sleep(strays::END_INTERVAL),
            }
        }
        true
    }

    /// Reaps the child, which has ended. After that its process id may be reused.
    pub(super) fn reap(&self) {
        let _ = rustix::process::waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED);
    }
}

impl Cell {
    fn status(&self) -> Option<ExitStatus> {
        if let Some(status) = self.status.get() {
            return Some(*status);
        }
        let raw = match read_number(&self.report) {
            Ok(Some(raw)) => raw,
            // The attendant tells nothing if it is killed, and with it the engine.
            Ok(None) => rustix::process::Signal::KILL.as_raw(),
            Err(_) => return None,
        };
        Some(*self.status.get_or_init(|| ExitStatus::from_raw(raw)))
    }
}

/// Waits until a descriptor is readable.
fn wait_for(descriptor: &OwnedFd, timeout: Duration) {
    let mut descriptors = [PollFd::new(descriptor, PollFlags::IN)];
    // If a signal interrupts it, the wait is just shorter.
    let _ = poll(&mut descriptors, Timespec::try_from(timeout).ok().as_ref());
}

/// Four bytes from a pipe or socket; `None` at its end.
pub(super) fn read_number(pipe: impl AsFd) -> rustix::io::Result<Option<i32>> {
    let mut bytes = [0; 4];
    loop {
        match rustix::io::read(&pipe, &mut bytes) {
            Ok(4) => return Ok(Some(i32::from_ne_bytes(bytes))),
            Ok(_) => return Ok(None),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}

//! A child process, its process group and all that leaves it, which never outlive their owner.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use tempfile::TempDir;

use super::{confine, strays};
use crate::task::EngineSpec;

/// How long killed processes may take to end. One that the kernel keeps longer is left to it.
const KILL_GRACE: Duration = Duration::from_secs(1);

/// A child process that leads a session, and in it a process group. Dropping it kills the whole
/// group and whoever has left it, and reaps the child; not earlier, so that its number is never
/// somebody else's when the group is killed.
pub(super) struct Group {
    child: Child,
    pid: Pid,
    /// Removed after all that could write to it has ended.
    _scratch: TempDir,
}

impl Group {
    /// Starts the engine with three pipes.
    pub(super) fn start(spec: &EngineSpec) -> io::Result<Group> {
        let word = (spec.command)
            .first()
            .ok_or_else(|| io::Error::other("the command is empty"))?;
        let program = spec.program.as_deref().unwrap_or(Path::new(word));
        let scratch = confine::scratch()?;
        let mut command = wrapped(&spec.wrapper, program)?;
        command
            .args(&spec.arguments)
            .current_dir(spec.directory.as_deref().unwrap_or(scratch.path()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        confine::environment(&mut command, spec, scratch.path());
        confine::before_exec(&mut command, spec, scratch.path())?;
        let child = strays::spawn(&mut command)?;
        let pid = Pid::from_child(&child);
        Ok(Group {
            child,
            pid,
            _scratch: scratch,
        })
    }

    /// The process's number.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Takes the pipes to standard input, and from standard output and error.
    pub(super) fn pipes(&mut self) -> io::Result<(ChildStdin, ChildStdout, ChildStderr)> {
        let child = &mut self.child;
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(input), Some(output), Some(errors)) => Ok((input, output, errors)),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// A descriptor that becomes readable when the process ends; `None` where there is no such
    /// thing.
    pub(super) fn exit(&self) -> Option<OwnedFd> {
        #[cfg(target_os = "linux")]
        return rustix::process::pidfd_open(self.pid, rustix::process::PidfdFlags::empty()).ok();
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Stops the process group, or has it go on.
    pub(super) fn pause(&self, pause: bool) {
        let signal = if pause { Signal::STOP } else { Signal::CONT };
        // An engine that has ended is noticed when it is spoken to.
        let _ = rustix::process::kill_process_group(self.pid, signal);
    }

    /// How many processes the engine, whose own has ended, has left behind: those that have not ended
    /// by the deadline either.
    pub(super) fn leaves(&self, deadline: Instant) -> usize {
        loop {
            let left = strays::count(self.pid);
            if left == 0 || Instant::now() >= deadline {
                return left;
            }
            std::thread::sleep(strays::END_INTERVAL);
        }
    }

    /// How the process ended, if it has; it is not reaped.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = rustix::process::waitid(WaitId::Pid(self.pid), options).ok()??;
        let raw = match status.exit_status() {
            Some(code) => (code & 0xff) << 8,
            None => status.terminating_signal()?,
        };
        Some(ExitStatus::from_raw(raw))
    }
}

/// The command that runs a program, under another one if there is one.
fn wrapped(wrapper: &[String], program: &Path) -> io::Result<Command> {
    let Some((outer, arguments)) = wrapper.split_first() else {
        return Ok(Command::new(program));
    };
    let mut command = Command::new(outer);
    command.args(arguments);
    // For the wrapper, the referee's name for its own program would be a name for the wrapper.
    if program.starts_with("/proc/self") {
        command.arg(std::fs::read_link(program)?);
    } else {
        command.arg(program);
    }
    Ok(command)
}

impl Drop for Group {
    fn drop(&mut self) {
        // Errors mean that nobody of the group is left, which is what is wanted.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        let deadline = Instant::now() + KILL_GRACE;
        while self.status().is_none() {
            if Instant::now() >= deadline {
                return;
            }
            std::thread::sleep(strays::END_INTERVAL);
        }
        strays::end(self.pid, deadline);
        strays::reap(&mut self.child);
    }
}

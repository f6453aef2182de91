//! A child process and its process group, which never outlive their owner.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use crate::task::EngineSpec;

/// A child process that leads a process group. Dropping it kills the whole group and reaps the
/// child; not earlier, so that its number is never somebody else's when the group is killed.
pub(super) struct Group {
    child: Child,
    pid: Pid,
}

impl Group {
    /// Starts the engine with three pipes.
    pub(super) fn start(spec: &EngineSpec) -> io::Result<Group> {
        let (word, arguments) = spec
            .command
            .split_first()
            .ok_or_else(|| io::Error::other("the command is empty"))?;
        let program = spec.program.as_deref().unwrap_or(Path::new(word));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .envs(&spec.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        #[cfg(target_os = "linux")]
        die_with_parent(&mut command);
        let child = command.spawn()?;
        let pid = Pid::from_child(&child);
        Ok(Group { child, pid })
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

impl Drop for Group {
    fn drop(&mut self) {
        // Errors mean that nobody of the group is left, which is what is wanted.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        let _ = self.child.wait();
    }
}

/// Has the kernel kill the process when its parent dies, however it dies.
#[cfg(target_os = "linux")]
fn die_with_parent(command: &mut Command) {
    let parent = rustix::process::getpid();
    let in_child = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        if rustix::process::getppid() == Some(parent) {
            Ok(())
        } else {
            // The referee has ended.
            Err(rustix::io::Errno::SRCH.into())
        }
    };
    // SAFETY: between fork and exec the closure makes two system calls and touches no memory
    // but its own: no allocation, no lock.
    unsafe { command.pre_exec(in_child) };
}

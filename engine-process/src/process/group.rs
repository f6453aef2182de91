//! A child process with its process group and its stray processes; all are killed when it is
//! dropped.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use task::{Confinement, EngineSpec};

use super::cgroup::Cgroup;
use super::child::{Child, Pipes};
use super::confine::Home;
use super::delay::{self, CoreTime};
use super::meter::{self, Meter};
use super::watch::{self, Excess, Watched};
use super::{confine, strays, table};
#[cfg(target_os = "linux")]
use crate::cores::{available_cores, set_of};

/// How long killed processes may take to exit. After that the referee stops waiting for them.
const KILL_GRACE: Duration = Duration::from_secs(1);

/// A child process that leads a session and a process group. Dropping it kills the group and its
/// stray processes, then reaps the child. The child is reaped last, so that its process id cannot
/// be reused before the group is killed.
pub(super) struct Group {
    child: Child,
    pid: Pid,
    /// The other processes of the engine that are stopped, even in other groups.
    stopped: Mutex<Vec<Pid>>,
    confinement: Confinement,
    cgroup: Arc<Cgroup>,
    meter: Arc<Meter>,
    /// Removed after all processes that could write to it have exited.
    home: Home,
}

impl Group {
    /// Starts the engine with three pipes.
    pub(super) fn start(spec: &EngineSpec) -> io::Result<Group> {
        let word = (spec.command)
            .first()
            .ok_or_else(|| io::Error::other("the command is empty"))?;
        let program = spec.program.as_deref().unwrap_or(Path::new(word));
        let home = Home::new(spec)?;
        let mut command = wrapped(&spec.wrapper, program)?;
        command
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        confine::environment(&mut command, spec, home.path());
        let attendants = home.attendants();
        let cgroup = Cgroup::new(&spec.confinement, home.in_memory(), attendants)?;
        let preparation = confine::Preparation::new(spec, &home, &cgroup)?;
        let child = strays::spawn(&mut command, |command| match &home {
            #[cfg(target_os = "linux")]
            Home::InSandbox(_) => super::sandbox::start_in_cell(command, spec, preparation),
            _ => {
                confine::before_exec(command, spec, &home, preparation)?;
                Child::new(command.spawn()?)
            }
        })?;
        let pid = child.pid();
        let (cgroup, meter) = (Arc::new(cgroup), Arc::<Meter>::default());
        watch::add(Watched {
            pid,
            attendants,
            confinement: spec.confinement.clone(),
            cgroup: Arc::clone(&cgroup),
            folder: home.unlimited().map(Path::to_owned),
            meter: Arc::clone(&meter),
            over: None,
            killed: false,
        });
        let group = Group {
            child,
            pid,
            stopped: Mutex::default(),
            confinement: spec.confinement.clone(),
            cgroup,
            meter,
            home,
        };
        group.child.started()?;
        Ok(group)
    }

    /// The process id.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Takes the pipes of standard input, output and error.
    pub(super) fn pipes(&mut self) -> io::Result<Pipes> {
        self.child.pipes()
    }

    /// A descriptor that becomes readable when the engine's process has ended. `None` where the
    /// system has none.
    pub(super) fn exit(&self) -> Option<OwnedFd> {
        self.child.exit()
    }

    /// Stops or continues all processes of the engine.
    pub(super) fn pause(&self, pause: bool) {
        if self.cgroup.freeze(pause) {
            return;
        }
        let signal = if pause { Signal::STOP } else { Signal::CONT };
        // If the engine has exited, the next write or read reports it.
        let _ = rustix::process::kill_process_group(self.pid, signal);
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        if pause {
            *stopped = strays::stop(self.pid);
        } else {
            strays::signal(&std::mem::take(&mut *stopped), Signal::CONT);
        }
    }

    /// Lets all processes of the engine, which must be stopped, run on these cores; on any if there are
    /// none. Linux only.
    pub(super) fn run_on(&self, cores: &[usize]) {
        #[cfg(target_os = "linux")]
        {
            let set = match cores {
                [] => set_of(&available_cores()),
                cores => set_of(cores),
            };
            for process in strays::family(self.pid, strays::MOST) {
                for thread in table::threads(process) {
                    // It may have ended.
                    let _ = rustix::thread::sched_setaffinity(Some(thread), &set);
                }
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = cores;
    }

    /// Looks for the engine's processes, for [`Group::processor_time`]; takes longer than that.
    pub(super) fn find_processes(&self) {
        let processes = strays::family(self.pid, strays::MOST);
        let own = processes.get(self.home.attendants()..);
        self.meter.note(own.unwrap_or_default());
    }

    /// The CPU time of all the engine's processes; only differences have a meaning. `None` if it is
    /// unknown.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        self.meter.time()
    }

    /// The CPU time of all the engine's processes since it was started, also after it has exited: until
    /// then its own clock has it, then its parent's.
    pub(super) fn total_time(&self) -> Option<Duration> {
        meter::total(&strays::family(self.pid, strays::MOST))
    }

    /// How many processes the engine has left running at the deadline, after its own has exited.
    /// Returns early when there are none.
    pub(super) fn left_running(&self, deadline: Instant) -> usize {
        loop {
            let left = self.others_running();
            if left == 0 || Instant::now() >= deadline {
                return left;
            }
            std::thread::sleep(strays::END_INTERVAL);
        }
    }

    /// How many processes of the engine run, besides its own and those that attend it.
    fn others_running(&self) -> usize {
        let family = strays::family(self.pid, strays::MOST);
        let others = family.into_iter().skip(self.home.attendants().max(1));
        let running = |process| table::Entry::of(process).is_some_and(|entry| !entry.ended);
        others.filter(|&process| running(process)).count()
    }

    /// How long its running processes have had a core, and waited for one.
    pub(super) fn core_time(&self) -> CoreTime {
        delay::of(&strays::family(self.pid, strays::MOST))
    }

    /// The engine's limits and sandbox.
    pub(super) fn confinement(&self) -> &Confinement {
        &self.confinement
    }

    /// Why the engine was killed, if it used more than it may.
    pub(super) fn excess(&self) -> Option<Excess> {
        watch::verdict(self.pid).or_else(|| Excess::of_memory(&self.cgroup, &self.confinement))
    }

    /// The exit status if the process has exited; does not reap it.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        self.child.status()
    }
}

/// The command that runs a program, under a wrapper if one is given.
fn wrapped(wrapper: &[String], program: &Path) -> io::Result<Command> {
    let Some((outer, arguments)) = wrapper.split_first() else {
        return Ok(Command::new(program));
    };
    let mut command = Command::new(outer);
    command.args(arguments);
    // `/proc/self/exe` would be the wrapper's own program when the wrapper runs it.
    if program.starts_with("/proc/self") {
        command.arg(std::fs::read_link(program)?);
    } else {
        command.arg(program);
    }
    Ok(command)
}

impl Drop for Group {
    fn drop(&mut self) {
        // An error means that the group is already empty.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        let deadline = Instant::now() + KILL_GRACE;
        if !self.child.ends_by(deadline) {
            return;
        }
        if !self.child.ends_all() {
            strays::end(self.pid, deadline);
        }
        strays::reap(&self.child);
    }
}

//! How long processes were ready to run and had no core: what a busy machine takes from an engine.
//!
//! Linux counts it for every task (`sched/stats.c`, `/proc/PID/task/TID/schedstat`); elsewhere it is
//! unknown and counts as zero.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::Pid;

/// How long tasks had a core, and how long they were ready to run and had none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreTime {
    /// With a core.
    pub ran: Duration,
    /// Ready to run, without one.
    pub waited: Duration,
}

/// The sums over all tasks of these processes that still run.
pub(super) fn of(processes: &[Pid]) -> CoreTime {
    let tasks = processes.iter().flat_map(|process| {
        let tasks = fs::read_dir(format!("/proc/{process}/task"));
        tasks.into_iter().flatten().flatten()
    });
    tasks.fold(CoreTime::default(), |sum, task| {
        let CoreTime { ran, waited } = of_task(&task.path());
        CoreTime {
            ran: sum.ran + ran,
            waited: sum.waited + waited,
        }
    })
}

/// The times of the task with this folder in `/proc`.
pub fn of_task(folder: &Path) -> CoreTime {
    let statistics = fs::read_to_string(folder.join("schedstat")).unwrap_or_default();
    let mut times = statistics.split(' ').map(|ns| ns.parse().unwrap_or(0));
    let mut next = || Duration::from_nanos(times.next().unwrap_or(0));
    CoreTime {
        ran: next(),
        waited: next(),
    }
}

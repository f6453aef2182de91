//! How long processes were ready to run and had no core: what a busy machine takes from an engine.
//!
//! Linux counts it for every task (`sched/stats.c`, `/proc/PID/task/TID/schedstat`); elsewhere it is
//! unknown and counts as zero.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::Pid;

/// How long the tasks of these processes that still run have waited for a core.
pub(super) fn of(processes: &[Pid]) -> Duration {
    let tasks = processes.iter().flat_map(|process| {
        let tasks = fs::read_dir(format!("/proc/{process}/task"));
        tasks.into_iter().flatten().flatten()
    });
    tasks.map(|task| of_task(&task.path())).sum()
}

/// How long the task with this folder in `/proc` has waited for a core.
pub(crate) fn of_task(folder: &Path) -> Duration {
    let statistics = fs::read_to_string(folder.join("schedstat")).unwrap_or_default();
    let waited = statistics.split(' ').nth(1).and_then(|ns| ns.parse().ok());
    Duration::from_nanos(waited.unwrap_or(0))
}

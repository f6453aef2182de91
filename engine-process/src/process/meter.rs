//! The CPU time of an engine's processes, in all their threads.
//!
//! Every process has a clock of its CPU time that others can read, in nanoseconds; reading it takes
//! 1.5 µs on a busy machine. The clock ends with the process. Its parent then has its time in
//! `/proc`, in ticks of 10 ms; reading that takes 20 µs, and is done only for engines that have
//! started processes.
//!
//! The thread that watches the engine notices new processes; what they used before that counts only
//! when they end. The time of a process whose parent does not wait for it is lost from when it was
//! read last.
//!
//! Linux only.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::process::Pid;

use super::table::Entry;

/// The CPU time of one engine.
#[derive(Debug, Default)]
pub(super) struct Meter(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    processes: Vec<Metered>,
    /// Whether the engine has started processes.
    has_children: bool,
    /// What has been counted so far.
    total: Duration,
    /// What has been counted of processes that have ended; their parents have it once more.
    counted_of_ended: Duration,
}

/// A process of an engine.
#[derive(Debug)]
struct Metered {
    pid: Pid,
    clock: CpuClock,
    /// What it showed when the process was noticed.
    noticed: Duration,
    /// What it showed when it was read last.
    last: Duration,
    /// The time of its ended children when it was read last.
    children: Duration,
}

impl Meter {
    /// Notes which processes the engine has now.
    pub(super) fn note(&self, processes: &[Pid]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.count();
        for &pid in processes {
            if state.processes.iter().all(|known| known.pid != pid)
                && let Some(clock) = CpuClock::of(pid)
                && let Some(now) = clock.time()
            {
                state.processes.push(Metered {
                    pid,
                    clock,
                    noticed: now,
                    last: now,
                    children: children(pid),
                });
            }
        }
        state.has_children |= state.processes.len() > 1
            || state
                .processes
                .iter()
                .any(|known| children(known.pid) > Duration::ZERO);
    }

    /// The CPU time since the first call of [`Meter::note`]; `None` before that, and where the system
    /// has no such clocks.
    pub(super) fn time(&self) -> Option<Duration> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.count();
        (!state.processes.is_empty()).then_some(state.total)
    }
}

impl State {
    /// Counts what was used since the last time.
    fn count(&mut self) {
        let State {
            processes,
            has_children,
            total,
            counted_of_ended,
        } = self;
        processes.retain_mut(|process| match process.clock.time() {
            Some(now) => {
                *total += now.saturating_sub(process.last);
                process.last = now;
                true
            }
            None => {
                *counted_of_ended += process.last.saturating_sub(process.noticed);
                false
            }
        });
        if !*has_children {
            return;
        }
        let mut ended = Duration::ZERO;
        for process in processes {
            let now = children(process.pid);
            ended += now.saturating_sub(process.children);
            process.children = now;
        }
        *total += ended.saturating_sub(*counted_of_ended);
        *counted_of_ended = counted_of_ended.saturating_sub(ended);
    }
}

/// All CPU time of processes, and of those that they have waited for; `None` where the system has no
/// such clocks.
pub(super) fn total(processes: &[Pid]) -> Option<Duration> {
    let times = processes
        .iter()
        .filter_map(|&pid| Some(CpuClock::of(pid)?.time()? + children(pid)));
    times.reduce(|sum, time| sum + time)
}

/// The clock of the CPU time of a process. To find it takes as long as to read it.
#[derive(Clone, Copy, Debug)]
#[cfg(target_os = "linux")]
struct CpuClock(libc::clockid_t);

#[cfg(target_os = "linux")]
impl CpuClock {
    /// The clock of a process; `None` if it was reaped.
    fn of(pid: Pid) -> Option<CpuClock> {
        let mut id = 0;
        // SAFETY: the call only writes to the variable that it gets.
        let failed = unsafe { libc::clock_getcpuclockid(pid.as_raw_pid(), &raw mut id) != 0 };
        (!failed).then_some(CpuClock(id))
    }

    /// What it shows; `None` if the process was reaped.
    fn time(self) -> Option<Duration> {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the call only writes to the variable that it gets.
        let failed = unsafe { libc::clock_gettime(self.0, &raw mut time) != 0 };
        (!failed).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }
}

/// Other systems have no such clocks.
#[derive(Clone, Copy, Debug)]
#[cfg(not(target_os = "linux"))]
struct CpuClock;

#[cfg(not(target_os = "linux"))]
impl CpuClock {
    fn of(_: Pid) -> Option<CpuClock> {
        None
    }

    fn time(self) -> Option<Duration> {
        None
    }
}

/// The CPU time of the children of a process that have ended and that it has waited for.
fn children(pid: Pid) -> Duration {
    let ticks = Entry::of(pid).map_or(0, |entry| entry.children_ticks);
    Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Child, Command, Stdio};
    use std::time::Instant;

    use super::*;

    /// How long a busy machine may take for what takes milliseconds.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped());
        command.spawn().expect("there is a shell")
    }

    /// Waits until a meter shows this much.
    fn shows(meter: &Meter, least: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if meter.time().is_some_and(|time| time >= least) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }

    fn end(mut child: Child) {
        child.kill().expect("it runs");
        child.wait().expect("it is a child");
    }

    #[test]
    fn a_busy_process_uses_time_and_an_idle_one_does_not() {
        let _quiet = super::super::strays::without_sweeps();
        let (busy, idle) = (shell("while :; do :; done"), shell("read line"));
        let meters = [&busy, &idle].map(|child| {
            let meter = Meter::default();
            assert_eq!(meter.time(), None);
            meter.note(&[Pid::from_child(child)]);
            meter
        });
        assert!(shows(&meters[0], Duration::from_millis(100)));
        let used = meters[1].time().expect("it runs");
        assert!(used < Duration::from_millis(50), "{used:?}");
        end(busy);
        end(idle);
    }

    /// A process that was never noticed, and has ended.
    #[test]
    fn children_that_have_ended_count() {
        let _quiet = super::super::strays::without_sweeps();
        // The shell itself only waits.
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let child = shell(&format!("true; sh -c '{busy}'; read line"));
        let meter = Meter::default();
        meter.note(&[Pid::from_child(&child)]);
        let begun = Instant::now();
        while children(Pid::from_child(&child)).is_zero() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        // What the watching thread does.
        meter.note(&[Pid::from_child(&child)]);
        assert!(shows(&meter, Duration::from_millis(20)), "{meter:?}");
        end(child);
    }

    /// What was counted while it ran is not counted again when it ends.
    #[test]
    fn no_time_counts_twice() {
        let _quiet = super::super::strays::without_sweeps();
        let busy = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
        let child = shell(&format!("sh -c '{busy}' & wait; read line"));
        let pid = Pid::from_child(&child);
        let meter = Meter::default();
        let begun = Instant::now();
        // Until the child has ended.
        while children(pid).is_zero() && begun.elapsed() < PATIENCE {
            meter.note(&super::super::strays::descendants(pid));
            std::thread::sleep(Duration::from_millis(1));
        }
        let (time, most) = (meter.time().expect("it runs"), children(pid));
        // Besides the child: the shell, and a tick of each.
        let tick = Duration::from_millis(10);
        assert!(time < most + 10 * tick, "{time:?} {most:?}");
        assert!(time + 10 * tick > most, "{time:?} {most:?}");
        end(child);
    }
}

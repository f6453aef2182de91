//! The cores that engines and their referee may use.

#[cfg(target_os = "linux")]
use rustix::process::getpid;
#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The cores that the referee may use, at least one, also on a thread that has fewer.
pub fn available_cores() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = sched_getaffinity(Some(getpid())) {
        let cores = 0..CpuSet::MAX_CPU;
        return cores.filter(|&core| set.is_set(core)).collect();
    }
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    (0..count).collect()
}

/// A CPU set of these cores.
#[cfg(target_os = "linux")]
pub(crate) fn set_of(cores: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    set
}

/// While it lives, the thread that made it runs on some cores only. Linux only.
#[derive(Debug)]
pub struct OnCores {
    /// Where the thread ran before.
    #[cfg(target_os = "linux")]
    before: Option<CpuSet>,
}

impl OnCores {
    /// Lets this thread run on these cores only; on those that it has if there are none.
    pub fn new(cores: &[usize]) -> OnCores {
        #[cfg(not(target_os = "linux"))]
        let _ = cores;
        OnCores {
            #[cfg(target_os = "linux")]
            before: (!cores.is_empty())
                .then(|| {
                    let before = sched_getaffinity(None).ok()?;
                    sched_setaffinity(None, &set_of(cores)).ok()?;
                    Some(before)
                })
                .flatten(),
        }
    }
}

impl Drop for OnCores {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(before) = &self.before {
            // It was allowed before.
            let _ = sched_setaffinity(None, before);
        }
    }
}

/// Lets this thread run on all cores that the referee may use: a thread begins on those of the thread
/// that starts it. Linux only.
pub(crate) fn anywhere() {
    #[cfg(target_os = "linux")]
    {
        // Where the system refuses, it stays where it is.
        let _ = sched_setaffinity(None, &set_of(&available_cores()));
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn here() -> Vec<usize> {
        let set = sched_getaffinity(None).expect("it is known");
        (0..CpuSet::MAX_CPU)
            .filter(|&core| set.is_set(core))
            .collect()
    }

    #[test]
    fn a_thread_is_on_cores_for_a_while() {
        let all = here();
        let one = [*all.last().expect("a core")];
        let there = OnCores::new(&one);
        assert_eq!(here(), one);
        assert_eq!(available_cores(), all);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                assert_eq!(here(), one, "as the thread that started it");
                anywhere();
                assert_eq!(here(), all);
            });
        });
        drop(there);
        assert_eq!(here(), all);
        let _same = OnCores::new(&[]);
        assert_eq!(here(), all);
    }
}

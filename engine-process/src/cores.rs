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

/// These cores in groups, each with the hardware threads of one physical core, in order; each alone where
/// the system does not tell. Linux only.
pub fn whole_cores(cores: &[usize]) -> Vec<Vec<usize>> {
    grouped(cores, |core| {
        let file = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        std::fs::read_to_string(file)
            .ok()
            .and_then(|text| listed(&text))
    })
}

/// Cores by what the system says of the siblings of each.
fn grouped(cores: &[usize], siblings: impl Fn(usize) -> Option<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &core in cores {
        let siblings = siblings(core).unwrap_or_default();
        match groups.iter_mut().find(|group| siblings.contains(&group[0])) {
            Some(group) => group.push(core),
            None => groups.push(vec![core]),
        }
    }
    groups
}

/// The numbers of a list as the kernel writes it: `0,4` or `0-1,8-9`.
fn listed(text: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let [first, last] = [first, last].map(|number| number.parse::<usize>().ok());
        all.extend(first?..=last?);
    }
    Some(all)
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

    #[test]
    fn hardware_threads_of_a_core_are_together() {
        assert_eq!(listed("0,4\n"), Some(vec![0, 4]));
        assert_eq!(listed("0-1,8-9\n"), Some(vec![0, 1, 8, 9]));
        assert_eq!(listed("7"), Some(vec![7]));
        assert_eq!((listed(""), listed("a-b")), (None, None));
        // Siblings are n and n + 4; core 4 may not be used.
        let siblings = |core| Some(vec![core % 4, core % 4 + 4]);
        assert_eq!(
            grouped(&[0, 1, 2, 5, 6], siblings),
            [vec![0], vec![1, 5], vec![2, 6]]
        );
        assert_eq!(grouped(&[0, 1], |_| None), [[0], [1]]);
        let cores = available_cores();
        let mut together = whole_cores(&cores).concat();
        together.sort_unstable();
        assert_eq!(together, cores);
    }

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

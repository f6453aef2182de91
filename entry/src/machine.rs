//! Memory and cores of the machine: options that exceed them are reduced, with a warning.

use std::thread::available_parallelism;

use crate::options::Options;

/// Maximum share of the free memory for a table, percent: the program and other processes need some
/// too.
const MEMORY_PERCENT: usize = 75;

/// Size of the table that replaces one that is too large, MiB. Small, because other processes may
/// need the free memory.
const FALLBACK_MB: usize = 64;

/// Table size in MiB and number of threads: the options' values, limited to what the machine has.
pub(crate) fn fit(options: &Options, trouble: &mut dyn FnMut(&str)) -> (usize, usize) {
    let mut table_mb = options.table_mb as usize;
    let most = free_mb().map_or(usize::MAX, |free| free / 100 * MEMORY_PERCENT);
    if table_mb > most {
        let fallback = most.min(FALLBACK_MB);
        trouble(&format!(
            "no memory for table_mb {table_mb}, using {fallback}"
        ));
        table_mb = fallback;
    }
    let mut threads = options.threads as usize;
    let cores = available_parallelism().map_or(usize::MAX, usize::from);
    if threads > cores {
        trouble(&format!("no cores for threads {threads}, using {cores}"));
        threads = cores;
    }
    (table_mb, threads)
}

/// Free memory in MiB, if the system reports it. Checked before the table is allocated, because the
/// system may grant memory that it does not have and then kill the process.
fn free_mb() -> Option<usize> {
    let machine = available(&std::fs::read_to_string("/proc/meminfo").ok()?)?;
    let group = |file| {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/{file}")).ok()?;
        text.trim().parse::<usize>().ok()
    };
    let free = match (group("memory.max"), group("memory.current")) {
        (Some(most), Some(used)) => machine.min(most.saturating_sub(used) >> 20),
        _ => machine,
    };
    Some(free)
}

/// The line `MemAvailable` of Linux's `/proc/meminfo`, in MiB.
fn available(meminfo: &str) -> Option<usize> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_available_memory_is_found() {
        let text = "MemTotal:  24684000 kB\nMemFree:  1 kB\nMemAvailable:   20480 kB\n";
        assert_eq!(available(text), Some(20));
        assert_eq!(available("MemTotal: 5 kB\nMemAvailable: much"), None);
    }

    #[test]
    fn options_within_the_machine_are_kept_without_warning() {
        let options = Options {
            table_mb: 1,
            ..Options::default()
        };
        let fitted = fit(&options, &mut |message| panic!("{message}"));
        assert_eq!(fitted, (1, 1));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn options_beyond_the_machine_are_reduced_with_a_warning() {
        let mut options = Options::default();
        (options.table_mb, options.threads) = (1 << 20, 1024);
        let mut messages = Vec::new();
        let (table_mb, threads) = fit(&options, &mut |message| messages.push(message.to_string()));
        assert!(table_mb <= FALLBACK_MB && threads < 1024);
        assert_eq!(messages.len(), 2, "{messages:?}");
    }
}

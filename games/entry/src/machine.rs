//! What the machine has: wishes beyond it are cut down, and said so.

use std::thread::available_parallelism;

use crate::options::Options;

/// The part of the free memory that a table may take, percent: the rest of the program, and of the
/// machine, need some too.
const MEMORY_PERCENT: usize = 75;

/// The table in place of one that is too large, MiB: not all that is free, as others may need it.
const MODEST_MB: usize = 64;

/// The table, MiB, and the threads that the options ask for and the machine has.
pub(crate) fn fit(options: &Options, trouble: &mut dyn FnMut(&str)) -> (usize, usize) {
    let mut table_mb = options.table_mb as usize;
    let most = free_mb().map_or(usize::MAX, |free| free / 100 * MEMORY_PERCENT);
    if table_mb > most {
        let modest = most.min(MODEST_MB);
        trouble(&format!(
            "no memory for table_mb {table_mb}, taking {modest}"
        ));
        table_mb = modest;
    }
    let mut threads = options.threads as usize;
    let cores = available_parallelism().map_or(usize::MAX, usize::from);
    if threads > cores {
        trouble(&format!("no cores for threads {threads}, taking {cores}"));
        threads = cores;
    }
    (table_mb, threads)
}

/// Free memory in MiB, where the system tells. Asked before a table is made because the system may
/// promise memory that it does not have, and kill who uses it.
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
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn the_line_of_available_memory_is_found() {
        let text = "MemTotal:  24684000 kB\nMemFree:  1 kB\nMemAvailable:   20480 kB\n";
        assert_eq!(available(text), Some(20));
        assert_eq!(available("MemTotal: 5 kB\nMemAvailable: much"), None);
    }

    #[test]
    fn wishes_within_the_machine_are_fulfilled_in_silence() {
        let options = Line::parse_from(["engine", "--table-mb", "1"]).options;
        let fitted = fit(&options, &mut |message| panic!("{message}"));
        assert_eq!(fitted, (1, 1));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn wishes_beyond_the_machine_are_cut_down_aloud() {
        let mut options = Line::parse_from(["engine"]).options;
        (options.table_mb, options.threads) = (1 << 20, 1024);
        let mut messages = Vec::new();
        let (table_mb, threads) = fit(&options, &mut |message| messages.push(message.to_string()));
        assert!(table_mb <= MODEST_MB && threads < 1024);
        assert_eq!(messages.len(), 2, "{messages:?}");
    }
}

//! The cores that engines and their referee may use.

/// The cores that the referee may use, at least one.
pub fn available_cores() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        let cores = 0..rustix::thread::CpuSet::MAX_CPU;
        return cores.filter(|&core| set.is_set(core)).collect();
    }
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    (0..count).collect()
}

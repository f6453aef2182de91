//! Memory that processes hold without having mapped it: files in memory that have no name (`memfd`).

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::Pid;

/// How the system names such a file.
const NAME: &str = "/memfd:";

/// How many open files of one engine are looked at.
const MOST_FILES: usize = 100_000;

/// The size of all files in memory that processes have open, each counted once, bytes.
pub(super) fn bytes(processes: &[Pid]) -> u64 {
    let open = processes.iter().flat_map(|process| {
        let folder = fs::read_dir(format!("/proc/{process}/fd"));
        folder.into_iter().flatten().flatten()
    });
    let in_memory =
        (open.take(MOST_FILES).map(|file| file.path())).filter(|path| is_in_memory(path));
    let mut seen = HashSet::new();
    let sizes = in_memory.filter_map(|path| {
        let file = fs::metadata(path).ok()?;
        let is_new = seen.insert((file.dev(), file.ino()));
        is_new.then_some(file.blocks() * 512)
    });
    sizes.sum()
}

fn is_in_memory(open: &Path) -> bool {
    let name = fs::read_link(open).unwrap_or_default();
    name.as_os_str()
        .as_encoded_bytes()
        .starts_with(NAME.as_bytes())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::fs::{MemfdFlags, memfd_create};

    use super::*;

    #[test]
    fn files_in_memory_are_counted_once() {
        const SIZE: usize = 1 << 20;
        let own = rustix::process::getpid();
        let before = bytes(&[own]);
        let file = memfd_create("test", MemfdFlags::CLOEXEC).expect("a file");
        rustix::io::write(&file, &[1; SIZE]).expect("it is written");
        let copy = rustix::io::dup(&file).expect("a copy");
        assert_eq!(bytes(&[own, own]) - before, SIZE as u64);
        drop((file, copy));
        assert_eq!(bytes(&[own]), before);
    }
}

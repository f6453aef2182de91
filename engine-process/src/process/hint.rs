//! What may have ended an engine: one of its limits, or a file that its sandbox does not show.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;
use task::Confinement;

/// What programs write, in lower case, when they are refused memory.
const MEMORY: [&str; 5] = [
    "memory allocation",
    "bad_alloc",
    "memoryerror",
    "out of memory",
    "cannot allocate memory",
];

/// The same for processes and threads. Java calls these memory, too.
const PROCESSES: [&str; 4] = [
    "resource temporarily unavailable",
    "cannot fork",
    "start new thread",
    "native thread",
];

/// The same for writing to a file.
const FILE_SIZE: [&str; 3] = [
    "file too large",
    "file size limit exceeded",
    "no space left on device",
];

/// The same for opening one file more.
const OPEN_FILES: [&str; 1] = ["too many open files"];

/// What the system writes of a program whose shared libraries are not all there.
const LIBRARY: &str = "error while loading shared libraries";

/// What interpreters write of a part of a program that they do not find.
const MODULE: [&str; 6] = [
    "no module named",
    "cannot find module",
    "could not find or load main class",
    "cannot load such file",
    "can't locate ",
    "module not found",
];

/// What programs write of files that they cannot open.
const MISSING: [&str; 3] = ["no such file", "permission denied", "read-only file system"];

/// What the end of an engine has to do with its confinement, as words that follow its last words on
/// standard error; empty if it seems to have nothing to do with it. Only a signal is certain.
pub(super) fn of(status: ExitStatus, last_words: &str, limits: &Confinement) -> String {
    let Confinement {
        memory_mb,
        processes,
        file_mb,
        open_files,
        sandbox,
    } = limits;
    if status.signal() == Some(Signal::XFSZ.as_raw()) {
        return format!("; a file larger than allowed: {file_mb} MiB (file_mb)");
    }
    let words = last_words.to_lowercase();
    let has = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
    if has(&PROCESSES) {
        format!(" (it may have {processes} processes and threads: processes)")
    } else if has(&MEMORY) {
        format!(" (it may use {memory_mb} MiB of memory: memory_mb)")
    } else if has(&FILE_SIZE) {
        format!(" (it may write {file_mb} MiB to a file: file_mb)")
    } else if has(&OPEN_FILES) {
        format!(" (it may open {open_files} files at a time: open_files)")
    } else if has(&[LIBRARY]) {
        " (install the library, or grant its folder by `read` and name it in LD_LIBRARY_PATH)"
            .to_owned()
    } else if *sandbox && has(&MODULE) {
        " (its sandbox has only the files that its command names: grant the folder of its modules by \
         read = [\".\"] in its table, or --set 'engine.NAME.read=[\".\"]')"
            .to_owned()
    } else if *sandbox && has(&MISSING) {
        " (its sandbox has only its own files: grant others by `read` or `write`)".to_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_many_languages_name_the_limit() {
        let limits = Confinement {
            sandbox: false,
            ..Confinement::default()
        };
        let key = |words: &str| {
            let hint = of(ExitStatus::from_raw(256), words, &limits);
            let key = hint
                .strip_suffix(')')
                .and_then(|hint| hint.rsplit(": ").next());
            key.unwrap_or_default().to_owned()
        };
        for (words, expected) in [
            ("memory allocation of 33554432 bytes failed", "memory_mb"),
            ("what():  std::bad_alloc", "memory_mb"),
            ("MemoryError", "memory_mb"),
            ("java.lang.OutOfMemoryError: Java heap space", "memory_mb"),
            ("JavaScript heap out of memory", "memory_mb"),
            ("mmap: Cannot allocate memory", "memory_mb"),
            (
                "java.lang.OutOfMemoryError: unable to create native thread",
                "processes",
            ),
            ("RuntimeError: can't start new thread", "processes"),
            ("sh: 1: Cannot fork", "processes"),
            (
                "kind: WouldBlock, message: \"Resource temporarily unavailable\"",
                "processes",
            ),
            ("OSError: [Errno 27] File too large", "file_mb"),
            ("File size limit exceeded", "file_mb"),
            ("cp: error writing 'a': No space left on device", "file_mb"),
            ("OSError: [Errno 24] Too many open files: 'a'", "open_files"),
            ("I give up", ""),
            ("No such file or directory", ""),
            ("", ""),
        ] {
            assert_eq!(key(words), expected, "{words}");
        }
        let sandboxed = Confinement::default();
        let words = "./bot: error while loading shared libraries: libx.so: cannot open shared object \
                     file: No such file or directory";
        let hint = of(ExitStatus::from_raw(127 << 8), words, &sandboxed);
        assert!(hint.starts_with(" (install the library"), "{hint}");
        let hint = of(
            ExitStatus::from_raw(256),
            "x: No such file or directory",
            &sandboxed,
        );
        assert!(hint.contains("`read`"), "{hint}");
        // Python, Node.js, Ruby, Perl, Java.
        for words in [
            "ModuleNotFoundError: No module named 'helper'",
            "Error: Cannot find module './helper'",
            "cannot load such file -- ./helper (LoadError)",
            "Can't locate Helper.pm in @INC",
            "Error: Could not find or load main class Helper",
        ] {
            let hint = of(ExitStatus::from_raw(256), words, &sandboxed);
            assert!(hint.contains("grant the folder of its modules"), "{hint}");
        }
    }
}

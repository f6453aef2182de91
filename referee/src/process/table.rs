//! What the kernel tells of processes, in `/proc`.

use std::fs::{self, File};
use std::io::Read;

use rustix::process::Pid;

/// How much of an environment is searched for a variable, in bytes: what a process makes of its own
/// must not fill the referee's memory.
const ENVIRONMENT: u64 = 64 * 1024;

/// One process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Whether it has ended and waits for its parent to see it.
    pub(super) ended: bool,
    /// The session that it belongs to; `None` where that began outside of the container.
    pub(super) session: Option<Pid>,
    /// How many threads it has.
    pub(super) threads: u64,
    /// When it started, in ticks since the machine did: two processes of one number have two of
    /// them.
    pub(super) start: u64,
}

impl Entry {
    /// The process of this number, if there is one.
    pub(super) fn of(pid: Pid) -> Option<Entry> {
        Entry::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// Reads a line such as `7 (name) S 1 7 7 …`.
    fn parse(stat: &str) -> Option<Entry> {
        // The name may hold anything, parentheses too.
        let (_, fields) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
        Some(Entry {
            // State, parent, group, session; the 18th is the threads, the 20th the start.
            ended: matches!(fields[0], "Z" | "X"),
            session: Pid::from_raw(number(3)? as i32),
            threads: number(17)?,
            start: number(19)?,
        })
    }
}

/// The numbers of all processes.
pub(super) fn all() -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let number = |process: fs::DirEntry| process.file_name().to_str()?.parse().ok();
    let numbers = processes.flatten().filter_map(number);
    numbers.filter_map(Pid::from_raw).collect()
}

/// The value of a variable in a process's environment, as it was when its program began.
pub(super) fn variable(pid: Pid, name: &str) -> Option<String> {
    let file = File::open(format!("/proc/{pid}/environ")).ok()?;
    let mut environment = Vec::new();
    file.take(ENVIRONMENT).read_to_end(&mut environment).ok()?;
    let mut variables = environment.split(|&byte| byte == 0);
    variables.find_map(|variable| {
        let value = variable.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
        String::from_utf8(value.to_vec()).ok()
    })
}

#[cfg(test)]
mod tests {
    use rustix::process::getpid;

    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let numbers = (4..=52).map(|number| number.to_string());
        let line = format!(
            "7 (a) Z 1 (b)) S 3 4 5 {}",
            numbers.collect::<Vec<_>>().join(" ")
        );
        let entry = Entry::parse(&line).unwrap();
        assert!(!entry.ended);
        assert_eq!(entry.session, Pid::from_raw(5));
        assert_eq!((entry.threads, entry.start), (17, 19));
        for end in ["", "7 (a) ", "7 (a) S 1 2 3", "no process"] {
            assert_eq!(Entry::parse(end), None);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_in_it() {
        let own = Entry::of(getpid()).unwrap();
        assert!(!own.ended && own.threads >= 1 && own.start > 0);
        assert!(all().contains(&getpid()));
        assert!(variable(getpid(), "PATH").is_some());
        assert_eq!(variable(getpid(), "PAT"), None);
    }
}

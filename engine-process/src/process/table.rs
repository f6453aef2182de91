//! Information about processes from `/proc`.

use std::fs::{self, File};
use std::io::Read;

use rustix::process::Pid;

/// How much of a process's environment is searched for a variable, in bytes. A process can change
/// its own environment, which must not fill the referee's memory.
const ENVIRONMENT: u64 = 64 * 1024;

/// One process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Whether it is a zombie, waiting to be reaped by its parent.
    pub(super) ended: bool,
    /// Its session; `None` if that began outside the container.
    pub(super) session: Option<Pid>,
    /// The number of its threads.
    pub(super) threads: u64,
    /// Start time in clock ticks since boot. Process ids are reused; the start time tells two
    /// processes with one id apart.
    pub(super) start: u64,
    /// Pages of memory that are mapped, shared ones too.
    pub(super) pages: u64,
    /// CPU time of its children that have ended and that it has waited for, in clock ticks.
    pub(super) children_ticks: u64,
}

impl Entry {
    /// The process with this id, if it exists.
    pub(super) fn of(pid: Pid) -> Option<Entry> {
        Entry::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// Parses a line such as `7 (name) S 1 7 7 …`.
    fn parse(stat: &str) -> Option<Entry> {
        // The name may contain anything, even parentheses.
        let (_, fields) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
        Some(Entry {
            // State, parent, group, session; fields 14 and 15 are the children's time in user and in
            // kernel mode, field 18 is the number of threads, field 20 the start time, field 22 the
            // number of pages.
            ended: matches!(fields[0], "Z" | "X"),
            session: Pid::from_raw(number(3)? as i32),
            threads: number(17)?,
            start: number(19)?,
            pages: number(21)?,
            children_ticks: number(13)? + number(14)?,
        })
    }
}

/// The ids of all processes.
pub(super) fn all() -> Vec<Pid> {
    numbers("/proc")
}

/// The ids of the threads of a process; none if it has been reaped.
#[cfg(target_os = "linux")]
pub(super) fn threads(process: Pid) -> Vec<Pid> {
    numbers(&format!("/proc/{process}/task"))
}

/// The numbers that files and folders in a folder have as names.
fn numbers(folder: &str) -> Vec<Pid> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let number = |file: fs::DirEntry| file.file_name().to_str()?.parse().ok();
    let numbers = files.flatten().filter_map(number);
    numbers.filter_map(Pid::from_raw).collect()
}

/// Whether a process of a session, or the one that is to lead it, has not ended; a zombie has. Its command
/// line has this text: another program may have the number of one that has ended.
pub fn is_alive(leader: Pid, mentions: &str) -> bool {
    all().into_iter().any(|pid| {
        let entry = Entry::of(pid).filter(|entry| !entry.ended);
        let is_of_it = entry.is_some_and(|entry| pid == leader || entry.session == Some(leader));
        is_of_it && command_line(pid).contains(mentions)
    })
}

/// The words of the command line of a process, a blank between each two.
fn command_line(pid: Pid) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ")
}

/// The value of a variable in a process's initial environment.
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
    #[cfg(target_os = "linux")]
    fn a_zombie_is_not_alive() {
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .expect("it starts");
        let pid = Pid::from_child(&child);
        assert!(is_alive(pid, "sleep 1000"));
        assert!(!is_alive(pid, "another program"));
        child.kill().expect("it is a child");
        // Nobody has waited for it yet.
        let begun = std::time::Instant::now();
        while is_alive(pid, "") && begun.elapsed().as_secs() < 60 {
            std::thread::yield_now();
        }
        assert!(Entry::of(pid).is_some_and(|entry| entry.ended));
        child.wait().expect("it ended");
        assert!(!is_alive(pid, ""));
    }

    #[test]
    fn a_process_name_may_contain_anything() {
        let numbers = (4..=52).map(|number| number.to_string());
        let line = format!(
            "7 (a) Z 1 (b)) S 3 4 5 {}",
            numbers.collect::<Vec<_>>().join(" ")
        );
        let entry = Entry::parse(&line).unwrap();
        assert!(!entry.ended);
        assert_eq!(entry.session, Pid::from_raw(5));
        assert_eq!((entry.threads, entry.start, entry.pages), (17, 19, 21));
        assert_eq!(entry.children_ticks, 13 + 14);
        for end in ["", "7 (a) ", "7 (a) S 1 2 3", "no process"] {
            assert_eq!(Entry::parse(end), None);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_listed() {
        let own = Entry::of(getpid()).unwrap();
        assert!(!own.ended && own.threads >= 1 && own.start > 0);
        assert!(all().contains(&getpid()));
        assert!(threads(getpid()).contains(&getpid()));
        assert!(variable(getpid(), "PATH").is_some());
        assert_eq!(variable(getpid(), "PAT"), None);
    }
}

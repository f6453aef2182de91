//! Groups of referees that were killed together with their guards.

use std::fs::{self, DirEntry};
use std::path::Path;
use std::time::Duration;

use rustix::process::Pid;

use super::super::table::Entry;
use super::PROCESSES;

/// How old a group is before anybody else removes it. A referee that cannot be seen from here, in
/// another container, may just have made it, and fills it within milliseconds.
const OLD: Duration = Duration::from_secs(60);

/// Removes the groups under this one whose referee has ended, with all processes in them.
pub(super) fn remove(parent: &Path) {
    let groups = fs::read_dir(parent).into_iter().flatten().flatten();
    let dead = groups.filter(|group| is_dead(group) && is_old(group));
    dead.map(|group| group.path())
        .filter(|group| sees_all(group))
        .for_each(|group| super::remove(&group));
}

/// Whether the referee that made a group, by its name, has ended.
fn is_dead(group: &DirEntry) -> bool {
    let name = group.file_name();
    let referee = || -> Option<Pid> {
        let token = name.to_str()?.strip_prefix("referee-")?;
        Pid::from_raw(token.split('-').next()?.parse().ok()?)
    };
    let is_running = |referee| Entry::of(referee).is_some_and(|entry| !entry.ended);
    referee().is_some_and(|referee| !is_running(referee))
}

fn is_old(group: &DirEntry) -> bool {
    let made = group.metadata().and_then(|group| group.modified());
    made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > OLD))
}

/// Whether all processes of a group are seen from here: others are listed as 0.
fn sees_all(group: &Path) -> bool {
    let listed = fs::read_to_string(group.join(PROCESSES)).unwrap_or_default();
    listed.lines().all(|line| line != "0")
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn only_groups_of_dead_referees_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut ended = std::process::Command::new("true")
            .spawn()
            .expect("a process");
        ended.wait().expect("it ends");
        let (own, dead) = (std::process::id(), ended.id());
        let old = SystemTime::now() - 2 * OLD;
        let make = |name: String, made: SystemTime| {
            let group = folder.path().join(&name);
            fs::create_dir(&group).expect("a folder");
            let group = fs::File::open(group).expect("a folder");
            group.set_modified(made).expect("its time");
            name
        };
        let gone = [
            make(format!("referee-{dead}-17-0"), old),
            make(format!("referee-{dead}-17-1"), old),
        ];
        let kept = [
            make(format!("referee-{own}-17-0"), old),
            make(format!("referee-{dead}-17-2"), SystemTime::now()),
            make("referee-x".to_owned(), old),
            make(format!("other-{dead}-17-0"), old),
        ];
        let foreign = make(format!("referee-{dead}-17-3"), old);
        let foreign = folder.path().join(foreign);
        fs::write(foreign.join(PROCESSES), "0\n").expect("a file");
        let time = fs::File::open(&foreign).expect("a folder");
        time.set_modified(old).expect("its time");
        remove(folder.path());
        assert!(gone.iter().all(|name| !folder.path().join(name).exists()));
        assert!(kept.iter().all(|name| folder.path().join(name).exists()));
        assert!(foreign.exists());
    }
}

use std::os::unix::process::ExitStatusExt;

use super::*;

const TOKEN: &str = "7-123";

#[test]
fn events_survive_a_round_trip() {
    let pid = Pid::from_raw(71).unwrap();
    for event in [Event::Started(pid, 9_876_543_210), Event::Ended(pid)] {
        assert_eq!(Event::parse(&event.to_string()), Some(event));
    }
    for line in [
        "",
        "started",
        "started 7",
        "started 0 1",
        "ended -7",
        "ended 7 ",
        "ended x",
    ] {
        assert_eq!(Event::parse(line), None, "{line:?}");
    }
}

/// A sleeping process in its own session, with the given environment.
struct Sleeper(Child);

impl Sleeper {
    fn new(environment: &[(&str, &str)]) -> Sleeper {
        let mut command = Command::new("setsid");
        let command = command.args(["sleep", "60"]).env_clear();
        let path = std::env::var_os("PATH").unwrap();
        command.env("PATH", path).envs(environment.iter().copied());
        let sleeper = Sleeper(command.spawn().unwrap());
        let program = format!("/proc/{}/comm", sleeper.0.id());
        while std::fs::read_to_string(&program).is_ok_and(|name| name != "sleep\n") {
            std::thread::sleep(INTERVAL);
        }
        sleeper
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.0)
    }

    fn start(&self) -> u64 {
        Entry::of(self.pid()).unwrap().start
    }

    fn is_killed(&mut self) -> bool {
        let status = self.0.try_wait().unwrap();
        status.is_some_and(|status| status.signal() == Some(9))
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn only_processes_of_engines_are_killed() {
    let _without_sweeps = strays::without_sweeps();
    let mut by_session = Sleeper::new(&[]);
    let mut by_mark = Sleeper::new(&[(strays::MARK, "7-123-4")]);
    let mut others = [
        Sleeper::new(&[]),
        Sleeper::new(&[(strays::MARK, "7-1234-4")]),
        Sleeper::new(&[(strays::MARK, "7-12-4")]),
        Sleeper::new(&[("MARK", "7-123-4")]),
        // Its process id was reused: the guard knows an engine with this id and an older start
        // time.
        Sleeper::new(&[]),
        // An engine with this id has ended.
        Sleeper::new(&[]),
    ];
    let mut watched = Watched::new(TOKEN);
    let mut note = |event: Event| watched.note(&event.to_string());
    note(Event::Started(by_session.pid(), by_session.start()));
    note(Event::Started(others[4].pid(), others[4].start() - 1));
    note(Event::Started(others[5].pid(), others[5].start()));
    note(Event::Ended(others[5].pid()));
    watched.end();
    assert!(by_session.is_killed() && by_mark.is_killed());
    for (index, other) in others.iter_mut().enumerate() {
        assert!(
            !other.is_killed() && Entry::of(other.pid()).is_some(),
            "{index}"
        );
    }
}

/// A program that is no guard is not waited for.
#[test]
fn a_guard_that_does_not_answer_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("mute");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 60\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, executable).unwrap();
    let late = loop {
        let error = Guard::start_within(&program, Duration::from_millis(50)).unwrap_err();
        // While another test starts a process, the script may be held open for writing.
        if error.kind() != io::ErrorKind::ExecutableFileBusy {
            break error;
        }
    };
    assert_eq!(late.kind(), io::ErrorKind::TimedOut);
    let silent = Guard::start_within("/bin/true".as_ref(), PATIENCE).unwrap_err();
    assert_eq!(silent.kind(), io::ErrorKind::UnexpectedEof);
}

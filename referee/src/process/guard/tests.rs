use std::os::unix::process::ExitStatusExt;

use super::*;

const TOKEN: &str = "7-123";

#[test]
fn events_read_as_they_are_written() {
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

/// A process that sleeps in a session of its own, whatever its environment.
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
fn what_comes_from_an_engine_is_ended_and_nothing_else() {
    let _undisturbed = strays::undisturbed();
    let mut by_session = Sleeper::new(&[]);
    let mut by_mark = Sleeper::new(&[(strays::MARK, "7-123-4")]);
    let mut others = [
        Sleeper::new(&[]),
        Sleeper::new(&[(strays::MARK, "7-1234-4")]),
        Sleeper::new(&[(strays::MARK, "7-12-4")]),
        Sleeper::new(&[("MARK", "7-123-4")]),
        // Its number was an engine's before, and is told to have been so still.
        Sleeper::new(&[]),
        // An engine of this number has gone.
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

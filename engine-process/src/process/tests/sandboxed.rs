//! Engines in the sandbox.

use super::*;
use crate::process::sandbox;

fn sandboxed(script: &str) -> Process {
    let mut spec = spec(&["sh", "-c", script]);
    spec.confinement.sandbox = true;
    Process::start(&spec, "test".into()).unwrap()
}

/// The lines that a script prints before it exits, and how it ends.
fn told(script: &str) -> (Vec<String>, Failure) {
    let mut process = sandboxed(script);
    let mut lines = Vec::new();
    loop {
        match process.receive(in_time()) {
            Ok(line) => lines.push(line.text),
            Err(failure) => return (lines, failure),
        }
    }
}

#[test]
fn the_end_of_an_engine_is_reported_as_it_was() {
    for (script, expected) in [
        ("exit 0", "exit status: 0"),
        ("exit 77", "exit status: 77"),
        ("kill -SEGV $$", "signal: 11 (SIGSEGV)"),
        ("kill -KILL $$", "signal: 9 (SIGKILL)"),
        ("kill -TERM $$", "signal: 15 (SIGTERM)"),
        // A child that goes on does not delay it.
        ("sleep 600 & exit 5", "exit status: 5"),
    ] {
        let start = Instant::now();
        let (_, failure) = told(script);
        assert_eq!(failure.to_string(), expected, "{script}");
        assert!(start.elapsed() < HANG);
    }
}

#[test]
fn a_missing_program_is_an_error() {
    let mut spec = spec(&["./no-such-engine"]);
    spec.confinement.sandbox = true;
    let failure = Process::start(&spec, "test".into()).err().unwrap();
    let expected = "cannot start: No such file or directory (os error 2)";
    assert_eq!(failure.to_string(), expected);
}

/// In a cell the command and the environment of an engine are one message to the starter.
#[test]
fn a_command_that_is_too_long_is_an_error() {
    let mut spec = spec(&["true"]);
    spec.confinement.sandbox = true;
    spec.environment.insert("A".into(), "a".repeat(200_000));
    let failure = Process::start(&spec, "test".into()).err().unwrap();
    let expected = "cannot start: Argument list too long (os error 7)";
    assert_eq!(failure.to_string(), expected);
}

#[test]
fn processes_that_are_left_are_counted_and_killed() {
    // One of them in a session of its own, where the system allows it.
    let mut process = sandboxed("setsid sleep 600 & (sleep 600 &) ; sleep 0.1; exit 0");
    process.ends(in_time()).unwrap();
    let expected = if sandbox::home().is_some() { 2 } else { 1 };
    assert_eq!(process.left_running(Instant::now()), expected);
    let family = strays::family(process.group.pid(), strays::MOST);
    assert!(family.len() > 1, "{family:?}");
    drop(process);
    for process in family {
        assert!(dies(&process.to_string()));
    }
    let mut process = sandboxed("sleep 0 & wait; exit 0");
    process.ends(in_time()).unwrap();
    assert_eq!(process.left_running(in_time().deadline), 0);
}

#[test]
fn a_paused_engine_does_nothing() {
    let ticks = "while :; do echo tick; sleep 0.02; done";
    for script in [ticks.to_owned(), format!("({ticks} &); sleep 600")] {
        let mut process = sandboxed(&script);
        does_nothing_while_paused(&mut process);
    }
}

#[test]
fn an_engine_dies_with_its_attendant() {
    if sandbox::home().is_none() {
        println!("not tested here: the system refuses namespaces");
        return;
    }
    let mut process = sandboxed("(setsid sleep 600 &); sleep 600 & echo ready; wait");
    process.receive(in_time()).unwrap();
    let family = strays::family(process.group.pid(), strays::MOST);
    assert_eq!(family.len(), 4, "{family:?}");
    strays::signal(&family[..1], rustix::process::Signal::KILL);
    assert_eq!(
        process.ends(in_time()).unwrap().to_string(),
        "signal: 9 (SIGKILL)"
    );
    for process in &family[1..] {
        assert!(dies(&process.to_string()));
    }
}

/// Somebody may kill the process that starts the engines.
#[test]
fn engines_start_again_after_the_starter_was_killed() {
    for _ in 0..3 {
        let mut process = sandboxed("echo ready");
        assert_eq!(process.receive(in_time()).unwrap().text, "ready");
        sandbox::kill_starter();
    }
}

#[test]
fn an_engine_inherits_standard_streams_only() {
    // Not closed at `exec`, as descriptors are that a shell has opened for the referee.
    let (_end, open) = rustix::pipe::pipe().unwrap();
    let (lines, _) = told("for file in /proc/$$/fd/*; do echo ${file##*/}; done");
    drop(open);
    // The shell has one more for the folder that it reads.
    let beyond = lines.iter().filter(|line| line.parse::<u32>().unwrap() > 3);
    assert_eq!(beyond.count(), 0, "{lines:?}");
}

#[test]
fn an_engine_sees_its_own_processes_and_folders_in_memory() {
    if sandbox::home().is_none() {
        println!("not tested here: the system refuses namespaces");
        return;
    }
    let (lines, _) = told("echo $$; echo $PPID; pwd; echo $HOME; echo $TMPDIR; ls -a /tmp | wc -l");
    assert_eq!(lines, ["2", "1", "/tmp", "/tmp", "/tmp", "2"]);
    let mut spec = spec(&["sh", "-c", "head -c 3000000 /dev/zero > $0/x; wc -c < $0/x"]);
    spec.confinement.sandbox = true;
    spec.confinement.file_mb = 2;
    for folder in ["/tmp", "/dev/shm"] {
        spec.arguments.truncate(2);
        spec.arguments.push(folder.into());
        let mut process = Process::start(&spec, "test".into()).unwrap();
        assert_eq!(
            process.receive(in_time()).unwrap().text,
            (2 << 20).to_string()
        );
    }
}

/// What an engine only reads is in an overlay, wherever it lies and whatever it is called.
#[test]
fn files_to_read_are_in_overlays() {
    if sandbox::home().is_none() {
        println!("not tested here: the system refuses namespaces");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let granted = place("a:b, c\\d");
    std::fs::create_dir_all(granted.join("in")).unwrap();
    for file in [granted.join("in/x"), place("y,z"), granted.join("in/log")] {
        std::fs::write(file, "text").unwrap();
    }
    let script = "cat \"$0/in/x\" \"$1\"; echo; for f in \"$0/in/x\" \"$1\" /usr /dev/null; do \
                  stat -f -c %T \"$f\"; done; echo x >> \"$0/in/log\" && echo written; \
                  echo x >> \"$0/in/x\" || ls / | grep -c -e old -e layer -e nothing";
    let mut spec = spec(&["sh", "-c", script]);
    let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
    spec.arguments.extend([text(&granted), text(&place("y,z"))]);
    spec.read = vec![granted.clone(), place("y,z")];
    spec.write = vec![granted.join("in/log")];
    spec.confinement.sandbox = true;
    if let Some(line) = unconfined(&spec)
        .iter()
        .find(|line| line.starts_with("locks"))
    {
        println!("not tested here: {line}");
        return;
    }
    let mut process = Process::start(&spec, "test".into()).unwrap();
    let mut line = || process.receive(in_time()).unwrap().text;
    assert_eq!(line(), "texttext");
    assert_eq!([line(), line(), line()], ["overlayfs"; 3]);
    assert_ne!(line(), "overlayfs");
    assert_eq!([line(), line()], ["written", "0"]);
}

/// The kernel refuses a layer in which something is mounted; the engine starts, and the log says so.
#[test]
fn folders_that_cannot_be_layers_are_named() {
    if sandbox::home().is_none() {
        println!("not tested here: the system refuses namespaces");
        return;
    }
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    if !mounts.contains(" /sys/") {
        println!("not tested here: nothing is mounted in /sys");
        return;
    }
    let mut spec = spec(&["sh", "-c", "echo started"]);
    spec.read = vec!["/sys".into()];
    spec.confinement.sandbox = true;
    let lines = unconfined(&spec);
    let named = lines.iter().any(|line| line.starts_with("locks of "));
    assert!(named, "{lines:?}");
    let mut process = Process::start(&spec, "test".into()).unwrap();
    assert_eq!(process.receive(in_time()).unwrap().text, "started");
}

/// A copy of the referee attends every engine in the sandbox, with the referee's secrets.
#[test]
fn an_engine_cannot_read_the_referee_s_memory() {
    let (lines, _) = told(
        "for file in environ maps mem fd cmdline; do \
         cat /proc/1/$file 2>/dev/null >/dev/null && ls /proc/1/$file/* && echo $file; done; \
         kill -KILL 1; echo $?; cat /proc/1/status >/dev/null && echo alive",
    );
    let open: Vec<&String> = lines.iter().filter(|line| line.contains("mem")).collect();
    assert_eq!(open, Vec::<&String>::new(), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("alive"));
}

//! However a referee ends, no process and no folder of its engines is left.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;

use crate::common::program::{folder_with, referee};
use crate::common::{skipped, without_control_groups};

const ENGINE: &str = env!("CARGO_BIN_EXE_test-engine");

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// The environment variable that marks the engines of a league, with its folder.
const MARK: &str = "REFEREE_GUARD_TEST";

/// Two games at a time. The first engine starts processes, the second then stays silent for a long
/// time.
fn league(fault: &str, sandbox: &str) -> String {
    format!(
        r#"
        league = {{ name = "x", games = ["hex"], concurrency = 2 }}
        clock = {{ base = "120s" }}
        [[engine]]
        name = "a"
        command = ["{ENGINE}", "{fault}"]
        sandbox = "{sandbox}"
        environment = {{ {MARK} = "FOLDER" }}
        [[engine]]
        name = "b"
        command = ["{ENGINE}", "silence", "2"]
        sandbox = "{sandbox}"
        environment = {{ {MARK} = "FOLDER" }}
        "#
    )
}

/// A folder with this league, and its path in the environment of the engines.
fn folder_of(league: &str) -> TempDir {
    let folder = folder_with("");
    let league = league.replace("FOLDER", &folder.path().to_string_lossy());
    fs::write(folder.path().join("league.toml"), league).expect("the file is written");
    folder
}

/// Starts a league in its own process group, as a terminal does. The engines' folders are inside
/// `folder`.
fn start(folder: &Path) -> Child {
    fs::create_dir_all(folder.join("tmp")).expect("a folder");
    referee(folder, &["league", "league.toml"])
        .env("TMPDIR", folder.join("tmp"))
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

/// The running processes whose folder in `/proc` satisfies `holds`.
fn processes(holds: impl Fn(&Path) -> bool) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("Linux tells of processes");
    let running = processes.flatten().map(|process| process.path());
    let running = running.filter(|path| holds(path));
    running.map(|path| path.display().to_string()).collect()
}

/// Processes whose working directory is an engine's folder, or that have the mark of the league.
fn engines(folder: &Path) -> Vec<String> {
    let tmp = folder.join("tmp");
    let mark = format!("{MARK}={}\0", folder.display());
    let is_marked = |path: &Path| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        let mut windows = environment.windows(mark.len());
        windows.any(|window| window == mark.as_bytes())
    };
    processes(|path| {
        let directory = fs::read_link(path.join("cwd"));
        directory.is_ok_and(|directory| directory.starts_with(&tmp)) || is_marked(path)
    })
}

/// The guard processes of a referee.
fn guards(referee: &Child) -> Vec<String> {
    let begin = format!("referee\0guard\0{}-", referee.id());
    processes(|path| {
        let line = fs::read(path.join("cmdline")).unwrap_or_default();
        line.starts_with(begin.as_bytes())
    })
}

/// How many folders of leagues and of engines inside them are left.
fn folders(folder: &Path) -> usize {
    let leagues = fs::read_dir(folder.join("tmp")).expect("the folder");
    let within = |league: fs::DirEntry| fs::read_dir(league.path()).map_or(0, Iterator::count);
    leagues.flatten().map(|league| 1 + within(league)).sum()
}

/// The control groups of a referee's engines.
fn control_groups(referee: &Child) -> Vec<PathBuf> {
    let begin = format!("referee-{}-", referee.id());
    let (mut found, mut next) = (Vec::new(), vec![PathBuf::from("/sys/fs/cgroup")]);
    while let Some(folder) = next.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let is_ours = entry.file_name().to_string_lossy().starts_with(&begin);
                if is_ours { &mut found } else { &mut next }.push(entry.path());
            }
        }
    }
    found
}

/// Waits until a condition holds.
fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(referee: &mut Child) {
    kill_process(Pid::from_child(referee), Signal::KILL).expect("it is not reaped");
    referee.wait().expect("it ends");
}

/// Checks that everything is gone soon, the guard last.
fn check_all_gone(folder: &Path, referee: &Child) {
    wait_for("the guard lives on", || guards(referee).is_empty());
    assert_eq!(engines(folder), Vec::<String>::new());
    assert_eq!(folders(folder), 0);
    assert_eq!(control_groups(referee), Vec::<PathBuf>::new());
}

#[test]
fn nothing_is_left_when_the_referee_is_killed() {
    for (fault, sandbox, processes) in [
        // Two games, each with both engines and the processes that one of them has started.
        ("nothing", "none", 2 * 2),
        ("stubborn", "none", 2 * 2),
        ("children", "none", 2 * 102),
        ("bare", "none", 2 * 3),
        ("daemon", "none", 2 * 3),
        ("daemons", "none", 2 * 102),
        ("nothing", "strict", 2 * 2),
        ("stubborn", "strict", 2 * 2),
        ("children", "strict", 2 * 102),
        ("daemons", "strict", 2 * 102),
    ] {
        let folder = folder_of(&league(fault, sandbox));
        let mut referee = start(folder.path());
        wait_for(fault, || engines(folder.path()).len() >= processes);
        assert_eq!(guards(&referee).len(), 1, "{fault}");
        if sandbox == "none" {
            assert_eq!(folders(folder.path()), 5, "{fault}");
        }
        kill(&mut referee);
        check_all_gone(folder.path(), &referee);
    }
}

/// Each of four engines has a group, and none is left.
#[test]
fn no_control_group_is_left_when_the_referee_is_killed() {
    if let Some(reason) = without_control_groups() {
        return skipped("control groups of a referee that is killed", &reason);
    }
    for sandbox in ["none", "strict"] {
        let folder = folder_of(&league("children", sandbox));
        let mut referee = start(folder.path());
        wait_for(sandbox, || engines(folder.path()).len() >= 2 * 102);
        let groups = control_groups(&referee);
        assert!(groups.len() >= 4, "{sandbox}: {groups:?}");
        kill(&mut referee);
        check_all_gone(folder.path(), &referee);
    }
}

#[test]
fn ctrl_c_does_not_reach_the_guard() {
    let folder = folder_of(&league("daemons", "none"));
    let mut referee = start(folder.path());
    wait_for("no daemons", || engines(folder.path()).len() >= 204);
    // The first Ctrl-C lets the games in progress finish; these do not finish.
    let group = Pid::from_child(&referee);
    kill_process_group(group, Signal::INT).expect("it runs");
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(guards(&referee).len(), 1);
    assert_eq!(referee.try_wait().expect("it is a child"), None);
    kill(&mut referee);
    check_all_gone(folder.path(), &referee);
}

#[test]
fn a_finished_league_leaves_no_guard() {
    let text = league("daemons", "none").replace("\"silence\", \"2\"", "\"illegal\", \"2\"");
    let folder = folder_of(&text);
    let mut referee = start(folder.path());
    referee.wait().expect("it ends");
    assert_eq!(guards(&referee), Vec::<String>::new());
    check_all_gone(folder.path(), &referee);
}

/// An engine may stop or kill the guard: the games go on.
#[test]
fn a_league_goes_on_without_its_guard() {
    for signal in [Signal::STOP, Signal::KILL] {
        let league = league("nothing", "none");
        let folder = folder_of(&league.replace("\"silence\", \"2\"", "\"late\", \"1\""));
        let mut referee = start(folder.path());
        wait_for("no guard", || guards(&referee).len() == 1);
        let guard = guards(&referee)[0].replace("/proc/", "");
        let guard = Pid::from_raw(guard.parse().expect("a number")).expect("a process");
        wait_for("no engines", || engines(folder.path()).len() >= 2);
        kill_process(guard, signal).expect("it runs");
        assert!(referee.wait().expect("it ends").success());
        check_all_gone(folder.path(), &referee);
    }
}

/// Processes that do not belong to the referee survive, even if they look similar.
#[test]
fn unrelated_processes_survive() {
    let folder = folder_of(&league("nothing", "none"));
    let mut unrelated = Command::new("setsid")
        .args(["sleep", "60"])
        .env("REFEREE_ENGINE", "1-2-3")
        .spawn()
        .expect("a process");
    let mut referee = start(folder.path());
    wait_for("no engines", || engines(folder.path()).len() >= 4);
    kill(&mut referee);
    check_all_gone(folder.path(), &referee);
    assert_eq!(unrelated.try_wait().expect("it is a child"), None);
    unrelated.kill().expect("it runs");
    unrelated.wait().expect("it ends");
}

//! A desk that is killed in the middle of a session, and one on a full disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use desk::{Dice, Entry, FILE_NAME, Host, Operation, Seat, Settings, State, Version};
use engine_core::Rng;
use gamelog::record::SideName;
use jiff::SignedDuration;
use league::spec;
use task::clock::ClockSpec;

use super::log::with_mounts;
use crate::common::program::{run, text};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The environment variable with the folder of the desk that is killed.
const FOLDER: &str = "REFEREE_TEST_DESK";

/// Number of events before the desk is killed.
const EVENTS: [usize; 3] = [3, 10, 25];

/// Amazons between an engine and a person.
fn settings() -> Settings {
    let rules = catalog::find("amazons").expect("a game");
    let referee = Path::new(env!("CARGO_BIN_EXE_referee"));
    let random = spec::named("random", rules, BTreeMap::new(), referee, 1).expect("an engine");
    let seat = |name: &str, engine| Seat {
        name: name.to_owned(),
        engine,
        clock: None,
    };
    let seats = [seat("engine", Some(random)), seat("person", None)];
    let clock = ClockSpec {
        base: Some(SignedDuration::from_hours(1)),
        ..ClockSpec::default()
    };
    Settings::casual(rules, seats, clock)
}

/// Plays on for both sides until the game is over, or has this many turns.
fn play_on(host: &Host, turns: usize) {
    let mut rng = Rng::new(7);
    let mut seen = Version::default();
    let end = Instant::now() + PATIENCE;
    loop {
        let state = host.snapshot().state;
        let game = state.game();
        if game.ending.is_some() || game.turns.len() >= turns {
            return;
        }
        if game.seat() == 1 {
            let turn = state.position().play_random_turn(&mut rng);
            let text = turn.expect("the person is to move");
            host.act(&Operation::Enter { text }).expect("a legal turn");
        } else {
            assert!(Instant::now() < end, "{state:?}");
            seen = host.wait(seen, Duration::from_secs(1));
        }
    }
}

/// The folder that a test gives to a process of its own.
fn given_folder() -> PathBuf {
    let folder = std::env::var_os(FOLDER);
    folder.expect("a process of another test").into()
}

#[test]
#[ignore = "the process that a_session_goes_on_after_sigkill starts and kills"]
fn be_killed() {
    let host = Host::begin(&given_folder(), settings()).expect("a session");
    play_on(&host, usize::MAX);
    std::thread::sleep(PATIENCE);
}

#[test]
#[ignore = "the process that a_game_goes_on_when_the_disk_is_full starts on a small disk"]
fn meet_a_full_disk() {
    let desk = &given_folder();
    let [_, person] = settings().seats;
    let mut other = person.clone();
    other.name = "other".to_owned();
    let settings = Settings {
        seats: [person, other],
        ..settings()
    };
    let host = Host::begin(desk, settings).expect("a session");
    let full = desk.join("full");
    let written = fs::write(&full, vec![0; 1 << 20]);
    assert!(written.is_err(), "the file system is small");
    let mut rng = Rng::new(7);
    let mut enter = || {
        let turn = host.snapshot().state.position().play_random_turn(&mut rng);
        let text = turn.expect("the game is not over");
        host.act(&Operation::Enter { text }).expect("a legal turn");
        host.snapshot().fault
    };
    // The last page of the file still has room.
    let fault = std::iter::repeat_with(&mut enter).take(60).flatten().next();
    let fault = fault.expect("the disk is full");
    assert!(fault.contains("No space left on device"), "{fault}");
    assert!(enter().is_some());
    fs::remove_file(full).expect("it is there");
    assert_eq!(enter(), None);
    let snapshot = host.snapshot();
    drop(host);
    let again = Host::open(&snapshot.folder).expect("a session").snapshot();
    let words = |state: &State| state.game().words().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&again.state), words(&snapshot.state));
    assert_eq!(again.warnings, [""; 0]);
}

#[test]
fn a_game_goes_on_when_the_disk_is_full() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::env::current_exe().expect("this program");
    let script = format!(
        "mkdir desk && mount -t tmpfs -o size=64k none desk && {FOLDER}=desk \"{}\" --exact \
         desk::meet_a_full_disk --ignored",
        program.display()
    );
    if let Some(output) = with_mounts(folder.path(), &script) {
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{said}"
        );
    }
}

fn start(desk: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "desk::be_killed", "--ignored"])
        .env(FOLDER, desk)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

/// Waits until the journal of the only session has this many lines. Returns its folder and its bytes.
fn wait_for(desk: &Path, lines: usize) -> (PathBuf, Vec<u8>) {
    let end = Instant::now() + PATIENCE;
    loop {
        let session = fs::read_dir(desk).expect("a folder").flatten().next();
        let folder = session.map(|session| session.path()).unwrap_or_default();
        let bytes = fs::read(folder.join(FILE_NAME)).unwrap_or_default();
        if bytes.iter().filter(|&&byte| byte == b'\n').count() >= lines {
            return (folder, bytes);
        }
        assert!(Instant::now() < end, "{} bytes", bytes.len());
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_session_goes_on_after_sigkill() {
    for events in EVENTS {
        let desk = tempfile::tempdir().expect("a folder");
        let mut child = start(desk.path());
        let (folder, seen) = wait_for(desk.path(), events);
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        let lines = seen.split_inclusive(|&byte| byte == b'\n');
        let seen: Vec<Entry> = lines
            .filter(|line| line.ends_with(b"\n"))
            .map(|line| serde_json::from_slice(line).expect("an event"))
            .collect();
        let before = State::replay(&seen).expect("a session");
        let host = Host::open(&folder).expect("a session");
        let state = host.snapshot().state;
        let words = |state: &State| state.game().words().map(str::to_owned).collect::<Vec<_>>();
        assert!(
            words(&state).starts_with(&words(&before)),
            "nothing is lost"
        );
        assert_eq!(
            (state.reopened, state.game().started),
            (1, before.game().started)
        );
        // Its engine is asked again, and the game goes on.
        let turns = state.game().turns.len();
        if state.paused {
            assert!(state.away.is_some() || state.game().ending.is_some());
            host.act(&Operation::Resume).expect("it is paused");
        }
        play_on(&host, turns + 4);
        let state = host.snapshot().state;
        assert!(state.game().turns.len() >= turns + 4 || state.game().ending.is_some());
    }
}

#[test]
fn the_commands_for_logs_take_games_at_the_desk() {
    let folder = tempfile::tempdir().expect("a folder");
    let [_, person] = settings().seats;
    let mut other = person.clone();
    other.name = "other".to_owned();
    let settings = Settings {
        game: "einstein".to_owned(),
        seats: [person, other],
        dice: Dice::Operator,
        contest: true,
        event: "2026 CCGC".to_owned(),
        ..settings()
    };
    let host = Host::begin(&folder.path().join("desk"), settings).expect("a session");
    let side = SideName::First;
    let left_us = 60_000_000;
    for operation in [
        enter("R:123456"),
        enter("B:123456"),
        enter("5"),
        Operation::SetClock { side, left_us },
        Operation::Correct {
            from: 3,
            reason: String::new(),
        },
        enter("6"),
        Operation::SetClock { side, left_us },
    ] {
        host.act(&operation).expect("it is possible");
    }
    let turn = host.snapshot().state.position().actions().remove(0);
    host.act(&enter(&turn)).expect("a legal turn");
    host.act(&Operation::Resign { side })
        .expect("the game is not over");
    drop(host);
    for (arguments, expected) in [
        (&["verify", "desk"][..], "1 game"),
        (&["standings", "desk"], "other"),
        (&["replay", "desk"], "resign (resigns)"),
        (&["export", "desk", "records/"], "1 game written"),
        (&["verify", "records"], "1 game"),
    ] {
        let output = run(folder.path(), arguments);
        let (said, fault) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {said}{fault}");
        assert!(said.contains(expected), "{arguments:?}: {said}{fault}");
    }
}

fn enter(text: &str) -> Operation {
    let text = text.to_owned();
    Operation::Enter { text }
}

//! A desk that is killed in the middle of a session.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use engine_core::Rng;
use jiff::SignedDuration;
use referee_core::desk::{Entry, FILE_NAME, Host, Operation, Seat, Settings, State, Version};
use referee_core::league::spec;
use referee_core::task::clock::ClockSpec;

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

/// The desk that the test below starts and kills; by itself it does nothing.
#[test]
#[ignore = "started by another test"]
fn be_killed() {
    if let Some(desk) = std::env::var_os(FOLDER) {
        let host = Host::begin(Path::new(&desk), settings()).expect("a session");
        play_on(&host, usize::MAX);
        std::thread::sleep(PATIENCE);
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
        play_on(&host, turns + 4);
        let state = host.snapshot().state;
        assert!(state.game().turns.len() >= turns + 4 || state.game().ending.is_some());
    }
}

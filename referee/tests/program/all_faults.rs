//! A league of engines that all misbehave, played by the program itself.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use gamelog::record::{GameResult, Reason};

use crate::common::program::{folder_with, games, referee, run};

const ENGINE: &str = env!("CARGO_BIN_EXE_test-engine");

/// The environment variable that marks the engines and their children.
const MARK: &str = "REFEREE_SIEGE_MARK";

/// The fault of each engine, and the reason why it then loses against a well-behaved one, if it
/// does.
const FAULTS: [(&str, Reason); 8] = [
    ("nothing", Reason::Rules),
    ("flood", Reason::Time),
    ("error-flood", Reason::Time),
    ("many-reports", Reason::Rules),
    ("long-line", Reason::Illegal),
    ("garbage", Reason::Illegal),
    ("daemons", Reason::Rules),
    ("abort", Reason::Crash),
];

/// The maximum memory of the referee, in KiB.
const MEMORY: u64 = 64 * 1024;

/// A league of all these engines; each misbehaves in its second turn.
fn league_file() -> String {
    let mut text = String::from(
        "league = { name = \"siege\", games = [\"hex\"], concurrency = 4 }\n\
         clock = { base = \"2s\", margin = \"50ms\" }\n\
         variant.hex = { size = 4 }\n",
    );
    for (fault, reason) in FAULTS {
        text += &format!(
            "[[engine]]\nname = \"{fault}\"\ncommand = [\"{ENGINE}\", \"{fault}\", \"2\"]\n\
             environment = {{ {MARK} = \"{}\" }}\n",
            std::process::id()
        );
        // Only those that never answer lose on time, however busy the machine is.
        if reason != Reason::Time {
            text += "clock = { base = \"60s\", margin = \"50ms\" }\n";
        }
    }
    text
}

/// The peak memory of a running process, in KiB.
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Whether a process of the league is still running.
fn is_left(mark: &str) -> bool {
    let mark = format!("{MARK}={mark}\0");
    let processes = fs::read_dir("/proc").expect("Linux shows its processes");
    processes.flatten().any(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let mut windows = environment.windows(mark.len());
        windows.any(|window| window == mark.as_bytes())
    })
}

#[test]
fn a_league_survives_all_faults() {
    let folder = folder_with(&league_file());
    let mut league = referee(folder.path(), &["league", "league.toml", "--out", "out"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut most = 0;
    let status = loop {
        if let Some(status) = league.try_wait().expect("a child can be waited for") {
            break status;
        }
        most = peak(&league).map_or(most, |peak| most.max(peak));
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(status.success(), "{status}");
    assert!((1..MEMORY).contains(&most), "{most} KiB");
    assert!(!is_left(&std::process::id().to_string()));

    let games = games(&folder.path().join("out"));
    assert_eq!(games.len(), FAULTS.len() * (FAULTS.len() - 1));
    let reason = |name: &str| {
        let fault = FAULTS.iter().find(|(fault, _)| *fault == name);
        fault.expect("an engine of the league").1
    };
    for game in &games {
        let why = format!("{} {:?}: {}", game.id, game.reason, game.detail);
        let loser = match game.result {
            GameResult::First => &game.second.name,
            _ => &game.first.name,
        };
        // No engine loses because of another one's fault.
        if game.reason == Reason::Rules {
            let players = [&game.first.name, &game.second.name];
            assert_eq!(
                players.map(|name| reason(name)),
                [Reason::Rules; 2],
                "{why}"
            );
        } else {
            assert_eq!(game.reason, reason(loser), "{why}");
        }
    }
    assert!(run(folder.path(), &["verify", "out"]).status.success());
}

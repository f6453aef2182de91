//! CPU time of engines in the log and in the tables.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use jiff::SignedDuration;
use referee_core::log::record::{GameRecord, Reason};
use referee_core::task::EngineSpec;
use referee_core::task::clock::ClockSpec;

use crate::common::{engine, hex_task, play, sau_engine};

fn clock() -> ClockSpec {
    ClockSpec {
        base: Some(SignedDuration::from_secs(60)),
        ..ClockSpec::default()
    }
}

/// An opponent that takes two seconds for its first turn, in which it sleeps.
fn sleeper() -> EngineSpec {
    EngineSpec {
        name: "sleeper".to_owned(),
        ..engine(&["late", "1"])
    }
}

/// A game of the sleeper, who is `First`, against another engine.
fn against(second: EngineSpec, pause_opponent: bool) -> GameRecord {
    let mut task = hex_task(sleeper(), second, clock());
    task.pause_opponent = pause_opponent;
    let record = play(&task);
    assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
    record
}

/// CPU time of a side (`First`: 0) while it was not to move, ms.
fn idle_ms(record: &GameRecord, side: usize) -> u64 {
    let turns = record.turns.iter().skip(side).step_by(2);
    turns
        .map(|turn| turn.cpu.expect("it is known").idle_ms)
        .sum()
}

/// What `referee standings` prints of a game.
fn tables(record: &GameRecord, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("games.jsonl");
    let line = serde_json::to_string(record).expect("a record is JSON");
    fs::write(&log, line + "\n").expect("a log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    let output = command.arg("standings").arg(log).args(arguments).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A busy machine gives an engine less than a core, but not less than a twentieth.
const LEAST: u64 = 100;

#[test]
fn engines_that_compute_while_they_are_not_to_move_are_shown() {
    let burner = EngineSpec {
        name: "burner".to_owned(),
        ..engine(&["burn"])
    };
    let record = against(burner, false);
    assert!(idle_ms(&record, 1) >= LEAST, "{record:?}");
    for by in ["game", "engine"] {
        let text = tables(&record, &["--by", by]);
        let table = text.split("CPU time while not to move, s\n").nth(1);
        let table = table.unwrap_or_else(|| panic!("no table: {text}"));
        assert!(
            table.contains("  burner  ") && !table.contains("  sleeper  "),
            "{text}"
        );
    }
    let json = tables(&record, &["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let engines = json["all"]["engines"].as_array().expect("engines");
    let burner = engines.iter().find(|engine| engine["name"] == "burner");
    let cpu = &burner.expect("a row")["cpu"];
    assert!(cpu["idle_ms"].as_u64() >= Some(LEAST), "{cpu}");
    assert!(cpu["waited_ms"].as_u64() >= Some(2_000), "{cpu}");
}

#[test]
fn engines_that_wait_are_not_shown() {
    for waiting in [engine(&[]), sau_engine(&[])] {
        let record = against(waiting, false);
        assert!(idle_ms(&record, 1) < LEAST, "{record:?}");
        let text = tables(&record, &[]);
        assert!(!text.contains("CPU time while not to move"), "{text}");
    }
}

#[test]
fn a_paused_engine_uses_no_time() {
    let record = against(engine(&["burn"]), true);
    assert!(idle_ms(&record, 1) < LEAST, "{record:?}");
    let own = record.turns.iter().skip(1).step_by(2);
    assert!(own.clone().count() > 0 && own.into_iter().all(|turn| turn.cpu.is_some()));
}

/// A process of the engine that it started before its own program.
#[test]
fn all_processes_of_an_engine_count() {
    let burner = EngineSpec {
        wrapper: ["sh", "-c", "while :; do :; done & exec \"$0\" \"$@\""]
            .map(String::from)
            .to_vec(),
        ..engine(&[])
    };
    let record = against(burner, false);
    assert!(idle_ms(&record, 1) >= LEAST, "{record:?}");
}

/// A log of an earlier version has no CPU times.
#[test]
fn records_without_cpu_times_can_be_read() {
    let mut record = against(engine(&[]), false);
    record.turns.iter_mut().for_each(|turn| turn.cpu = None);
    let line = serde_json::to_string(&record).expect("a record is JSON");
    assert!(!line.contains("cpu"), "{line}");
    let again: GameRecord = serde_json::from_str(&line).expect("a log can be read");
    assert_eq!(again, record);
    assert!(!tables(&record, &[]).contains("CPU"));
}

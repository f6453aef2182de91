//! CPU time of engines in the log and in the tables.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use gamelog::record::{GameRecord, GameResult, Reason};
use jiff::SignedDuration;
use league::results::verify;
use task::clock::ClockSpec;
use task::{EngineSpec, IdleCpu};

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
    let path = folder.path().join("games.jsonl");
    let line = gamelog::line(record).expect("a record is JSON");
    fs::write(&path, line).expect("a log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    let output = command.arg("standings").arg(path).args(arguments).output();
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

/// An engine that is busy until its opponent loses on time has no further turn.
#[test]
fn computing_after_the_last_turn_is_shown() {
    let burner = || EngineSpec {
        name: "burner".to_owned(),
        ..engine(&["burn"])
    };
    let clock = ClockSpec {
        per_move: Some(SignedDuration::from_secs(1)),
        ..ClockSpec::default()
    };
    let against = |second: EngineSpec, pause| {
        let mut task = hex_task(sleeper(), second, clock);
        task.pause_opponent = pause;
        let record = play(&task);
        assert_eq!(record.reason, Reason::Time, "{}", record.detail);
        record
    };
    let record = against(burner(), false);
    let after = record.second.after.expect("it was busy");
    assert!(
        after.idle_ms >= LEAST / 2 && after.waited_ms >= 1_000,
        "{after:?}"
    );
    assert_eq!(record.first.after, None, "it was to move");
    let text = tables(&record, &[]);
    let table = text.split("CPU time while not to move, s\n").nth(1);
    assert!(
        table.is_some_and(|table| table.contains("  burner  ")),
        "{text}"
    );
    for quiet in [against(burner(), true), against(engine(&[]), false)] {
        assert_eq!(quiet.second.after, None, "{quiet:?}");
    }
}

/// A game of the sleeper against one that is busy with so many processes that it gets more than a second
/// of CPU time even on a busy machine, under this rule.
fn under(rule: IdleCpu, clock: ClockSpec) -> GameRecord {
    let busy =
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do while :; do :; done & done; exec \"$0\" \"$@\"";
    let burner = EngineSpec {
        wrapper: ["sh", "-c", busy].map(String::from).to_vec(),
        ..engine(&[])
    };
    let mut task = hex_task(sleeper(), burner, clock);
    task.idle_cpu = rule;
    let record = play(&task);
    verify::check(&record).expect("the clocks agree");
    record
}

#[test]
fn cpu_time_while_not_to_move_is_charged() {
    let record = under(IdleCpu::Charge, clock());
    assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
    let turn = &record.turns[1];
    let idle_ms = turn.cpu.expect("it is known").idle_ms;
    assert!(turn.charged_us >= 1_000 * LEAST, "{turn:?}");
    assert!(turn.charged_us <= 1_000 * (idle_ms + 1), "{turn:?}");
    let left_us = 60_000_000 - turn.charged_us - turn.used_us;
    assert_eq!(turn.left_us, Some(left_us));
    assert!(
        record
            .turns
            .iter()
            .step_by(2)
            .all(|turn| turn.charged_us == 0)
    );
    // Whoever takes the charge out of a log has time that the engine did not have.
    let mut other = record.clone();
    other.turns[1].charged_us = 0;
    let fault = verify::check(&other).expect_err("the clock does not agree");
    assert!(fault.starts_with("ply 2: clock of Second: "), "{fault}");
    other.turns[1].charged_us = 61_000_000;
    let fault = verify::check(&other).expect_err("more than there was");
    assert!(fault.contains("expected no more than it had"), "{fault}");
}

#[test]
fn cpu_time_while_not_to_move_is_forfeited() {
    // Less than the sleeper needs: it would lose on time.
    let short = ClockSpec {
        per_move: Some(SignedDuration::from_millis(1900)),
        ..ClockSpec::default()
    };
    assert_eq!(under(IdleCpu::Show, short).result, GameResult::Second);
    for clock in [clock(), short] {
        let record = under(IdleCpu::Forfeit, clock);
        assert_eq!(record.result, GameResult::First);
        assert_eq!(record.reason, Reason::Time);
        let detail = &record.detail;
        assert!(
            detail.ends_with("s in which it was not to move"),
            "{detail}"
        );
    }
    assert!(under(IdleCpu::Show, clock()).turns.len() > 2);
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

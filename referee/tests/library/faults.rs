//! Engines with every known kind of fault: the game ends in time, with the right winner and reason,
//! and leaves no process.

use std::time::{Duration, Instant};

use engine_process::deviation::Deviation;
use gamelog::record::{GameResult, Reason};
use jiff::SignedDuration;
use task::clock::ClockSpec;
use task::{EngineSpec, GameTask};

use crate::common::{SLACK, ends, engine, hex_task, in_parallel, left_behind, play, sau_engine};

/// The time of an engine that uses it up.
const BASE: Duration = Duration::from_secs(1);

/// The time of all others: enough on the busiest machine.
const AMPLE: SignedDuration = SignedDuration::from_secs(120);

/// The grace of the clock.
const MARGIN: Duration = Duration::from_millis(50);

/// Checks a fault in the second turn of either side, in UGI and SAU.
fn check(fault: &str, reason: Reason, detail: &str) {
    check_at(2, fault, reason, detail);
}

fn check_at(turn: u32, fault: &str, reason: Reason, detail: &str) {
    let sound = unhurried(engine(&[]));
    let faulty = &[fault, &turn.to_string()];
    let [ugi, sau] = [engine(faulty), sau_engine(faulty)].map(|faulty| match reason {
        Reason::Time => faulty,
        _ => unhurried(faulty),
    });
    let games = [
        (&ugi, &sound, GameResult::First),
        (&sau, &sound, GameResult::First),
        (&sound, &ugi, GameResult::Second),
    ];
    in_parallel(&games, |&(first, second, loser)| {
        let task = clocked(first.clone(), second.clone());
        ends(&task, loser, reason, detail);
    });
}

/// The same engine with ample time.
fn unhurried(engine: EngineSpec) -> EngineSpec {
    let clock = ClockSpec {
        base: Some(AMPLE),
        ..ClockSpec::default()
    };
    EngineSpec {
        clock: Some(clock),
        ..engine
    }
}

fn clocked(first: EngineSpec, second: EngineSpec) -> GameTask {
    hex_task(
        first,
        second,
        ClockSpec {
            base: BASE.try_into().ok(),
            margin: MARGIN.try_into().expect("a short time"),
            ..ClockSpec::default()
        },
    )
}

#[test]
fn illegal_turns() {
    check("illegal", Reason::Illegal, "\"zz99\": column");
    check("garbage", Reason::Illegal, "\u{fffd}");
}

#[test]
fn exited_processes() {
    check("abort", Reason::Crash, "signal: 6 (SIGABRT)");
    check("exit", Reason::Crash, "exit status: 0");
    check("child", Reason::Crash, "exit status: 3");
}

#[test]
fn closed_pipes() {
    check(
        "close-output",
        Reason::Disconnect,
        "closed its standard output",
    );
    check(
        "close-input",
        Reason::Disconnect,
        "closed its standard input",
    );
}

#[test]
fn no_answer() {
    check("silence", Reason::Time, "no turn within");
    check("half-line", Reason::Time, "no turn within");
    check("stop-itself", Reason::Time, "no turn within");
}

#[test]
fn no_answer_without_a_clock() {
    let limits: [fn(&mut ClockSpec); 2] = [
        |clock| clock.nodes = Some(1000),
        |clock| clock.depth = Some(5),
    ];
    for limit in limits {
        for faulty in [engine(&["silence", "2"]), sau_engine(&["silence", "2"])] {
            let mut task = clocked(faulty, unhurried(engine(&[])));
            task.clock.patience = task.clock.base.take();
            limit(&mut task.clock);
            ends(&task, GameResult::First, Reason::Time, "no turn within");
        }
    }
}

#[test]
fn answers_that_come_early() {
    // These answers would be illegal if they counted.
    check_at(1, "early", Reason::Time, "no turn within");
}

#[test]
fn answers_that_come_late() {
    check("late", Reason::Time, "no turn within");
}

#[test]
fn floods() {
    check("flood", Reason::Time, "no turn within");
    check("error-flood", Reason::Time, "no turn within");
    check(
        "long-line",
        Reason::Illegal,
        "a line of more than 16777216 bytes",
    );
}

/// A report that is too long is no turn: it is cut, and the turn after it counts.
#[test]
fn long_reports() {
    let sound = unhurried(engine(&[]));
    for faulty in [
        engine(&["long-report", "2"]),
        sau_engine(&["long-report", "2"]),
    ] {
        let record = play(&clocked(unhurried(faulty), sound.clone()));
        assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
        assert_eq!(record.first.deviations.count(Deviation::LongLine), 1);
    }
}

#[test]
fn more_memory_than_allowed() {
    for mut faulty in [engine(&["memory", "2"]), sau_engine(&["memory", "2"])] {
        faulty.confinement.memory_mb = 128;
        let task = clocked(unhurried(faulty), unhurried(engine(&[])));
        let words = "signal: 6 (SIGABRT); standard error: memory allocation";
        ends(&task, GameResult::First, Reason::Crash, words);
        let limit = "(it may use 128 MiB of memory: memory_mb)";
        ends(&task, GameResult::First, Reason::Crash, limit);
    }
}

#[test]
fn resigning() {
    check("resign", Reason::Resign, "resigns");
}

#[test]
fn engines_that_do_not_start() {
    for faulty in [engine(&["die-at-once"]), sau_engine(&["die-at-once"])] {
        ends(
            &clocked(faulty, engine(&[])),
            GameResult::First,
            Reason::Crash,
            "before the game: exit status: 7; standard error: cannot find my book",
        );
    }
    let mut absent = engine(&[]);
    absent.command = vec!["./no-such-engine".into()];
    ends(
        &clocked(engine(&[]), absent),
        GameResult::Second,
        Reason::Stall,
        "cannot start",
    );
}

/// Behaviour that is no fault or is tolerated: the game is played to its end.
#[test]
fn tolerated_behaviour_does_not_lose() {
    for fault in [
        "nothing",
        "chatter",
        "two-answers",
        "many-reports",
        "stubborn",
        "children",
        "daemon",
        "daemons",
    ] {
        for faulty in [engine(&[fault, "2"]), sau_engine(&[fault, "2"])] {
            let mut task = clocked(faulty, engine(&[]));
            task.clock.base = Some(AMPLE);
            let record = play(&task);
            assert_eq!(record.reason, Reason::Rules, "{fault}: {}", record.detail);
            assert_eq!(left_behind(&task), Vec::<String>::new(), "{fault}");
        }
    }
}

/// The referee waits for an engine only once, before the game, never between turns. So an engine
/// gains no time by delaying answers other than turns.
#[test]
fn no_thinking_time_off_the_clock() {
    for slow in [engine(&["slow-sync"]), sau_engine(&["slow-sync"])] {
        let task = clocked(unhurried(slow), unhurried(engine(&[])));
        let record = play(&task);
        assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
        assert!(record.turns.len() > 16, "{}", record.turns.len());
        // A wait before each of its turns would take a second each.
        let waits = record.turns.len() as u64 / 2;
        assert!(record.duration_ms < waits * 1000, "{}", record.duration_ms);
        assert_eq!(left_behind(&task), Vec::<String>::new());
    }
}

/// The handshake has a timeout of ten seconds in total, also for an engine that completes half of
/// it. One engine's time does not reduce the other's.
#[test]
fn handshakes_have_a_timeout() {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let record = play(&clocked(
                unhurried(engine(&["slow-handshake"])),
                unhurried(engine(&["slow-handshake"])),
            ));
            assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
        });
        for fault in ["no-handshake", "never-ready"] {
            scope.spawn(move || {
                let task = clocked(engine(&[]), engine(&[fault]));
                let start = Instant::now();
                let record = play(&task);
                assert_eq!(record.result, GameResult::First);
                assert_eq!(record.reason, Reason::Stall);
                assert_eq!(record.detail, "not ready to play within 10 s");
                assert!(start.elapsed() < engine_process::START_UP + SLACK);
                assert_eq!(left_behind(&task), Vec::<String>::new());
            });
        }
    });
}

/// The engine takes six seconds.
#[test]
fn an_engine_has_the_time_to_start_that_the_league_gives_it() {
    let mut hasty = engine(&["slow-handshake"]);
    hasty.start_up = Some(Duration::from_millis(500));
    let record = play(&clocked(engine(&[]), hasty));
    assert_eq!(record.result, GameResult::First);
    assert_eq!(record.reason, Reason::Stall);
    assert_eq!(record.detail, "not ready to play within 0.5 s");
}

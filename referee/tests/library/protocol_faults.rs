//! Misbehaving engines in GTP, Gomocup's and Botzone's protocols: the game ends in time, with the
//! right winner and reason, and leaves no process. [`faults`](../faults.rs) has those in UGI and
//! SAU.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use referee::log::deviation::{Deviation, Deviations};
use referee::log::record::{GameResult, Reason};
use referee::task::clock::ClockSpec;
use referee::task::{EngineSpec, GameTask, Protocol};

use crate::common::{SLACK, ends, engine, left_behind, play, task};

/// Each side's time; it includes the start of Python.
const BASE: SignedDuration = SignedDuration::from_secs(2);

/// An engine in Python from the folder `scripted`.
fn script(protocol: Protocol, name: &str, arguments: &[&str]) -> EngineSpec {
    let path = format!("{}/tests/scripted/{name}.py", env!("CARGO_MANIFEST_DIR"));
    let arguments = [&[&*path], arguments].concat();
    let arguments: Vec<String> = arguments.into_iter().map(String::from).collect();
    EngineSpec {
        name: name.into(),
        command: [&["python3".to_owned()], &*arguments].concat(),
        arguments,
        protocol,
        ..EngineSpec::default()
    }
}

/// The protocol by its name in the script.
fn protocol(name: &str) -> Protocol {
    match name {
        "gtp" => Protocol::Gtp,
        "gomocup" => Protocol::Gomocup,
        _ => Protocol::Botzone,
    }
}

/// A game of an engine that misbehaves in its second turn, against a well-behaved one.
fn game(name: &str, fault: &str) -> GameTask {
    let faulty = |fault, turn| script(protocol(name), "faulty", &[name, fault, turn]);
    let (game, sound) = match name {
        "gomocup" => ("connect6", faulty("nothing", "0")),
        _ => ("hex", engine(&[])),
    };
    let clock = ClockSpec {
        base: Some(BASE),
        margin: SignedDuration::from_millis(50),
        ..ClockSpec::default()
    };
    task(game, "{}", faulty(fault, "2"), sound, clock)
}

#[track_caller]
fn check(name: &str, fault: &str, reason: Reason, detail: &str) {
    eprintln!("{name} {fault}");
    ends(&game(name, fault), GameResult::First, reason, detail);
}

/// Behaviour that is no fault or is tolerated: the game is played to its end.
fn check_sound(name: &str, fault: &str) -> Deviations {
    let mut task = game(name, fault);
    task.clock.base = Some(SignedDuration::from_secs(120));
    let record = play(&task);
    let ended = (record.reason, &*record.detail);
    assert_eq!(record.reason, Reason::Rules, "{name} {fault}: {ended:?}");
    assert_eq!(left_behind(&task), Vec::<String>::new(), "{name} {fault}");
    record.first.deviations
}

/// An engine that exits or closes its output instead of answering.
fn check_end(name: &str) {
    check(name, "exit", Reason::Crash, "exit status: 0");
    check(name, "status", Reason::Crash, "exit status: 3");
    check(name, "child", Reason::Crash, "exit status: 3");
    let closed = "closed its standard output";
    check(name, "closed", Reason::Disconnect, closed);
}

/// Tests for all engines that keep running during the game.
fn check_session(name: &str) {
    check_end(name);
    check(name, "answered-and-gone", Reason::Crash, "exit status: 0");
    let long = "a line of more than 65536 bytes";
    check(name, "endless-line", Reason::Illegal, long);
    for fault in ["silence", "late", "half", "early"] {
        check(name, fault, Reason::Time, "no turn within");
    }
    assert!(check_sound(name, "children").is_empty());
    let twice = check_sound(name, "two");
    assert!(!twice.is_empty(), "{name}: a second answer is a deviation");
}

#[test]
fn in_gtp() {
    check_session("gtp");
    check("gtp", "garbage", Reason::Illegal, "\u{fffd}");
    for fault in ["flood", "unended", "endless-answer"] {
        check("gtp", fault, Reason::Time, "no turn within");
    }
}

#[test]
fn in_gomocup_s_protocol() {
    check_session("gomocup");
    for fault in ["flood", "garbage"] {
        check("gomocup", fault, Reason::Time, "no turn within");
    }
}

#[test]
fn bots_that_keep_running() {
    check_session("staying");
    check("staying", "garbage", Reason::Illegal, "\u{fffd}");
    check("staying", "flood", Reason::Illegal, "\"hello\": ");
    for fault in ["unended", "endless-answer"] {
        check("staying", fault, Reason::Time, "no turn within");
    }
    let closed = "closed its standard output";
    check("staying", "answered-and-closed", Reason::Disconnect, closed);
}

/// A process answers once: its start, answer and exit count as thinking time, and it leaves no
/// process.
#[test]
fn bots_that_exit_after_each_answer() {
    let name = "botzone";
    let long = "a line of more than 65536 bytes";
    check_end(name);
    check(name, "garbage", Reason::Illegal, "\u{fffd}");
    check(name, "flood", Reason::Illegal, "\"hello\": ");
    check(name, "endless-line", Reason::Illegal, long);
    for fault in [
        "silence",
        "late",
        "half",
        "endless-answer",
        "answered-and-closed",
    ] {
        check(name, fault, Reason::Time, "no turn within");
    }
    for fault in ["nothing", "two", "children"] {
        let deviations = check_sound(name, fault);
        assert_eq!(
            deviations.count(Deviation::Chatter),
            u64::from(fault == "two")
        );
    }
}

/// A bot that has answered and does not exit does not delay the stop of the referee.
#[test]
fn the_referee_stops_at_once() {
    for (name, fault) in [
        ("gtp", "endless-answer"),
        ("gomocup", "silence"),
        ("staying", "unended"),
        ("botzone", "answered-and-closed"),
    ] {
        let mut task = game(name, fault);
        task.clock.base = Some(SignedDuration::from_secs(120));
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let game = scope.spawn(|| {
                let played = referee::play::game::play(&task, &stop);
                (played, Instant::now())
            });
            std::thread::sleep(Duration::from_secs(1));
            let stopped = Instant::now();
            stop.store(true, Ordering::Relaxed);
            let (played, ended) = game.join().expect("the game ends");
            assert!(played.is_none(), "{name}: {played:?}");
            assert!(ended.duration_since(stopped) < SLACK, "{name}");
        });
        assert_eq!(left_behind(&task), Vec::<String>::new());
    }
}

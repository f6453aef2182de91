//! Misbehaving engines in GTP, Gomocup's and Botzone's protocols: the game ends in time, with the
//! right winner and reason, and leaves no process. [`faults`](super::faults) has those in UGI and
//! SAU.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine_process::deviation::{Deviation, Deviations};
use gamelog::record::{GameResult, Reason};
use jiff::SignedDuration;
use task::clock::ClockSpec;
use task::{EngineSpec, GameTask, Protocol};

use crate::common::program::python;
use crate::common::{SLACK, ends, engine, in_parallel, left_behind, play, task};

/// The time of an engine that uses it up; it includes the start of Python.
const BASE: SignedDuration = SignedDuration::from_secs(2);

/// The time of all others: enough on the busiest machine.
const AMPLE: SignedDuration = SignedDuration::from_secs(120);

/// An engine in Python from the folder `scripted`.
fn script(protocol: Protocol, name: &str, arguments: &[&str]) -> EngineSpec {
    let path = format!("{}/tests/scripted/{name}.py", env!("CARGO_MANIFEST_DIR"));
    let arguments = [&["-I", "-S", &*path], arguments].concat();
    let arguments: Vec<String> = arguments.into_iter().map(String::from).collect();
    EngineSpec {
        name: name.into(),
        command: [&[python().to_owned()], &*arguments].concat(),
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

/// A game of an engine that misbehaves in its second turn and has this much time, against a
/// well-behaved one.
fn game(name: &str, fault: &str, base: SignedDuration) -> GameTask {
    let faulty = |fault, turn| script(protocol(name), "faulty", &[name, fault, turn]);
    let (game, sound) = match name {
        "gomocup" => ("connect6", faulty("nothing", "0")),
        _ => ("hex", engine(&[])),
    };
    let clock = |base| ClockSpec {
        base: Some(base),
        margin: SignedDuration::from_millis(50),
        ..ClockSpec::default()
    };
    let mut task = task(game, "{}", faulty(fault, "2"), sound, clock(BASE));
    task.first.clock = Some(clock(base));
    task.second.clock = Some(clock(AMPLE));
    task
}

/// A fault, and how it ends the game.
type Fault = (&'static str, Reason, &'static str);

/// Engines that exit or close their output instead of answering.
const ENDS: [Fault; 4] = [
    ("exit", Reason::Crash, "exit status: 0"),
    ("status", Reason::Crash, "exit status: 3"),
    ("child", Reason::Crash, "exit status: 3"),
    ("closed", Reason::Disconnect, "closed its standard output"),
];

/// The faults of engines that keep running during the game.
const SESSION: [Fault; 6] = [
    ("answered-and-gone", Reason::Crash, "exit status: 0"),
    ("endless-line", Reason::Illegal, LONG_LINE),
    ("silence", Reason::Time, NO_TURN),
    ("late", Reason::Time, NO_TURN),
    ("half", Reason::Time, NO_TURN),
    ("early", Reason::Time, NO_TURN),
];

const LONG_LINE: &str = "a line of more than ";
const NO_TURN: &str = "no turn within";

/// Checks that each fault ends its game so.
fn check(name: &str, faults: &[&[Fault]]) {
    in_parallel(&faults.concat(), |&(fault, reason, detail)| {
        eprintln!("{name} {fault}");
        let base = match reason {
            Reason::Time => BASE,
            _ => AMPLE,
        };
        ends(&game(name, fault, base), GameResult::First, reason, detail);
    });
}

/// Behaviour that is no fault or is tolerated: the game is played to its end.
fn check_sound(name: &str, fault: &str) -> Deviations {
    let task = game(name, fault, AMPLE);
    let record = play(&task);
    let ended = (record.reason, &*record.detail);
    assert_eq!(record.reason, Reason::Rules, "{name} {fault}: {ended:?}");
    assert_eq!(left_behind(&task), Vec::<String>::new(), "{name} {fault}");
    record.first.deviations
}

/// Tests for all engines that keep running during the game.
fn check_session(name: &str, faults: &[Fault]) {
    check(name, &[&ENDS, &SESSION, faults]);
    assert!(check_sound(name, "children").is_empty());
    let twice = check_sound(name, "two");
    assert!(!twice.is_empty(), "{name}: a second answer is a deviation");
}

#[test]
fn in_gtp() {
    check_session(
        "gtp",
        &[
            ("garbage", Reason::Illegal, "\u{fffd}"),
            ("flood", Reason::Time, NO_TURN),
            ("unended", Reason::Time, NO_TURN),
            ("endless-answer", Reason::Time, NO_TURN),
        ],
    );
}

#[test]
fn in_gomocup_s_protocol() {
    check_session(
        "gomocup",
        &[
            ("flood", Reason::Time, NO_TURN),
            ("garbage", Reason::Time, NO_TURN),
        ],
    );
}

#[test]
fn bots_that_keep_running() {
    let closed = "closed its standard output";
    check_session(
        "staying",
        &[
            ("garbage", Reason::Illegal, "\u{fffd}"),
            ("flood", Reason::Illegal, "\"hello\": "),
            ("unended", Reason::Time, NO_TURN),
            ("endless-answer", Reason::Time, NO_TURN),
            ("answered-and-closed", Reason::Disconnect, closed),
        ],
    );
}

/// A process answers once: its start, answer and exit count as thinking time, and it leaves no
/// process.
#[test]
fn bots_that_exit_after_each_answer() {
    let name = "botzone";
    let faults = [
        ("garbage", Reason::Illegal, "\u{fffd}"),
        ("flood", Reason::Illegal, "\"hello\": "),
        ("endless-line", Reason::Illegal, LONG_LINE),
        ("silence", Reason::Time, NO_TURN),
        ("late", Reason::Time, NO_TURN),
        ("half", Reason::Time, NO_TURN),
        ("endless-answer", Reason::Time, NO_TURN),
        ("answered-and-closed", Reason::Time, NO_TURN),
    ];
    check(name, &[&ENDS, &faults]);
    in_parallel(&["nothing", "two", "children"], |&fault| {
        let deviations = check_sound(name, fault);
        assert_eq!(
            deviations.count(Deviation::Chatter),
            u64::from(fault == "two")
        );
    });
}

/// A long line costs nothing if it is no turn, or if it is a turn with the data that a bot saves.
#[test]
fn long_lines() {
    in_parallel(&["gtp", "gomocup"], |&name| {
        let long = check_sound(name, "long-line").count(Deviation::LongLine);
        assert_eq!(long, 1, "{name}");
    });
    in_parallel(&["botzone", "staying"], |&name| {
        assert!(check_sound(name, "data").is_empty(), "{name}");
    });
}

/// A bot that is started for every turn takes longer for that than its answers, and the log shows it.
#[test]
#[cfg(target_os = "linux")]
fn the_cpu_time_of_bots_that_exit_is_known() {
    let record = play(&game("botzone", "nothing", AMPLE));
    assert_eq!(record.reason, Reason::Rules, "{}", record.detail);
    let own = record.turns.iter().step_by(2);
    let times = own.map(|turn| turn.cpu.expect("it is known"));
    let (turns, idle) = times.fold((0, 0), |(turns, idle), cpu| {
        (turns + cpu.turn_ms, idle + cpu.idle_ms)
    });
    // Python needs 5 ms and more.
    let count = record.turns.len() as u64 / 2;
    assert!(turns >= 2 * count, "{turns} ms in {count} turns");
    assert!(idle < turns, "{idle} ms");
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
        let task = game(name, fault, AMPLE);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let game = scope.spawn(|| {
                let played = league::play::game::play(&task, &stop);
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

//! The check of an engine: correct engines pass, and every fault is found at its point.

use serde_json::{Value, json};
use task::Protocol;

use crate::common::in_parallel;
use crate::common::program::{python, spoken};

/// The test engine.
const ENGINE: &str = env!("CARGO_BIN_EXE_test-engine");

/// Runs a check that is thorough enough for a test; `arguments` come first.
fn check(arguments: &[&str], command: &[&str]) -> (String, String, Option<i32>) {
    let short = ["--positions", "30", "--games", "2"];
    spoken(&[&["check"], arguments, &short, &["--"], command].concat())
}

#[test]
fn built_in_engines_pass() {
    let games = catalog::GAMES.iter();
    let checks: Vec<_> = games
        .flat_map(|&game| Protocol::ALL.map(|protocol| (game, protocol)))
        .filter_map(|(game, protocol)| Some((game.id(), protocol, variant(game, protocol)?)))
        .collect();
    assert!(checks.len() > 20, "{}", checks.len());
    in_parallel(&checks, |(game, protocol, variant)| {
        let built_in = |habit: &[&str]| {
            let protocol = protocol.name();
            let variant = variant.to_string();
            let chosen = ["--protocol", protocol, "--variant", &variant];
            // Timing decides nothing here: the machine is busy.
            let arguments = [&["--game", game, "--margin", "3s"], &chosen[..]].concat();
            let engine = [
                &["referee", "engine", game, "--move-time", "20"],
                &chosen[..],
                habit,
            ];
            let (out, error, status) = check(&arguments, &engine.concat());
            assert_eq!(status, Some(0), "{game} {protocol}: {out}{error}");
            assert!(out.ends_with("\n\nfit to play\n"), "{out}");
            assert!(!out.contains("FAULT"), "{out}");
        };
        if *protocol != Protocol::BotzoneSimple {
            built_in(&[]);
        }
        if matches!(protocol, Protocol::Botzone | Protocol::BotzoneSimple) {
            built_in(&["--keep-running"]);
        }
    });
}

/// A variant in which the game is played in the protocol, the contest's if possible.
fn variant(game: &dyn catalog::Rules, protocol: Protocol) -> Option<Value> {
    let variants = [
        json!({}),
        json!({"size": 8}),
        json!({"size": 15}),
        json!({"opening": "free", "forbidden": "off"}),
    ];
    let fits = |variant: &Value| game.announce(protocol, variant).is_ok();
    variants.into_iter().find(fits)
}

/// The output of a check of the test engine with these arguments, on a small board, with this
/// margin.
fn faulty(protocol: &str, margin: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let variant = r#"{"size":5}"#;
    let mut command = [&[ENGINE], arguments].concat();
    if protocol == "sau" {
        command.extend(["--sau", "--variant", variant]);
    }
    let (out, error, status) = check(
        &[
            "--game",
            "hex",
            "--variant",
            variant,
            "--protocol",
            protocol,
            "--margin",
            margin,
            // Long for the test engine, which answers at once or never.
            "--patience",
            "10s",
        ],
        &command,
    );
    assert_eq!(error, "", "{arguments:?}");
    (out, status)
}

/// Whether a line has this grade and point, and contains `words`.
fn has(out: &str, grade: &str, point: &str, words: &str) -> bool {
    let start = format!("{grade:<6}{point:<18}");
    out.lines()
        .any(|line| line.starts_with(&start) && line.contains(words))
}

/// A fault: arguments of the test engine, and the points with parts of their messages.
type Expected<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)]);

/// Checks that faults are found.
fn find(protocol: &str, faults: &[Expected<'_>]) {
    in_parallel(faults, |&(arguments, found)| {
        let (out, status) = faulty(protocol, "600ms", arguments);
        assert_eq!(status, Some(1), "{arguments:?}: {out}");
        let verdict = out.lines().last().unwrap_or_default();
        let (_, points) = verdict.split_once(": ").unwrap_or_default();
        let points = points.split(';').next().unwrap_or_default();
        for &(point, words) in found {
            assert!(has(&out, "FAULT", point, words), "{arguments:?}: {out}");
            assert!(points.split(", ").any(|named| named == point), "{verdict}");
        }
    });
}

#[test]
fn a_correct_engine_passes() {
    for protocol in ["ugi", "sau"] {
        let (out, status) = faulty(protocol, "3s", &["nothing"]);
        assert_eq!(status, Some(0), "{out}");
        let notes: Vec<&str> = out
            .lines()
            .filter(|line| line.starts_with("note"))
            .collect();
        let known = |line: &&&str| line.contains("confine") || line.contains("`error`");
        assert_eq!(notes.iter().filter(known).count(), notes.len(), "{out}");
    }
}

#[test]
fn faults_in_ugi_are_found_at_their_points() {
    find(
        "ugi",
        &[
            // The longest first.
            (
                &["stubborn"],
                &[("quit", "still running"), ("end of input", "still running")],
            ),
            (&["children"], &[("processes", "100 of its processes")]),
            (&["daemon"], &[("processes", "1 of its processes")]),
            (&["die-at-once"], &[("handshake", "cannot find my book")]),
            (
                &["no-handshake"],
                &[("handshake", "no answer within 10000 ms")],
            ),
            (&["no-name"], &[("name", "no id name")]),
            (&["bad-option"], &[("options", "default \"9\"")]),
            (&["die-of-bound"], &[("setoption", "value 8")]),
            (&["die-of-option"], &[("unknown option", "no such option")]),
            (&["never-ready"], &[("isready", "expected readyok")]),
            (
                &["illegal", "3"],
                &[("legality", "1 of 30 answers illegal")],
            ),
            (&["garbage"], &[("legality", "expected a legal turn")]),
            (&["exit", "9"], &[("legality", "position 9 of 30")]),
            (&["abort", "35"], &[("movetime", "SIGABRT")]),
            (
                &["silence", "35"],
                &[("movetime", "no answer within 10000 ms")],
            ),
            (&["late", "35"], &[("movetime", "after its time")]),
            (&["late", "45"], &[("clock", "used of")]),
            (&["slow-stop"], &[("stop", "10 of 10 answers came later")]),
            (&["die-of-end"], &[("finished game", "exit status: 4")]),
            (&["one-game"], &[("several games", "exit status: 5")]),
            (&["die-of-nonsense"], &[("chatter", "exit status: 8")]),
            (&["two-answers", "3"], &[("unasked", "bestmove")]),
            (&["early", "30"], &[("unasked", "zz99")]),
            (&["bad-status"], &[("quit", "exit status: 3")]),
        ],
    );
}

#[test]
fn faults_in_sau_are_found_at_their_points() {
    find(
        "sau",
        &[
            (&["stubborn"], &[("end of input", "still running")]),
            (&["daemon"], &[("processes", "1 of its processes")]),
            (&["die-at-once"], &[("handshake", "exit status: 7")]),
            (
                &["no-handshake"],
                &[("handshake", "no answer within 10000 ms")],
            ),
            (&["illegal"], &[("first turn", "expected a legal turn")]),
            (
                &["illegal", "2"],
                &[("several games", "expected a legal turn")],
            ),
            (&["one-game"], &[("several games", "exit status: 5")]),
            (&["play-on"], &[("end", "expected nothing")]),
            (&["die-of-nonsense"], &[("chatter", "exit status: 8")]),
            (&["two-answers"], &[("unasked", "move")]),
            (&["bad-status"], &[("quit", "exit status: 3")]),
        ],
    );
}

/// The output of a check of the scripted engine with this fault.
fn scripted(protocol: &str, fault: &str) -> (String, Option<i32>) {
    scripted_with(protocol, fault, &[])
}

/// The same with more arguments, which come last and hold.
fn scripted_with(protocol: &str, fault: &str, more: &[&str]) -> (String, Option<i32>) {
    let script = format!("{}/tests/scripted/checked.py", env!("CARGO_MANIFEST_DIR"));
    let (game, own, variant, games) = match protocol {
        "gtp" if more.is_empty() => ("hex", "gtp", r#"{"size":5}"#, "2"),
        "gtp" => ("hex", "gtp", r#"{"size":11}"#, "1"),
        "gomocup" => ("connect6", "gomocup", r#"{"size":9}"#, "2"),
        // A process for every turn takes long.
        "simple" => ("hex", "botzone-simple", "{}", "1"),
        "botzone" => ("hex", "botzone", "{}", "1"),
        _ => ("hex", "botzone", "{}", "2"),
    };
    let arguments = [
        &[
            "check",
            "--game",
            game,
            "--protocol",
            own,
            "--variant",
            variant,
        ][..],
        &[
            "--positions",
            "6",
            "--games",
            games,
            "--margin",
            "3s",
            "--patience",
            "10s",
        ],
        more,
        &["--", python(), "-I", "-S", &script, protocol, fault],
    ];
    let (out, error, status) = spoken(&arguments.concat());
    assert_eq!(error, "", "{protocol} {fault}");
    (out, status)
}

/// Checks that the scripted engine fails at exactly one point, with this grade and these words.
fn find_only(protocol: &str, faults: &[(&str, &str, &str, &str)]) {
    in_parallel(faults, |&(fault, grade, point, words)| {
        let (out, status) = scripted(protocol, fault);
        assert!(has(&out, grade, point, words), "{fault}: {out}");
        let (verdict, code) = match grade {
            "FAULT" => (format!("1 fault: {point}"), 1),
            _ => ("fit to play".to_owned(), 0),
        };
        let last = out.lines().last().unwrap_or_default();
        let last = last.trim_end_matches("; nothing else was checked");
        assert_eq!((last, status), (&*verdict, Some(code)), "{fault}: {out}");
        if grade == "note" {
            assert_eq!(notes(&out, point), 1, "{fault}: {out}");
        }
    });
}

/// Number of notes, apart from those about this machine: its confinement and, except at `point`,
/// its speed.
fn notes(out: &str, point: &str) -> usize {
    let machine = ["confinement", "turn time"];
    let machine = machine.into_iter().filter(|&name| name != point);
    let machine: Vec<String> = machine.map(|name| format!("note  {name} ")).collect();
    let noted = out.lines().filter(|line| line.starts_with("note"));
    let own = noted.filter(|line| !machine.iter().any(|start| line.starts_with(start)));
    own.count()
}

#[test]
fn correct_scripted_engines_pass() {
    let protocols = ["gtp", "gomocup", "botzone", "simple", "staying"];
    in_parallel(&protocols, |protocol| {
        let (out, status) = scripted(protocol, "nothing");
        assert_eq!((status, notes(&out, "")), (Some(0), 0), "{out}");
    });
}

#[test]
fn faults_in_gtp_are_found_at_their_points() {
    find_only(
        "gtp",
        &[
            ("silent", "FAULT", "handshake", "no answer within 10000 ms"),
            ("babbles", "FAULT", "handshake", "no answer within 10000 ms"),
            ("endless", "FAULT", "handshake", "an empty line after it"),
            ("nameless", "FAULT", "name", "expected a name"),
            ("versionless", "note", "name", "without a version"),
            ("few-commands", "FAULT", "commands", "no clear_board"),
            ("old", "note", "commands", "\"= 1\", expected \"= 2\""),
            ("omniscient", "note", "commands", "known_command xyzzy"),
            ("small", "FAULT", "board", "\"? unacceptable size\""),
            ("huge", "note", "board", "but `boardsize 1000 1000` too"),
            ("numberless", "FAULT", "ids", "with the id 1"),
            ("agrees", "FAULT", "unknown command", "a response with ?"),
            ("lawless", "FAULT", "illegal move", "`play b zz99`: \"=\""),
            ("forgets-to-undo", "FAULT", "undo", "illegal move"),
            (
                "timeless",
                "FAULT",
                "time commands",
                "to `time_left b 600 0`",
            ),
            ("untimed", "note", "time commands", "must limit itself"),
            ("illegal", "FAULT", "legality", "answers illegal, the first"),
            ("late", "FAULT", "clock", "expected at most 4000 ms"),
            ("one-game", "FAULT", "several games", "game 2 of 2: "),
            ("literal", "FAULT", "chatter", "as without the chatter"),
            ("dies-on-a-clock", "FAULT", "league game", "no time left"),
            ("twice", "FAULT", "unasked", "\"= "),
            ("chatter", "note", "output", "not part of the protocol"),
            ("bad-status", "FAULT", "quit", "exit status: 3"),
            ("lingers", "FAULT", "end of input", "still running after 1"),
            ("slow", "note", "end of input", "which is slow"),
            ("child", "FAULT", "processes", "of its processes"),
        ],
    );
}

/// On a board with nine columns or more.
#[test]
fn column_letters_of_gtp_are_told() {
    let cases = [
        ("nothing", "all", "ok", "with i, as in HTP"),
        ("skip-i", "skip-i", "ok", "without i, as in Go"),
        ("skip-i", "all", "FAULT", "expected --letters skip-i"),
        ("nothing", "skip-i", "FAULT", "expected --letters all"),
        ("lawless", "all", "note", "cannot be told"),
    ];
    in_parallel(&cases, |&(habit, letters, grade, words)| {
        let (out, status) = scripted_with("gtp", habit, &["--letters", letters]);
        assert!(has(&out, grade, "letters", words), "{habit}: {out}");
        if grade == "ok" {
            assert_eq!((status, notes(&out, "")), (Some(0), 0), "{habit}: {out}");
        }
    });
    let (_, error, status) = check(
        &["--game", "hex", "--letters", "skip-i"],
        &["referee", "engine", "hex"],
    );
    assert_eq!(status, Some(2));
    assert!(
        error.contains("only GTP engines differ in their column letters"),
        "{error}"
    );
}

#[test]
fn faults_in_gomocup_s_protocol_are_found_at_their_points() {
    find_only(
        "gomocup",
        &[
            ("silent", "FAULT", "handshake", "no answer within 10000 ms"),
            ("small", "FAULT", "handshake", "\"ERROR unsupported size\""),
            ("nameless", "note", "name", "it can play without"),
            ("huge", "note", "board", "`START 1000`: OK"),
            ("answers-info", "FAULT", "INFO", "\"UNKNOWN key\""),
            ("mute", "FAULT", "unknown command", "expected UNKNOWN"),
            ("square", "FAULT", "optional commands", "RECTSTART 20,19"),
            ("illegal", "FAULT", "legality", "answers illegal, the first"),
            ("late", "FAULT", "turn time", "expected at most 3500 ms"),
            ("one-game", "FAULT", "several games", "game 2 of 2: "),
            ("literal", "FAULT", "chatter", "expected a turn"),
            ("dies-on-a-clock", "FAULT", "league game", "no time left"),
            ("twice", "FAULT", "unasked", "expected one answer"),
            ("chatter", "note", "output", "not part of the protocol"),
            ("bad-status", "FAULT", "quit", "exit status: 3"),
            ("lingers", "FAULT", "end of input", "still running after 1"),
            ("slow", "note", "end of input", "which is slow"),
            ("child", "FAULT", "processes", "of its processes"),
        ],
    );
}

#[test]
fn faults_of_bots_are_found_at_their_points() {
    let faults = [
        ("silent", "FAULT", "first request", "no answer within"),
        ("garbage", "FAULT", "first request", "\"hello\""),
        ("bad-status", "FAULT", "first request", "exit status: 3"),
    ];
    in_parallel(&["botzone", "simple"], |protocol| {
        find_only(protocol, &faults)
    });
}

#[test]
fn faults_of_bots_that_keep_running_are_found_at_their_points() {
    find_only(
        "staying",
        &[
            (
                "wordy",
                "note",
                "first request",
                "its `debug` has 1100 bytes",
            ),
            ("illegal", "FAULT", "legality", "answers illegal, the first"),
            ("dies-of-others", "FAULT", "several games", "exit status: 5"),
            ("dies-of-itself", "FAULT", "league game", "exit status: 6"),
            ("late", "note", "turn time", "Botzone allows 1000 ms"),
            ("literal", "FAULT", "chatter", "what is xyzzy?"),
            ("chatter", "note", "output", "not part of the protocol"),
            ("child", "FAULT", "processes", "of its processes"),
            ("twice", "FAULT", "unasked", "expected one answer"),
            ("lingers", "note", "end of input", "Botzone kills it"),
        ],
    );
}

/// Behaviour that costs no game is a note, and the engine passes.
#[test]
fn tolerated_behaviour_is_a_note() {
    let notes: [(&str, &[&str], &str, &str); 7] = [
        (
            "ugi",
            &["slow-quit"],
            "quit",
            "which is slow: a league waits 1000 ms",
        ),
        ("sau", &["no-name"], "handshake", "it can play without"),
        (
            "ugi",
            &["chatter", "3"],
            "output",
            "not part of the protocol",
        ),
        ("ugi", &["chatter", "3"], "output", "encoding "),
        ("ugi", &["upper-case", "3"], "output", ": case "),
        ("ugi", &["many-reports", "3"], "output", "a flood of"),
        ("ugi", &["resign", "3"], "legality", "resigned in 1"),
    ];
    in_parallel(&notes, |&(protocol, arguments, point, words)| {
        let (out, status) = faulty(protocol, "5s", arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {out}");
        assert!(has(&out, "note", point, words), "{arguments:?}: {out}");
    });
}

/// A handshake may take a while. It is slow in the first process only, which leaves a file.
#[test]
fn a_slow_handshake_is_no_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let arguments = [
        "--game",
        "hex",
        "--margin",
        "5s",
        "--directory",
        path,
        "--write",
        path,
    ];
    let (out, error, status) = check(&arguments, &[ENGINE, "slow-handshake"]);
    assert_eq!(status, Some(0), "{out}{error}");
    assert!(has(&out, "ok", "handshake", "ugiok 6"), "{out}");
}

#[test]
fn bad_input_is_one_clear_message() {
    for (arguments, message) in [
        (
            &["--game", "hex", "./no-such-engine"][..],
            "the engine: program \"./no-such-engine\", expected an executable file in ",
        ),
        (
            &["--game", "hex", "no-such-engine"],
            "the engine: program \"no-such-engine\", expected an executable file in PATH",
        ),
        (&["--game", "go", ENGINE], "game \"go\", expected one of"),
        (
            &["--game", "hex", "--variant", "{size=0}", ENGINE],
            "--variant: ",
        ),
        (
            &["--game", "hex", "--directory", "/no/such", ENGINE],
            "--directory /no/such: expected a folder",
        ),
        (
            &["--game", "amazons", "--protocol", "gomocup", ENGINE],
            "--protocol: expected a protocol that amazons is played in: ugi, sau, gtp, ",
        ),
        (
            &[
                "--game",
                "hex",
                "--protocol",
                "botzone",
                "--option",
                "a=1",
                ENGINE,
            ],
            "--option: expected none: botzone does not support options",
        ),
    ] {
        let (out, error, status) = spoken(&[&["check"], arguments].concat());
        assert_eq!((&*out, status), ("", Some(2)), "{error}");
        assert!(error.starts_with(message), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn findings_can_be_read_by_programs() {
    let (out, _, status) = check(
        &["--game", "hex", "--format", "json"],
        &[ENGINE, "die-at-once"],
    );
    assert_eq!(status, Some(1));
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["fit"], false);
    assert_eq!(report["complete"], false);
    assert_eq!(report["findings"][0]["point"], "handshake");
    assert_eq!(report["findings"][0]["grade"], "fault");
}

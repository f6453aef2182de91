//! The built-in engines in the GTP, Botzone and Gomocup protocols: conversations, line by line.

use std::fs::File;

use engine_core::Rng;

use crate::common::builtin::Engine;
use crate::common::program::{referee, text};

const QUICK: [&str; 4] = ["--algorithm", "greedy", "--move-time", "50"];

fn start(game: &str, protocol: &str, more: &[&str]) -> Engine {
    let arguments = [&["--protocol", protocol], &QUICK[..], more].concat();
    Engine::start(game, &arguments)
}

/// Sends a line, and returns the first line that begins with `word`.
fn ask(engine: &mut Engine, line: &str, word: &str) -> String {
    engine.send(line);
    engine.expect(word)
}

#[test]
fn gtp_answers_every_command_once() {
    let mut engine = start("hex", "gtp", &[]);
    for (command, response) in [
        ("1 protocol_version", "=1 2"),
        ("2 name # who?", "=2 Hex"),
        ("3 known_command genmove", "=3 true"),
        ("4 known_command fly", "=4 false"),
        ("5 fly", "?5 unknown command"),
        ("6 play b", "?6 syntax error"),
        ("7 boardsize 3 4", "?7 unacceptable size"),
        ("8 boardsize 99", "?8 unacceptable size"),
        ("9 boardsize 3 3", "=9"),
        ("10 clear_board", "=10"),
        ("11 undo", "?11 cannot undo"),
        ("12 play w a1", "=12"),
        (
            "13 play b a9",
            "?13 illegal move: column 2: expected a row 1 to 3, found",
        ),
        ("28 undo", "=28"),
        ("14 play black B1", "=14"),
        ("15 play white c3", "=15"),
        ("16 undo", "=16"),
        ("17 final_score", "?17 the game is not over"),
        ("18 play w c3", "=18"),
        ("19 play b b2", "=19"),
        ("20 play w c2", "=20"),
        ("21 time_settings 0 5 1", "=21"),
        ("22 time_left b 5 1", "=22"),
        ("23 genmove red", "?23 syntax error: expected b or w"),
    ] {
        let id = response.split(' ').next().expect("a word");
        let line = ask(&mut engine, command, id);
        assert!(line.starts_with(response), "{command}: {line}");
    }
    // It can win at once.
    let turn = ask(&mut engine, "24 genmove b", "=24");
    assert!(["=24 b3", "=24 a3"].contains(&&*turn), "{turn}");
    assert_eq!(ask(&mut engine, "25 final_score", "=25"), "=25 B+");
    assert_eq!(
        ask(&mut engine, "26 genmove w", "?26"),
        "?26 the game is over"
    );
    engine.send("27 quit");
    engine.expect("=27");
    engine.close();
}

/// Allocating a large table takes longer than a turn may take.
#[test]
fn allocating_the_table_costs_no_turn_in_gtp() {
    let arguments = [
        "--protocol",
        "gtp",
        "--move-time",
        "100",
        "--table-mb",
        "512",
    ];
    let mut engine = Engine::start("hex", &arguments);
    engine.send("1 boardsize 5");
    engine.send("2 clear_board");
    let turn = ask(&mut engine, "3 genmove b", "=3");
    assert_ne!(turn, "=3 a1", "the first that is legal");
    engine.close();
}

#[test]
fn gtp_shows_boards_without_empty_lines() {
    let mut engine = start("amazons", "gtp", &[]);
    engine.send("showboard");
    engine.send("1 name");
    engine.expect("=1");
    let lines = engine.unexpected();
    let board = lines.iter().take_while(|line| !line.is_empty()).count();
    assert!(board > 10, "{lines:?}");
    engine.close();
}

#[test]
fn gomocup_plays_from_any_board() {
    let mut engine = start("connect6", "gomocup", &[]);
    assert!(ask(&mut engine, "ABOUT", "name=").starts_with("name=\"Connect6 "));
    assert!(ask(&mut engine, "START 3", "ERROR").contains("no board of size 3"));
    assert_eq!(ask(&mut engine, "start 15\r", "OK"), "OK");
    engine.send("INFO timeout_turn 100");
    engine.send("BEGIN");
    assert_eq!(ask(&mut engine, "RESTART", "OK"), "OK");
    let first = engine.unexpected();
    assert!(
        first.len() == 1 && first[0].split(',').count() == 2,
        "{first:?}"
    );
    // It has five in a row and must complete them.
    engine.send("BOARD");
    for stone in [
        "7,7,2", "0,0,1", "1,0,1", "0,5,2", "0,7,2", "2,0,1", "3,0,1", "0,9,2", "0,11,2",
    ] {
        engine.send(stone);
    }
    let turn = ask(&mut engine, "DONE", "");
    assert!(["4,0 5,0", "5,0 4,0"].contains(&&*turn), "{turn}");
    engine.send("BOARD");
    engine.send("7,7,1");
    engine.send("7,8,1");
    assert!(ask(&mut engine, "DONE", "ERROR").contains("no game has so many stones"));
    ask(&mut engine, "RESTART", "OK");
    assert!(ask(&mut engine, "TURN 99,99", "ERROR").contains("expected a number from 0 to 14"));
    assert!(ask(&mut engine, "FLY", "UNKNOWN").starts_with("UNKNOWN"));
    // Half of the opponent's turn; the engine must not play the other half.
    let turn = ask(&mut engine, "TURN 7,7", "");
    assert_eq!(turn.split(' ').count(), 2, "{turn}");
    let empty = (0..15)
        .map(|x| format!("{x},14"))
        .find(|cell| !turn.contains(cell));
    let half = format!("TURN {}", empty.expect("two stones of fifteen cells"));
    assert!(ask(&mut engine, &half, "ERROR").contains("the turn is not over"));
    engine.send("END");
    engine.close();
}

#[test]
fn botzone_gets_one_answer_per_process() {
    let mut engine = start("hex", "botzone", &[]);
    let input = r#"{"requests":[{"x":-1,"y":-1},{"x":5,"y":5}],"responses":[{"x":1,"y":2}],"data":"","time_limit":1.0}"#;
    let answer = ask(&mut engine, input, "{");
    assert!(answer.starts_with("{\"response\":{\"x\":"), "{answer}");
    engine.close();

    let mut engine = start("dots-and-boxes", "botzone-simple", &["--keep-running"]);
    for line in ["1", "1 0 1"] {
        engine.send(line);
    }
    assert_eq!(engine.expect("-1"), "-1 -1", "the other side goes on");
    engine.expect(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<");
    let edge = ask(&mut engine, "3 0 0", "");
    let numbers: Vec<u8> = edge
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    assert!(
        numbers.len() == 2 && numbers.iter().all(|&number| number < 11),
        "{edge}"
    );
    engine.close();
}

#[test]
fn bad_botzone_input_is_an_error() {
    for (protocol, input, message) in [
        ("botzone", "hello", "expected a line of JSON"),
        (
            "botzone",
            r#"{"requests":[{"x":99,"y":0}],"responses":[]}"#,
            "99 0: column 1: expected a number from 0 to 10",
        ),
        ("botzone-simple", "two", "expected the number of requests"),
        ("botzone-simple", "1\n5", "expected 2 numbers"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("input");
        std::fs::write(&path, input).expect("the file is written");
        let mut command = referee(folder.path(), &["engine", "hex", "--protocol", protocol]);
        command.stdin(File::open(&path).expect("the file is there"));
        let result = command.output().expect("the program starts");
        assert_eq!(result.status.code(), Some(2));
        let words = text(&result.stderr);
        assert!(
            words.contains("standard input: ") && words.contains(message),
            "{words}"
        );
    }
}

/// Lines that resemble a protocol's, and random bytes.
fn noise(protocol: &str, rng: &mut Rng) -> Vec<u8> {
    let words: &[&str] = match protocol {
        "gtp" => &[
            "play",
            "genmove",
            "b",
            "w",
            "a1",
            "c3",
            "undo",
            "boardsize",
            "clear_board",
            "5",
            "11",
            "time_left",
            "time_settings",
            "-1",
            "0",
            "1e400",
            "NaN",
            "showboard",
            "swap-pieces",
            "#",
            "7",
        ],
        "gomocup" => &[
            "START",
            "19",
            "BEGIN",
            "TURN",
            "9,9",
            "3,3",
            "8,8,1",
            "1,1,2",
            "BOARD",
            "DONE",
            "INFO",
            "time_left",
            "timeout_turn",
            "timeout_match",
            "RESTART",
            "-5",
            "99999999999999999999",
            ",",
        ],
        _ => &[
            "1",
            "2",
            "-1 -1",
            "3 4",
            "{\"requests\":[",
            "{\"x\":1,\"y\":",
            "}",
            "],\"responses\":[",
            "]",
            "\"time_limit\":",
            "1e999",
            "null",
            "9223372036854775808",
            "\u{feff}",
        ],
    };
    let mut pick = |count: usize| rng.below(count as u32) as usize;
    let mut bytes = Vec::new();
    for _ in 0..300 {
        match pick(12) {
            0 => bytes.extend([pick(256) as u8, b' ']),
            1 | 2 => bytes.push(b'\n'),
            3 => bytes.extend(b"\r\n"),
            _ => {
                bytes.extend(words[pick(words.len())].bytes());
                bytes.push(b' ');
            }
        }
    }
    bytes
}

/// Whatever it reads, an engine exits cleanly or reports what it expected.
#[test]
fn no_input_crashes_an_engine() {
    let mut rng = Rng::new(7);
    for (game, protocol) in [
        ("hex", "gtp"),
        ("connect6", "gtp"),
        ("connect6", "gomocup"),
        ("hex", "botzone"),
        ("dots-and-boxes", "botzone-simple"),
    ] {
        for _ in 0..20 {
            let noise = noise(protocol, &mut rng);
            let quick = ["--algorithm", "greedy", "--move-time", "1"];
            let arguments = [&["engine", game, "--protocol", protocol], &quick[..]].concat();
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("noise");
            std::fs::write(&path, &noise).expect("the file is written");
            let input = File::open(&path).expect("the file is there");
            let output = referee(folder.path(), &arguments).stdin(input).output();
            let output = output.expect("the program starts");
            let stderr = String::from_utf8_lossy(&output.stderr);
            let ended = matches!(output.status.code(), Some(0 | 2)) && !stderr.contains("panicked");
            let noise = String::from_utf8_lossy(&noise);
            assert!(
                ended,
                "{game} {protocol}: {}: {stderr}\n{noise}",
                output.status
            );
        }
    }
}

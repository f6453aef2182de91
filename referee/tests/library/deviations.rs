//! Engines that deviate from their protocol, as contest engines do: the game goes on, and the log
//! has the deviations.
//!
//! They are Python scripts that write what the test gives them and exit at any line that is not
//! exactly in the protocol: the referee reads leniently and writes strictly.

use std::time::Duration;

use engine_process::deviation::Deviation;
use gamelog::record::{GameRecord, GameResult, Reason};
use jiff::SignedDuration;
use serde_json::{Value, json};
use task::clock::ClockSpec;
use task::{EngineSpec, GameTask, Protocol};

use crate::common::program::{folder_with, run, text};
use crate::common::{left_behind, play, task};

/// An engine that writes given text. Bytes are Latin-1 characters.
const SCRIPT: &str = r#"
import json, os, re, sys, time

script = json.loads(sys.argv[1])
heard = open(os.environ["HEARD"], "a") if "HEARD" in os.environ else None
turns = iter(script["turns"])

def say(text):
    sys.stdout.buffer.write(text.encode("latin-1"))
    sys.stdout.flush()

SENT = {
    "sau": r"new (black|white)|move [A-S]{2}([A-S]{2}|@@)|error|end|quit|name\??",
    "ugi": r"ugi|uginewgame|isready|position startpos( moves( [a-s]\d+([a-s]\d+)?)+)?|go movetime \d+|quit",
}

say(script["banner"])
for line in sys.stdin:
    line = line[:-1]
    if heard:
        print(line, file=heard, flush=True)
    if not re.fullmatch(SENT[script["protocol"]], line):
        sys.exit("not part of the protocol: " + repr(line))
    elif line == script["question"]:
        say(script["name"])
    elif line == "isready":
        say("readyok\n")
    elif line == "error":
        time.sleep(script["pause"])
        say(next(turns))
    elif line == "new black" or line.startswith(("move", "go")):
        say(next(turns, ""))
    elif line == "quit":
        break
"#;

/// Black's turns in SAU: six in a row, the sixth with the first stone of a turn.
const BLACK: [&str; 4] = ["JJ@@", "KJLJ", "MJNJ", "OJ@@"];

/// The same turns in UGI.
const BLACK_UGI: [&str; 4] = ["j10", "k10l10", "m10n10", "o10"];

/// White's turns.
const WHITE: [&str; 3] = ["AAAC", "AEAG", "AIAK"];

/// A script in which black answers with these lines.
fn black(lines: [&str; 4]) -> Value {
    json!({
        "protocol": "sau", "banner": "", "question": "name?", "name": "name black\n",
        "turns": lines, "pause": 0,
    })
}

/// A script in which black writes `before`, its turn and `after`.
fn around(before: &str, after: &str) -> Value {
    let lines = BLACK.map(|turn| format!("{before}{turn}{after}"));
    black(lines.each_ref().map(String::as_str))
}

/// The same script with another value for a key.
fn with(mut script: Value, key: &str, value: impl Into<Value>) -> Value {
    script[key] = value.into();
    script
}

/// A black engine in UGI that writes `before`, its turn and `after`.
fn ugi(before: &str, after: &str) -> Value {
    let lines = BLACK_UGI.map(|turn| format!("{before}{turn}{after}"));
    let script = black(lines.each_ref().map(String::as_str));
    let script = with(script, "protocol", "ugi");
    let script = with(script, "question", "ugi");
    with(script, "name", "id name black\nid author a test\nugiok\n")
}

/// The engine of a script.
fn engine(script: &Value) -> EngineSpec {
    let command = ["python3", "-c", SCRIPT, &script.to_string()].map(str::to_owned);
    EngineSpec {
        name: "script".into(),
        arguments: command[1..].to_vec(),
        command: command.to_vec(),
        protocol: match script["protocol"].as_str() {
            Some("ugi") => Protocol::Ugi,
            _ => Protocol::Sau,
        },
        ..EngineSpec::default()
    }
}

/// A game against a well-behaved scripted engine, with this time per turn.
fn game(black: EngineSpec, time: Duration) -> GameTask {
    let white = json!({
        "protocol": "sau", "banner": "", "question": "name?", "name": "name white\n",
        "turns": WHITE.map(|turn| format!("move {turn}\n")), "pause": 0,
    });
    let clock = ClockSpec {
        per_move: SignedDuration::try_from(time).ok(),
        ..ClockSpec::default()
    };
    task("connect6", "{}", black, engine(&white), clock)
}

/// Plays the game; white must have no deviations.
fn played(task: &GameTask) -> GameRecord {
    let record = play(task);
    assert!(record.second.deviations.is_empty(), "{record:?}");
    assert_eq!(left_behind(task), Vec::<String>::new());
    let line = serde_json::to_string(&record).expect("a record is JSON");
    let again: GameRecord = serde_json::from_str(&line).expect("a log can be read");
    assert_eq!(again, record);
    record
}

/// Checks that black wins in spite of its deviations, and that the log has exactly these.
#[track_caller]
fn check(script: &Value, expected: &[(Deviation, u64)]) {
    let record = played(&game(engine(script), Duration::from_secs(20)));
    let found: Vec<(Deviation, u64)> = record.first.deviations.iter().collect();
    assert_eq!(
        (record.result, record.reason, &*record.detail),
        (GameResult::First, Reason::Rules, "six in a row"),
        "{found:?}"
    );
    let turns: Vec<&str> = record.turns.iter().map(|turn| &*turn.text).collect();
    let all = [
        "j10", "a19a17", "k10l10", "a15a13", "m10n10", "a11a9", "o10",
    ];
    assert_eq!(turns, all);
    assert_eq!(record.first.version, "black");
    assert_eq!(found, expected);
}

#[test]
fn a_correct_engine_has_no_deviations() {
    check(&around("move ", "\n"), &[]);
    check(&ugi("bestmove ", "\n"), &[]);
    check(
        &ugi("info depth 1 score cp 3 nodes 5\nbestmove ", "\n"),
        &[],
    );
}

#[test]
fn line_ends_of_another_system() {
    let script = with(around("move ", "\r\n"), "name", "name black\r\n");
    check(&script, &[]);
    let name = "id name black\r\nugiok\r\n";
    check(&with(ugi("bestmove ", " \r\n"), "name", name), &[]);
}

#[test]
fn chatter() {
    let four = &[(Deviation::Chatter, 4)];
    check(&around("\n \nI think a move is best\nmove ", "\n"), four);
    check(&around("move ", "\nmy move was good\n"), four);
    check(&around(" move AA\nmove ", "\n"), four);
    check(&ugi("\n \nI think\nbestmove ", "\n"), four);
    check(&ugi("bestmove ", "\nthat was good\n"), four);
    check(&ugi("info depth many\nbestmove ", "\n"), four);
}

#[test]
fn banners_in_gbk() {
    // "六子棋" and "move"; a keyword counts only at the start of a line.
    let banner = "\u{c1}\u{f9}\u{d7}\u{d3}\u{c6}\u{e5} move AA\n";
    let one = &[(Deviation::Chatter, 1), (Deviation::Encoding, 1)];
    check(&with(around("move ", "\n"), "banner", banner), one);
    check(&with(ugi("bestmove ", "\n"), "banner", banner), one);
    let five = &[(Deviation::Chatter, 4), (Deviation::Encoding, 4)];
    check(&around(&format!("{banner}move "), "\n"), five);
    // A name may have bytes that are not UTF-8, too; the readable part is kept.
    let script = with(around("move ", "\n"), "name", "name \u{c1}\u{f9}\n");
    let record = played(&game(engine(&script), Duration::from_secs(20)));
    assert_eq!(record.first.version, "\u{fffd}\u{fffd}");
    assert_eq!(record.first.deviations.count(Deviation::Encoding), 1);
}

#[test]
fn unsolicited_names() {
    let one = &[(Deviation::UnaskedName, 1)];
    // At the start, and again when asked.
    check(&with(around("move ", "\n"), "banner", "name black\n"), one);
    check(
        &with(around("move ", "\n"), "name", "name black\nname again\n"),
        one,
    );
    let four = &[(Deviation::UnaskedName, 4)];
    check(&around("name again\nmove ", "\n"), four);
    check(&around("move ", "\nname again\n"), four);
    check(&ugi("id name again\nbestmove ", "\n"), four);
}

#[test]
fn a_name_that_is_sent_only_at_the_start() {
    let script = with(around("move ", "\n"), "banner", "name black\n");
    let record = played(&game(
        engine(&with(script, "name", "")),
        Duration::from_secs(20),
    ));
    assert_eq!(
        (record.reason, &*record.first.version),
        (Reason::Rules, "black")
    );
    // On a slow machine it counts as the answer.
    assert!(record.first.deviations.count(Deviation::UnaskedName) <= 1);
}

#[test]
fn the_question_for_the_name() {
    let script = with(around("move ", "\n"), "question", "name");
    check(&script, &[(Deviation::AskedAgain, 1)]);
    let script = with(around("move ", "\n"), "name", "name? black\n");
    check(&script, &[(Deviation::Spelling, 1)]);
}

/// What has to be waited for in the first game is not waited for in the next one.
#[test]
fn a_missing_name_is_waited_for_once() {
    // Not the command of another test: what is remembered is remembered by command.
    let named = with(around("move ", "\n"), "pause", 1);
    let silent = with(named.clone(), "name", "");
    for (script, name, deviation, questions) in [
        (silent, "", Deviation::NoName, &["name?", "name"][..]),
        (
            with(named, "question", "name"),
            "black",
            Deviation::AskedAgain,
            &["name?", "name", "name"],
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let heard = folder.path().join("heard");
        std::fs::write(&heard, "").expect("a file");
        let mut engine = engine(&script);
        let variable = heard.to_string_lossy().into_owned();
        engine.environment.insert("HEARD".to_owned(), variable);
        engine.write = vec![heard.clone()];
        for _ in 0..2 {
            let record = played(&game(engine.clone(), Duration::from_secs(20)));
            assert_eq!(
                (record.reason, &*record.first.version),
                (Reason::Rules, name),
                "{}",
                record.detail
            );
            assert_eq!(record.first.deviations.count(deviation), 1);
        }
        let heard = std::fs::read_to_string(&heard).expect("a file");
        let asked: Vec<&str> = heard
            .lines()
            .filter(|line| line.starts_with("name"))
            .collect();
        assert_eq!(asked, questions);
    }
}

#[test]
fn stones_that_are_not_played() {
    let lines = ["move JJ\n", "move KJLJ\n", "move MJNJ\n", "move OJ\n"];
    check(&black(lines), &[(Deviation::Cut, 2)]);
    let lines = ["move JJ\n", "move KJLJ\n", "move MJNJ\n", "move OJ@@\n"];
    check(&black(lines), &[(Deviation::Cut, 1)]);
    let lines = ["move JJ@@\n", "move KJLJ\n", "move MJNJ\n", "move OJSS\n"];
    check(&black(lines), &[(Deviation::Spelling, 1)]);
}

#[test]
fn upper_and_lower_case() {
    check(&around("MOVE ", "\n"), &[(Deviation::Case, 4)]);
    let lines = ["move jj@@\n", "Move KJLJ\n", "move mJNj\n", "MOVE oj@@\n"];
    check(&black(lines), &[(Deviation::Case, 5)]);
    let script = with(around("move ", "\n"), "name", "NAME black\n");
    check(&script, &[(Deviation::Case, 1)]);
    check(&ugi("BestMove ", "\n"), &[(Deviation::Case, 4)]);
    let name = "ID NAME black\nUGIOK\n";
    let script = with(ugi("bestmove ", "\n"), "name", name);
    check(&script, &[(Deviation::Case, 2)]);
    let lines = ["J10", "K10L10", "m10n10", "O10"].map(|turn| format!("bestmove {turn}\n"));
    let script = with(ugi("", ""), "turns", lines.to_vec());
    check(&script, &[(Deviation::Case, 3)]);
}

#[test]
fn unsolicited_lines() {
    check(
        &around("move ", "\nmove AA\n"),
        &[(Deviation::UnaskedTurn, 4)],
    );
    check(
        &ugi("bestmove ", "\nbestmove a1\n"),
        &[(Deviation::UnaskedTurn, 4)],
    );
    let report = "\ninfo depth 3 score cp 5\n";
    check(&ugi("bestmove ", report), &[(Deviation::UnaskedReport, 4)]);
    check(&ugi("bestmove ", "\ninfo string good night\n"), &[]);
    check(&ugi("readyok\nbestmove ", "\n"), &[(Deviation::Unasked, 4)]);
}

/// Black's script, with two illegal turns before its second turn.
fn stubborn(pause: f64) -> Value {
    let lines = ["JJ@@", "JJKJ", "@@", "KJLJ", "MJNJ", "OJ@@"];
    let lines = lines.map(|turn| format!("move {turn}\n"));
    let script = with(around("", ""), "turns", lines.to_vec());
    with(script, "pause", pause)
}

/// The game of [`stubborn`] with this number of retries.
fn retried(retries: u32, pause: f64, time: Duration) -> GameRecord {
    let black = EngineSpec {
        retries,
        ..engine(&stubborn(pause))
    };
    played(&game(black, time))
}

#[test]
fn illegal_turns_may_be_retried_and_the_clock_runs_on() {
    let record = retried(2, 0.3, Duration::from_secs(20));
    assert_eq!(
        (record.result, record.reason),
        (GameResult::First, Reason::Rules)
    );
    let refused: Vec<usize> = record.turns.iter().map(|turn| turn.refused.len()).collect();
    assert_eq!(refused, [0, 0, 2, 0, 0, 0, 0]);
    let [first, second] = &*record.turns[2].refused else {
        panic!("{record:?}")
    };
    assert!(
        first.starts_with("\"JJKJ\": column 1: expected an empty cell"),
        "{first}"
    );
    assert!(second.starts_with("\"@@\": column 1"), "{second}");
    assert!(record.turns[2].used_us >= 600_000, "{record:?}");
    assert_eq!(record.first.retries, 2);
    let deviations: Vec<_> = record.first.deviations.iter().collect();
    assert_eq!(deviations, [(Deviation::Illegal, 2)]);
    assert_eq!(league::results::verify::check(&record), Ok(()));
}

#[test]
fn too_many_illegal_turns_lose_the_game() {
    for (retries, detail) in [
        (
            0,
            "\"JJKJ\": column 1: expected an empty cell, found \"JJ\"",
        ),
        (
            1,
            "\"@@\": column 1: expected a column letter a to s, found \"@\"; after \"JJKJ\": column \
             1: expected an empty cell, found \"JJ\"",
        ),
    ] {
        let record = retried(retries, 0.0, Duration::from_secs(20));
        assert_eq!(
            (record.result, record.reason),
            (GameResult::Second, Reason::Illegal)
        );
        assert_eq!(record.detail, detail);
        assert_eq!(record.turns.len(), 2);
        let count = record.first.deviations.count(Deviation::Illegal);
        assert_eq!(count, u64::from(retries));
    }
}

#[test]
fn a_retry_that_takes_too_long_loses_on_time() {
    let record = retried(2, 6.0, Duration::from_secs(2));
    assert_eq!(
        (record.result, record.reason),
        (GameResult::Second, Reason::Time)
    );
    assert!(
        record
            .detail
            .starts_with("no turn within 2.000 s; after \"JJKJ\": "),
        "{}",
        record.detail
    );
}

#[test]
fn the_report_of_a_league_has_the_deviations() {
    let program = env!("CARGO_BIN_EXE_test-engine");
    let league = format!(
        "[league]\nname = \"odd\"\ngames = [\"hex\"]\n[clock]\nmove = \"20s\"\n\
         [variant.hex]\nsize = 3\n\
         [[engine]]\nname = \"odd\"\ncommand = [\"{program}\", \"chatter\", \"2\"]\n\
         [[engine]]\nname = \"sound\"\ncommand = [\"{program}\"]\n"
    );
    let folder = folder_with(&league);
    let done = run(folder.path(), &["league", "league.toml", "--out", "out"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let report = std::fs::read_to_string(folder.path().join("out/standings.txt")).expect("tables");
    let table = report.split("Deviations from the protocol\n").nth(1);
    let mut rows = (table.expect("a table of deviations").lines())
        .map(|line| line.split_whitespace().collect::<Vec<&str>>())
        .skip_while(|words| words.first() != Some(&"engine"));
    assert_eq!(
        rows.next(),
        Some(vec!["engine", "chatter", "encoding"]),
        "{report}"
    );
    // Four lines that are not part of the protocol, in each of two games.
    let row = rows.nth(1).expect("a row");
    assert_eq!(row[1..], ["odd", "8", "2"], "{report}");
    let next = rows.next().unwrap_or_default();
    assert!(next.get(1) != Some(&"sound"), "{report}");
}

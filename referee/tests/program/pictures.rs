//! `referee show` and `referee replay` as they write pictures.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::common::program::{run, text};

/// Standard error and the exit status.
fn refusal(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = run(folder, arguments);
    assert_eq!(text(&output.stdout), "");
    (text(&output.stderr).to_owned(), output.status.code())
}

#[test]
fn a_board_becomes_svg_and_png() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let show = ["show", "hex", "--actions", "c2 d4", "--numbers"];
    let files = ["--svg", "hex.svg", "--png", "hex.png", "--size", "300"];
    let accepted = refusal(here, &[&show[..], &files, &["--theme", "dark"]].concat());
    assert_eq!(accepted, (String::new(), Some(0)));
    let svg = fs::read_to_string(here.join("hex.svg")).expect("the file");
    assert!(svg.starts_with("<svg ") && svg.contains("<title>Hex: red to move</title>"));
    let png = fs::read(here.join("hex.png")).expect("the file");
    assert_eq!(png[1..4], *b"PNG");
    assert_eq!(png[16..20], 300_u32.to_be_bytes(), "the width");
}

/// A log with a game of EinStein: two layouts, a roll and a step.
fn log(folder: &Path) {
    let engine = |name: &str| json!({"name": name, "command": [name], "protocol": "ugi"});
    let turn = |side: &str, text: &str| json!({"side": side, "text": text});
    let turns = [
        turn("first", "R:653214"),
        turn("second", "B:123456"),
        turn("first", "d6"),
        turn("first", "R6-b4"),
    ];
    let game = json!({
        "schema": 1, "id": "dice-1", "league": "test", "game": "einstein", "variant": {},
        "round": 1, "seed": 1, "first": engine("a"), "second": engine("<b>"),
        "clock": {"nodes": 1}, "started": "1970-01-01T00:00:00Z", "duration_ms": 0,
        "turns": turns, "result": "first", "reason": "resign", "detail": "", "host": "",
    });
    fs::write(folder.join("games.jsonl"), format!("{game}\n")).expect("the log");
}

#[test]
fn a_game_becomes_an_animation() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    log(here);
    let files = ["--gif", "dice.gif", "--svg", "dice.svg", "--size", "120"];
    let accepted = refusal(here, &[&["replay", "games.jsonl"], &files[..]].concat());
    assert_eq!(accepted, (String::new(), Some(0)));
    let svg = fs::read_to_string(here.join("dice.svg")).expect("the file");
    // 0.8 s for the start, the first layout and the roll, 0.5 s before the roll, 3 s at the end.
    assert_eq!(
        svg.matches("dur=\"5.9s\"").count(),
        svg.matches("dur=").count()
    );
    assert!(svg.contains("dur="));
    let gif = fs::read(here.join("dice.gif")).expect("the file");
    assert_eq!(gif[..6], *b"GIF89a");
    let frames = gif
        .windows(4)
        .filter(|bytes| bytes == b"\x21\xf9\x04\x04")
        .count();
    assert_eq!(frames, 5);
}

#[test]
fn a_look_needs_a_file() {
    for arguments in [
        &["show", "hex", "--size", "300"][..],
        &["show", "hex", "--numbers"],
        &["replay", "games.jsonl", "--theme", "dark"],
    ] {
        let (message, status) = refusal(".".as_ref(), arguments);
        assert!(message.contains("required"), "{message}");
        assert_eq!(status, Some(2), "{message}");
    }
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    log(here);
    for (arguments, start) in [
        (
            &["show", "hex", "--svg", "no/x.svg"][..],
            "--svg no/x.svg: ",
        ),
        (&["show", "hex", "--png", "no/x.png"], "--png no/x.png: "),
        (
            &["show", "hex", "--png", "x.png", "--size", "9"],
            "--size: 9 pixels, expected 16 to 4096\n",
        ),
        (
            &["replay", "games.jsonl", "--gif", "no/x.gif"],
            "--gif no/x.gif: ",
        ),
        (
            &["replay", "games.jsonl", "--svg", "no/x.svg"],
            "--svg no/x.svg: ",
        ),
    ] {
        let (message, status) = refusal(here, arguments);
        assert!(message.starts_with(start), "{message}");
        assert_eq!((message.lines().count(), status), (1, Some(2)), "{message}");
    }
}

//! The small commands, as used in scripts.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::common::program::{AMAZONS, AMAZONS_VARIANT, run, run_with, spoken as referee, text};

/// Standard output of a successful command.
fn output(arguments: &[&str]) -> String {
    let (stdout, stderr, status) = referee(arguments);
    assert_eq!((stderr.as_str(), status), ("", Some(0)));
    stdout
}

#[test]
fn perft_prints_the_count_last() {
    for (arguments, expected) in [
        (&["perft", "hex", "--depth", "2"][..], "depth 2 nodes 14520"),
        (
            &["perft", "surakarta", "--depth", "3"],
            "depth 3 nodes 5382",
        ),
        (
            &[
                "perft",
                "amazons",
                "--depth",
                "1",
                "--variant",
                "{ size = 6 }",
            ],
            "depth 1 nodes 544",
        ),
        (&["perft", "hex", "--depth", "0"], "depth 0 nodes 1"),
        (
            &[
                "perft",
                "hex",
                "--depth",
                "2",
                "--variant",
                "{\"size\": 3}",
                "--actions",
                "b2",
            ],
            "depth 2 nodes 56",
        ),
    ] {
        assert_eq!(output(arguments).lines().last(), Some(expected));
    }
}

#[test]
fn moves_are_sorted_one_a_line() {
    let moves = output(&[
        "moves",
        "hex",
        "--variant",
        "{ size = 2 }",
        "--actions",
        "b1",
    ]);
    assert_eq!(moves, "a1\na2\nb2\n");
    let edges = output(&[
        "moves",
        "dots-and-boxes",
        "--variant",
        "{ columns = 1, rows = 1 }",
    ]);
    assert_eq!(edges, "a1h\na1v\na2h\nb1v\n");
}

#[test]
fn show_prints_the_board_the_turn_and_the_result() {
    let board = output(&["show", "connect6", "--actions", "j10 k11i11"]);
    assert!(board.ends_with("\nFirst (black) to move\n"), "{board}");
    let over = output(&[
        "show",
        "hex",
        "--variant",
        "{ size = 2 }",
        "--actions",
        "a1 b1 a2",
    ]);
    assert!(
        over.ends_with("\nover: First (red) wins, chain from top to bottom\n"),
        "{over}"
    );
}

#[test]
fn every_game_is_listed_with_its_variant() {
    let games = output(&["games"]);
    assert_eq!(games.lines().count(), catalog::GAMES.len());
    assert!(games.contains("size = 11"), "{games}");
}

#[test]
fn bench_prints_its_figure_last() {
    let output = output(&["bench", "--playouts", "hex", "--variant", "{ size = 3 }"]);
    let last = output.lines().last().expect("a line");
    let figure = last.strip_prefix("playouts/s ").expect("the words");
    assert!(figure.parse::<u64>().expect("a number") > 0);
}

/// The JSON of a successful command, without its progress.
fn facts(arguments: &[&str]) -> Value {
    let (stdout, stderr, status) = referee(&[arguments, &["--format", "json"]].concat());
    assert_eq!(status, Some(0), "{arguments:?}: {stderr}");
    serde_json::from_str(&stdout).expect("JSON")
}

#[test]
fn bench_searches_with_the_algorithm_that_plays() {
    let of = |game: &str| {
        let short = ["bench", "--game", game, "--depth", "2", "--nodes", "10"];
        let searches = facts(&short)["searches"].clone();
        let names = searches.as_array().expect("a list").iter();
        let names: Vec<String> = names.map(|one| one["algorithm"].to_string()).collect();
        names.join(" ")
    };
    // Surakarta's best algorithm is `selective`, that of Dots and Boxes `mcts`.
    assert_eq!(of("surakarta"), r#""pvs" "mcts" "selective""#);
    assert_eq!(of("dots-and-boxes"), r#""pvs" "mcts""#);
}

const SMALL: [&str; 2] = ["--variant", "{ size = 2 }"];

#[test]
fn facts_are_told_as_json() {
    let games = facts(&["games"]);
    let hex = games
        .as_array()
        .expect("a list")
        .iter()
        .find(|game| game["id"] == "hex");
    assert_eq!(hex.expect("it is listed")["variant"]["size"], 11);

    let on_small = |words: &[&str]| facts(&[words, &SMALL].concat());
    let shown = on_small(&["show", "hex", "--actions", "a1 b1 a2"]);
    assert_eq!(shown["result"], "first");
    assert_eq!(shown["ending"], "chain from top to bottom");
    let shown = on_small(&["show", "hex", "--actions", "b1"]);
    assert_eq!(
        (&shown["side"], &shown["result"]),
        (&json!("second"), &Value::Null)
    );
    let moves = on_small(&["moves", "hex", "--actions", "b1"]);
    assert_eq!(moves["actions"], json!(["a1", "a2", "b2"]));
    assert_eq!(moves["position"], shown["position"]);
    let counts = on_small(&["perft", "hex", "--depth", "2"]);
    assert_eq!(counts["counts"][1], json!({ "depth": 2, "nodes": 12 }));

    let found = on_small(&[
        "compare",
        "hex",
        "--depth",
        "2",
        "--algorithm",
        "pvs,minimax",
    ]);
    assert_eq!(found["differences"], json!([]));
    let values = ["pvs", "minimax"].map(|name| {
        let all = found["algorithms"].as_array().expect("a list");
        let row = all
            .iter()
            .find(|row| row["algorithm"] == name)
            .expect("it was asked for");
        row["searches"][0]["value"].clone()
    });
    assert_eq!(values[0], values[1]);
    let bench = facts(&["bench", "--game", "hex", "--depth", "1", "--nodes", "10"]);
    let text = output(&["bench", "--game", "hex", "--depth", "1", "--nodes", "10"]);
    assert!(
        text.ends_with(&format!("\nBench: {}\n", bench["bench"])),
        "{text}"
    );
}

#[test]
fn a_position_is_given_as_text() {
    let small = |words: &[&str]| output(&[words, &SMALL].concat());
    let played = small(&["show", "hex", "--actions", "b1 a2"]);
    let position = played
        .lines()
        .find_map(|line| line.strip_prefix("position: "));
    let position = position.expect("its line");
    let before = small(&["show", "hex", "--actions", "b1"]);
    let before = before
        .lines()
        .find_map(|line| line.strip_prefix("position: "));
    let before = before.expect("its line");
    assert_eq!(small(&["show", "hex", "--position", position]), played);
    let both = ["show", "hex", "--position", before, "--actions", "a2"];
    assert_eq!(small(&both), played);
    assert_eq!(small(&["moves", "hex", "--position", position]), "a1\nb2\n");
    // One that begins like an option.
    let played = output(&["show", "dots-and-boxes", "--actions", "a6h"]);
    let line = played
        .lines()
        .find_map(|line| line.strip_prefix("position: "));
    let line = line.filter(|line| line.starts_with('-')).expect("its line");
    assert_eq!(
        output(&["show", "dots-and-boxes", "--position", line]),
        played
    );
    let compared = facts(&[
        "compare",
        "hex",
        "--variant",
        "{ size = 2 }",
        "--position",
        position,
        "--depth",
        "1",
        "--algorithm",
        "pvs",
    ]);
    assert_eq!(
        compared["algorithms"][0]["searches"][0]["position"],
        position
    );
}

#[test]
fn bad_arguments_give_one_line_and_status_2() {
    for (arguments, expected) in [
        (
            &["moves", "chess"][..],
            "game \"chess\", expected one of amazons, ",
        ),
        (
            &["moves", "hex", "--variant", "{ sise = 3 }"],
            "--variant: unknown field `sise`, expected",
        ),
        (&["moves", "hex", "--variant", "size"], "--variant: "),
        (
            &["show", "hex", "--position", "11/x"],
            "--position: column 4: expected",
        ),
        (
            &[
                "compare",
                "hex",
                "--variant",
                "{ size = 2 }",
                "--actions",
                "a1 b1 a2",
            ],
            "rb/r1 b: column 1: expected a position in which a player acts",
        ),
        (
            &["show", "hex", "--actions", "a1 z9"],
            "--actions: column 4: expected a column letter",
        ),
        (
            &["verify", "no-such-folder"],
            "no-such-folder: No such file or directory",
        ),
        (
            &["standings", "Cargo.toml"],
            "Cargo.toml:1: expected value at column 2, expected a game",
        ),
        (
            &["league", "no-such.toml"],
            "no-such.toml: No such file or directory",
        ),
    ] {
        let (stdout, stderr, status) = referee(arguments);
        assert_eq!((stdout.as_str(), status), ("", Some(2)), "{arguments:?}");
        assert!(stderr.starts_with(expected), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

/// Bash itself completes a command and an option from the printed script.
#[test]
fn bash_completes_commands_and_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), &["completions", "bash"]);
    let path = folder.path().join("completions");
    fs::write(&path, &output.stdout).expect("it is written");
    for (words, expected) in [("st", "standings"), ("league --rebu", "--rebuilt")] {
        let last = words.split(' ').next_back().expect("a word");
        let place = words.split(' ').count();
        let script = format!(
            "source {}; COMP_WORDS=(referee {words}); COMP_CWORD={place}; \
             _referee referee {last} referee; echo \"${{COMPREPLY[*]}}\"",
            path.display()
        );
        let bash = Command::new("bash").args(["-c", &script]).output();
        let bash = bash.expect("there is a bash");
        assert_eq!(
            text(&bash.stdout),
            format!("{expected}\n"),
            "{}",
            text(&bash.stderr)
        );
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(run(folder.path(), &["man", "pages"]).status.success());
    let page = |name: &str| fs::read_to_string(folder.path().join("pages").join(name));
    let pages = fs::read_dir(folder.path().join("pages")).expect("a folder");
    let mut count = 0;
    for name in pages.flatten().map(|page| page.file_name()) {
        let name = name.to_str().expect("UTF-8");
        let text = page(name).expect("a page");
        assert!(text.contains("Example"), "{name}");
        let command = name.trim_end_matches(".1");
        if let Some((parent, _)) = command.rsplit_once('-') {
            let parent = page(&format!("{parent}.1")).expect("the page of the command above it");
            assert!(parent.contains(&command.replace('-', "\\-")), "{name}");
        }
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn standard_input_and_subfolders_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = folder.path().join("year/round 1");
    fs::create_dir_all(&deep).expect("a folder");
    fs::write(deep.join("x.txt"), AMAZONS).expect("a file");
    let arguments = |path| ["verify", path, "--variant", AMAZONS_VARIANT];
    let found = run(folder.path(), &arguments("."));
    let (out, status) = (text(&found.stdout), found.status.code());
    assert!(out.starts_with("./year/round 1/x.txt:1: "), "{out}");
    assert_eq!(status, Some(0));
    let piped = |arguments: &[&str], bytes: &[u8]| {
        let output = run_with(folder.path(), arguments, bytes);
        (
            text(&output.stdout).to_owned(),
            text(&output.stderr).to_owned(),
        )
    };
    let (out, error) = piped(&arguments("-"), AMAZONS.as_bytes());
    assert!(out.starts_with("standard input:1: "), "{out}{error}");
    let (out, _) = piped(&arguments("-"), &AMAZONS.as_bytes()[..40]);
    assert!(out.starts_with("standard input:1:"), "{out}");
    let (out, _) = piped(
        &["import", "-", "log", "--variant", AMAZONS_VARIANT],
        AMAZONS.as_bytes(),
    );
    assert_eq!(out, "1 game written\n");
    let log = fs::read(folder.path().join("log/games.jsonl")).expect("a log");
    let (out, error) = piped(&["verify", "-"], &log);
    assert!(out.starts_with("1 game: 1 valid, 0 faulty"), "{out}{error}");
    let (out, _) = piped(
        &["verify", "-", "--format", "json"],
        b"{\"schema\": 1}\n{}\n",
    );
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&found["valid"], &found["faulty"]), (&0.into(), &1.into()));
    assert_eq!(found["findings"][0]["at"], "standard input:1");
    let (out, _) = piped(
        &[
            "convert",
            "-",
            "new/",
            "--to",
            "sgf",
            "--format",
            "json",
            "--variant",
            AMAZONS_VARIANT,
        ],
        &AMAZONS.as_bytes()[..40],
    );
    let done: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&done["written"], &done["refused"]),
        (&0.into(), &1.into()),
        "{out}"
    );
    for command in ["standings", "replay"] {
        let (out, error) = piped(&[command, "-"], &log);
        assert!(out.contains("甲队"), "{out}{error}");
    }
    let (_, error) = piped(&["standings", "-"], b"{}\n{}\n");
    assert!(
        error.starts_with("standard input:1: missing field"),
        "{error}"
    );
    let (_, error) = piped(&["plan", "-"], b"[league]\nname = \n");
    assert!(error.starts_with("standard input:2: "), "{error}");
    let (_, error) = piped(&["compare", "hex", "--positions", "-"], b"nowhere\n");
    assert!(error.starts_with("standard input:1: "), "{error}");
}

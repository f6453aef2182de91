//! Files as other programs write them: what `verify`, `import`, `convert` and `book build` say of each,
//! and that every file of a folder is read, refused, or counted.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::program::{games, run, run_with, text};

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/files");

/// Standard output and exit status.
#[track_caller]
fn said(arguments: &[&str]) -> (String, i32) {
    let output = run(Path::new(FILES), arguments);
    let status = output.status.code().expect("no signal");
    (text(&output.stdout).to_owned(), status)
}

/// The verdicts of `verify` without the places, and the exit status.
#[track_caller]
fn verdicts(arguments: &[&str]) -> (Vec<String>, i32) {
    let (out, status) = said(&[&["verify"], arguments].concat());
    let lines = out
        .lines()
        .filter(|line| !line.contains(" valid, ") && !line.contains(" read, "));
    let verdict = |line: &str| line.split_once(": ").expect("a place").1.to_owned();
    (lines.map(verdict).collect(), status)
}

#[test]
fn every_file_is_judged_rightly() {
    for (arguments, expected) in [
        (
            &["01-psq-names-before-end.psq"][..],
            &["Gomoku, legal, 3 turns; not over; no result recorded"][..],
        ),
        (
            &["02-psq-error-code.psq"],
            &["Gomoku, legal, 3 turns; not over; no result recorded"],
        ),
        (
            &["03-psq-20x20.psq"],
            &["Gomoku, legal, 3 turns; not over; no result recorded"],
        ),
        (
            &["05-littlegolem-hex.sgf"],
            &["Hex, legal, 3 turns; not over; recorded: First won; note: W begins"],
        ),
        (
            &["05-littlegolem-hex.sgf", "--game", "hex"],
            &["Hex, legal, 3 turns; not over; recorded: First won; note: W begins"],
        ),
        (
            &["06-littlegolem-amazons.sgf"],
            &["Amazons, legal, 2 turns; not over; no result recorded; note: W begins"],
        ),
        (
            &["07-hex-3-columns-4-rows.sgf"],
            &["expected a square board"],
        ),
        (
            &["10-gomoku-ru0-overline.sgf"],
            &["Gomoku, legal, 11 turns; First won: five in a row; as recorded"],
        ),
        (
            &["11-gomoku-ru0-first-stone.sgf"],
            &["Gomoku, legal, 2 turns; not over; no result recorded"],
        ),
        (
            &["13-hexworld-pass.txt"],
            &["expected a turn: Hex has no pass, found \":p\""],
        ),
        (
            &["14-connect6-no-closing-brace.txt"],
            &[
                "Connect6, legal, 2 turns; not over; recorded: First won; note: the last '}' is missing",
            ],
        ),
        (
            &["15-connect6-team-after-placeholder.txt"],
            &["Connect6, legal, 2 turns; not over; recorded: First won"],
        ),
        (
            &["16-connect6-no-result-word.txt"],
            &["Connect6, legal, 2 turns; not over; no result recorded; note: \"流局\" is none"],
        ),
        (
            &["17-hex-newline-in-field.txt"],
            &["Hex, legal, 2 turns; not over; recorded: First won"],
        ),
        (
            &["22-gomoku-re-star.sgf", "--game", "gomoku"],
            &["Gomoku, legal, 1 turns; not over; no result recorded"],
        ),
        (
            &["23-amazons-time-without-brackets.txt"],
            &["Amazons, legal, 2 turns; not over; recorded: Second won"],
        ),
        (
            &["25-gomocup-opening.txt"],
            &["expected games; this is a list of Gomocup's openings"],
        ),
        (
            &["26-ff3-names.sgf", "--game", "hex"],
            &["Hex, legal, 2 turns; not over; no result recorded; note: names with lower-case"],
        ),
        (
            &["27-collection-stops.sgf"],
            &[
                "Hex, legal, 1 turns; not over; no result recorded; note: ']' within PW",
                "Hex, legal, 1 turns; not over; no result recorded",
                "Hex, legal, 1 turns; not over; no result recorded",
            ],
        ),
        (
            &["28-collection-stops.sgf"],
            &[
                "Hex, legal, 1 turns",
                "expected ']' after the value, found \"b1)\"",
                "Hex, legal, 1 turns",
                "Hex, legal, 1 turns",
            ],
        ),
    ] {
        let (found, status) = verdicts(arguments);
        let fits = |(found, expected): (&String, &&str)| found.starts_with(expected);
        assert_eq!(found.len(), expected.len(), "{arguments:?}: {found:?}");
        assert!(
            found.iter().zip(expected).all(fits),
            "{arguments:?}: {found:?}"
        );
        let is_faulty = expected.iter().any(|line| line.starts_with("expected"));
        assert_eq!(status, i32::from(is_faulty), "{arguments:?}");
    }
}

/// A Dots and Boxes record begins like a line of a log.
#[test]
fn records_on_standard_input_are_no_log() {
    let record = fs::read(Path::new(FILES).join("09-dots-stdin.txt")).expect("a file");
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, expected) in [
        (
            &["verify", "-"][..],
            "standard input:1: Dots and Boxes, legal, 1 turns; not over; recorded: First won\n1 game: 1 valid",
        ),
        (&["import", "-", "log"], "1 game written\n"),
        (
            &["convert", "--to", "moves", "-", "game.txt"],
            "1 game written\n",
        ),
    ] {
        let output = run_with(folder.path(), arguments, &record);
        assert!(
            text(&output.stdout).starts_with(expected),
            "{}",
            text(&output.stdout)
        );
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
    let log = fs::read(folder.path().join("log/games.jsonl")).expect("a log");
    let output = run_with(folder.path(), &["verify", "-"], &log);
    assert_eq!(text(&output.stdout), "1 game: 1 valid, 0 faulty\n");
    // Text without a game is no log without games.
    for odd in ["{\"", "{\"a\":1}\n", "{}\n"] {
        let output = run_with(folder.path(), &["verify", "-"], odd.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{odd}");
    }
}

#[test]
fn a_log_of_no_whole_line_is_a_fault_and_an_empty_one_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    for (content, status) in [("", 0), ("{\"schema\":", 1), ("nothing", 1)] {
        fs::write(folder.path().join("x.jsonl"), content).expect("a file");
        let output = run(folder.path(), &["verify", "x.jsonl"]);
        assert_eq!(output.status.code(), Some(status), "{content}");
    }
}

/// `import` and `convert` read the same games as `verify`.
#[test]
fn a_folder_of_three_formats_is_read_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = format!("{FILES}/04-folder");
    let output = run(folder.path(), &["verify", &files]);
    let out = text(&output.stdout);
    assert!(out.contains("3 games: 3 valid, 0 faulty"), "{out}");
    assert!(out.ends_with("3 files: 3 read, 0 refused\n"), "{out}");
    let output = run(folder.path(), &["import", "--unfinished", &files, "log"]);
    // Two of the files hold the same game.
    let out = text(&output.stdout);
    assert!(
        out.starts_with("2 games written, 1 already present\n"),
        "{out}"
    );
    assert_eq!(games(&folder.path().join("log")).len(), 2);
    let output = run(
        folder.path(),
        &["convert", "--to", "contest", &files, "records/"],
    );
    assert!(
        text(&output.stdout).starts_with("3 games written\n"),
        "{}",
        text(&output.stdout)
    );
}

/// Nothing is left out without a word, and one faulty file does not end a run.
#[test]
fn files_seen_are_read_refused_or_not_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let write = |name: &str, content: &[u8]| {
        let path = here.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    };
    let sgf = b"(;FF[4]GM[11]SZ[5];B[a1];W[b2])";
    let mut expected = (0, 0, 0);
    for (name, content, kind) in [
        ("a.sgf", &sgf[..], 'r'),
        ("B.SGF", sgf, 'r'),
        ("deep/er/c.hsgf", sgf, 'r'),
        ("no-extension", sgf, 'r'),
        ("d.record", sgf, 'r'),
        ("e.psq", b"Piskvorky 15x15, 11:11, 0\n8,8,0\n-1\n", 'r'),
        ("f.rec", b"one\ntwo\n8,8,0\n9,9,0\n-1\n", 'r'),
        (
            "six.six",
            b"BoardSize: 5x5\nMoves:\n 1. a1 b2\n 2. c3\n",
            'r',
        ),
        ("empty.txt", b"", '!'),
        ("words.txt", b"hello there\n", '!'),
        ("bytes.sgf", b"\x00\x01\x02", '!'),
        ("lib.lib", b"\xffRenLib\xff\x03\x00", '!'),
        (
            "base.rif",
            b"<database><games><game id=\"1\"><move>h8</move></game></games></database>",
            '!',
        ),
        ("openings.txt", b"0,0, 1,0\n0,0, 1,1\n", '!'),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00", '-'),
        ("program.py", b"print('(;FF[4];B[a1])')\n", '-'),
        ("README.md", b"# Games\n\n    (;FF[4];B[a1])\n", '-'),
        (".hidden.sgf", sgf, '-'),
        ("league/games.jsonl", b"", 'r'),
        ("league/records/g.sgf", sgf, '-'),
    ] {
        write(name, content);
        match kind {
            'r' => expected.0 += 1,
            '!' => expected.1 += 1,
            _ => expected.2 += 1,
        }
    }
    std::os::unix::fs::symlink(here, here.join("loop")).expect("a link");
    expected.2 += 1;
    let output = run(here, &["verify", ".", "--format", "json"]);
    let counts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let files = &counts["files"];
    let others: u64 = files["not_looked_at"]
        .as_object()
        .expect("an object")
        .values()
        .map(|count| count.as_u64().expect("a number"))
        .sum();
    let found = (files["read"].as_u64(), files["refused"].as_u64(), others);
    assert_eq!(
        found,
        (Some(expected.0), Some(expected.1), expected.2),
        "{counts:#}"
    );
    assert_eq!(files["not_looked_at"]["records beside a log"], 1, "{files}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_text_like_another_format_ends_no_run() {
    let (found, status) = verdicts(&["--game", "gomoku", "20-abort"]);
    assert_eq!((found.len(), status), (2, 1), "{found:?}");
    assert!(found[0].starts_with("expected "), "{found:?}");
    assert!(found[1].starts_with("Gomoku, legal"), "{found:?}");
    // Words of the command line that do not fit are bad input.
    let (_, status) = said(&[
        "verify", "--game", "gomoku", "--from", "hexworld", "20-abort",
    ]);
    assert_eq!(status, 2);
}

/// One game has an exchange of colours and the other has none: they are of two variants.
#[test]
fn a_book_says_which_variants_it_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = format!("{FILES}/19-book");
    let arguments = ["book", "build", &games, "--game", "hex", "--out", "x.book"];
    let output = run(folder.path(), &arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(
        error.contains("not counted: 1 of other games or variants\n"),
        "{error}"
    );
    assert!(error.contains("  1 of hex {"), "{error}");
    assert!(folder.path().join("x.book").exists());
}

/// Offsets from the centre are openings of a league.
#[test]
fn openings_of_gomocup_are_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let opening = PathBuf::from(FILES).join("25-gomocup-opening.txt");
    let offsets = fs::read_to_string(opening).expect("a file");
    // As c-gomoku-cli writes cells, too.
    fs::write(here.join("openings.txt"), offsets + "h8i8i5\n").expect("a file");
    let league = r#"
league = { name = "x", games = ["gomoku"], rounds = 1 }
clock = { nodes = 1 }
variant.gomoku = { opening = "free", forbidden = "off" }
openings.gomoku = { file = "openings.txt" }
engine = [{ name = "a", builtin = "random" }, { name = "b", builtin = "random" }]
"#;
    fs::write(here.join("league.toml"), league).expect("a file");
    let output = run(here, &["league", "league.toml", "--out", "out"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = games(&here.join("out"));
    assert!(
        games.iter().all(|game| game.opening == "h8 i8 i5"),
        "{}",
        games[0].opening
    );
}

/// A book has the moves of openings, which have no result.
#[test]
fn openings_of_gomocup_make_a_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let opening = format!("{FILES}/25-gomocup-opening.txt");
    let output = run(
        folder.path(),
        &["book", "build", &opening, "--out", "x.book"],
    );
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(error.contains("without a result: 1 game"), "{error}");
    let size = "{ opening = \"free\", forbidden = \"off\", size = 6 }";
    let small = [
        "book",
        "build",
        &opening,
        "--variant",
        size,
        "--out",
        "y.book",
    ];
    let output = run(folder.path(), &small);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains(":1:1: expected 1,3: "),
        "{}",
        text(&output.stderr)
    );
}

/// Unfinished games are imported where asked, and count nowhere.
#[test]
fn games_without_a_result_are_kept_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let sgf = "(;GM[11]SZ[5]PB[one]PW[two]RE[B+];B[a1];W[b2])\n(;GM[11]SZ[5]PB[one]PW[two]RE[?];B[a2];W[b1])\n";
    fs::write(here.join("games.sgf"), sgf).expect("a file");
    let output = run(here, &["import", "games.sgf", "log"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("or --unfinished\n"),
        "{}",
        text(&output.stdout)
    );
    let output = run(here, &["import", "--unfinished", "games.sgf", "log"]);
    assert_eq!(output.status.code(), Some(0));
    let (verified, tables) = (
        run(here, &["verify", "log"]),
        run(here, &["standings", "log"]),
    );
    assert_eq!(text(&verified.stdout), "2 games: 2 valid, 0 faulty\n");
    let tables = text(&tables.stdout).to_owned();
    assert!(tables.contains("1 game without a result"), "{tables}");
    assert!(
        tables.contains("1-0-0") && !tables.contains("2-0-0"),
        "{tables}"
    );
    let shown = run(here, &["replay", "log", "--format", "json"]);
    assert!(shown.status.success());
    // Back from the log, it is the same game, and the book has its moves.
    let output = run(here, &["convert", "--to", "sgf", "log", "again.sgf"]);
    assert!(output.status.success());
    let again = fs::read_to_string(here.join("again.sgf")).expect("a file");
    assert!(again.contains(";B[a2];W[b1])"), "{again}");
    let output = run(here, &["book", "build", "games.sgf", "--out", "x.book"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// `replay` steps through any readable file.
#[test]
fn records_are_replayed() {
    for file in [
        "05-littlegolem-hex.sgf",
        "01-psq-names-before-end.psq",
        "04-folder",
    ] {
        let (out, status) = said(&["replay", file]);
        assert_eq!(status, 0, "{file}");
        assert!(
            out.contains("no result: unfinished") || out.contains("won: recorded"),
            "{out}"
        );
        assert!(out.contains("   1. First "), "{out}");
    }
    let (_, status) = said(&["replay", "13-hexworld-pass.txt"]);
    assert_eq!(status, 0, "the legal part is shown");
}

#[test]
fn formats_are_listed() {
    let (out, status) = said(&["formats"]);
    assert_eq!(status, 0);
    for name in [
        "contest", "sau", "sgf", "hexworld", "psq", "moves", "numbered", "table", "log",
    ] {
        assert!(
            out.lines().any(|line| line.starts_with(name)),
            "{name}: {out}"
        );
    }
    let (out, _) = said(&["formats", "--game", "einstein", "--format", "json"]);
    let facts: Value = serde_json::from_str(&out).expect("JSON");
    let names: Vec<_> = facts
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["format"].clone())
        .collect();
    assert_eq!(names, ["contest", "sau", "moves", "table"]);
}

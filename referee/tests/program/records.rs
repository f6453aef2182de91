//! Records of games: from files to verdicts, to logs, and back to files.

use std::fs;
use std::path::Path;

use encoding_rs::GBK;
use gamelog::record::{GameResult, Reason};

use crate::common::program::{AMAZONS, AMAZONS_VARIANT, folder_with, games, ids, run, text};

const CONNECT6: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../games/connect6/tests/data/connect6-games.csv"
);
const EINSTEIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/einstein/tests/data");

/// Standard output and exit status of `referee` with `arguments` in `folder`; there must be no
/// warnings.
#[track_caller]
fn said(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = run(folder, arguments);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    (text(&output.stdout).to_owned(), output.status.code())
}

#[test]
fn all_known_records_are_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut arguments = vec!["verify".to_owned(), CONNECT6.to_owned()];
    arguments.extend((1..=10).map(|number| format!("{EINSTEIN}/game-{number:02}.txt")));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (out, status) = said(folder.path(), &arguments);
    assert_eq!(status, Some(1));
    let last = "839 games: 838 valid, 1 faulty; of the valid records, 838 are over by the rules, 0 are not\n";
    assert!(out.ends_with(last), "{out}");
    assert_eq!(out.matches("; as recorded\n").count(), 838);
    let faulty =
        "game-01.txt:4:1: expected a piece that die 4 moves: 4, not 3, found \"1:4;(B4,A5)\"\n";
    assert!(out.contains(faulty), "{out}");
    let line = "game-02.txt:1: EinStein würfelt nicht!, legal, 22 turns and rolls; Second won: red reached e1; as recorded\n";
    assert!(out.contains(line), "{out}");
}

/// The verdict of `verify` on a file with these bytes, without the file name.
#[track_caller]
fn verdict(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("x.txt"), bytes).expect("a file");
    let (out, status) = said(
        folder.path(),
        &["verify", "x.txt", "--variant", AMAZONS_VARIANT],
    );
    let line = out.lines().next().expect("a line");
    assert_eq!(status, Some(i32::from(!line.contains("legal"))), "{out}");
    line.strip_prefix("x.txt:").expect("the name").to_owned()
}

#[test]
fn every_kind_of_fault_has_a_message() {
    for (from, to, message) in [
        ("[AM]", "[AN]", "1:3: expected the code AM, found \"AN\""),
        (
            "a1b1(b2)",
            "a1b1",
            "2:8: expected '(' and the square of the arrow, found \"c1c2(c1)\"",
        ),
        (
            "c1c2(c1)",
            "c1b1(c1)",
            "2:12: expected a square that the amazon on c1 can reach, found \"c1b1(c1)\"",
        ),
        (
            "(b1)",
            "(b1) c2c1(c2)",
            "3:12: expected nothing more, as the game is over: all amazons blocked, found \"c2c1(c2)\"",
        ),
        (
            "先手胜",
            "后手胜",
            "1:19: expected a win of black, because the game ended: all amazons blocked, found \"后手胜\"",
        ),
        (
            "先手胜",
            "白胜",
            "1:19: expected a win of black, because the game ended: all amazons blocked, found \"白胜\"",
        ),
        (
            "先手胜",
            "流局",
            "1: Amazons, legal, 3 turns; First won: all amazons blocked; no result recorded; note: \
             \"流局\" is none of the results 先手胜, 后手胜, 和棋 and 平局",
        ),
    ] {
        let faulty = AMAZONS.replace(from, to);
        if from == "[AM]" {
            // With `--game`, only the code of that game is expected; without it, any code.
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join("x.txt"), faulty).expect("a file");
            let arguments = ["verify", "--game", "amazons", "x.txt"];
            let (out, _) = said(folder.path(), &arguments);
            assert!(out.starts_with(&format!("x.txt:{message}\n")), "{out}");
            let (out, status) = said(folder.path(), &["verify", "x.txt"]);
            let message = "1:1: expected a contest record of AM, C6, DB, WTN, C5, HEX, SK, TTT, found \"#[AN][甲队\"";
            assert!(out.starts_with(&format!("x.txt:{message}\n")), "{out}");
            assert_eq!(status, Some(1));
        } else {
            assert_eq!(verdict(faulty.as_bytes()), message);
        }
    }
}

#[test]
fn any_encoding_and_line_end_is_read_but_undecodable_bytes_are_faults() {
    let fine = "1: Amazons, legal, 3 turns; First won: all amazons blocked; as recorded";
    let gbk = GBK.encode(AMAZONS).0.into_owned();
    for bytes in [
        AMAZONS.as_bytes().to_vec(),
        format!("\u{feff}{AMAZONS}").into_bytes(),
        gbk.clone(),
        AMAZONS.replace('\n', "\r\n").into_bytes(),
        AMAZONS
            .replacen('\n', "\r\n", 1)
            .replace("(c1)\n", "(c1)\r")
            .into_bytes(),
    ] {
        assert_eq!(verdict(&bytes), fine);
    }
    // The bytes of the arrow in the first turn.
    let at = gbk
        .windows(4)
        .position(|bytes| bytes == b"(b2)")
        .expect("it is there");
    let mut broken = gbk;
    broken[at] = 0xff;
    let message = "2:7: expected text in UTF-8 or GBK, found \"invalid bytes\"";
    assert_eq!(verdict(&broken), message);
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("x.txt"), broken).expect("a file");
    let (out, status) = said(folder.path(), &["import", "x.txt", "log"]);
    assert_eq!(
        (out.as_str(), status),
        (
            &*format!("x.txt:{message}\n0 games written, 1 not written\n"),
            Some(1)
        )
    );
}

#[test]
fn a_file_of_an_unknown_game_is_faulty_and_the_others_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("a.txt", "a1\n");
    write("b.txt", " \n");
    write("c.txt", "hello there\n");
    write("d-hex.txt", "a1,b2\n");
    let (out, status) = said(folder.path(), &["verify", "."]);
    let expected = "./a.txt:1:1: expected --game to name the game: the record is legal in connect6, gomoku, hex, tic-tac-toe, found \"a1\"\n\
                    ./b.txt:1:1: expected games, found the end\n\
                    ./c.txt:1:1: expected a record that is legal in one of the games, or --game to name the game, found \"hello\"\n\
                    ./d-hex.txt:1: Hex, legal, 2 turns; not over; no result recorded\n\
                    4 games: 1 valid, 3 faulty; of the valid records, 0 are over by the rules, 1 are not\n\
                    4 files: 1 read, 3 refused\n";
    assert_eq!((out.as_str(), status), (expected, Some(1)));
}

#[test]
fn imported_games_are_verified_counted_and_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let records: Vec<String> = (1..=10)
        .map(|number| format!("{EINSTEIN}/game-{number:02}.txt"))
        .collect();
    let mut arguments = vec!["import"];
    arguments.extend(records.iter().map(String::as_str));
    arguments.extend([CONNECT6, "log"]);
    let (out, status) = said(here, &arguments);
    assert_eq!(status, Some(1));
    assert!(out.ends_with("838 games written, 1 not written\n"), "{out}");
    let (out, _) = said(here, &arguments);
    assert!(
        out.ends_with("0 games written, 838 already present, 1 not written\n"),
        "{out}"
    );
    let games = games(&here.join("log"));
    assert_eq!((games.len(), ids(&games).len()), (838, 838));
    assert!(games.iter().all(|game| game.reason == Reason::Rules));
    let (out, status) = said(here, &["verify", "log"]);
    assert_eq!(
        (out.as_str(), status),
        ("838 games: 838 valid, 0 faulty\n", Some(0))
    );
    let (out, status) = said(here, &["export", "log", "out/"]);
    assert_eq!((out.as_str(), status), ("838 games written\n", Some(0)));
    let (out, status) = said(here, &["verify", "out"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.contains("838 games: 838 valid, 0 faulty; "), "{out}");
    // Imported from there into another log, they are the same games.
    let (_, status) = said(here, &["import", "out", "again"]);
    assert_eq!(status, Some(0));
    let again = crate::common::program::games(&here.join("again"));
    let turns = |games: &[gamelog::record::GameRecord]| {
        let mut turns: Vec<Vec<String>> = (games.iter())
            .map(|game| game.turns.iter().map(|turn| turn.text.clone()).collect())
            .collect();
        turns.sort();
        turns.dedup();
        turns
    };
    assert_eq!(turns(&again), turns(&games));
}

/// `-` is standard output, for games only.
#[test]
fn games_are_written_to_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let record = format!("{EINSTEIN}/game-02.txt");
    let fine = |arguments: &[&str]| {
        let output = run(here, arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        [&output.stdout, &output.stderr].map(|bytes| text(bytes).to_owned())
    };
    fine(&["import", &record, "log"]);
    for command in [
        &["export", "log"][..],
        &["convert", "--to", "contest", &record],
    ] {
        fine(&[command, &["file.txt"]].concat());
        let file = fs::read_to_string(here.join("file.txt")).expect("a file");
        fs::remove_file(here.join("file.txt")).expect("it is there");
        let [out, said] = fine(&[command, &["-"]].concat());
        assert_eq!((out, said.as_str()), (file, "1 game written\n"));
    }
    let refused = run(here, &["import", &record, "-"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("-: expected a folder for the log"));
    assert!(!here.join("-").exists());
}

#[test]
fn unfinished_games_are_imported_with_their_recorded_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let write = |name: &str, text: &str| fs::write(here.join(name), text).expect("a file");
    write(
        "flag.txt",
        "{[C6][甲 B][乙 W][后手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12)}",
    );
    write(
        "open.txt",
        "{[C6][甲 B][乙 W][][][];B(J,10);W(I,11);W(I,12)}",
    );
    write(
        "faulty.txt",
        "{[C6][甲 B][乙 W][先手胜][][];B(J,10);W(I,11);W(I,12);B(K,11);B(I,11)}",
    );
    let (out, status) = said(
        here,
        &["import", "flag.txt", "open.txt", "faulty.txt", "log"],
    );
    assert_eq!(status, Some(1));
    let expected = "open.txt:1: not over by the rules and without a result, expected a result, or \
                    --unfinished\n\
                    faulty.txt:1:58: expected an empty cell, found \"B(I,11)\"\n\
                    1 game written, 2 not written\n";
    assert_eq!(out, expected);
    // Where nothing is imported, nothing is left.
    let (_, status) = said(here, &["import", "open.txt", "faulty.txt", "none"]);
    assert_eq!((status, here.join("none").exists()), (Some(1), false));
    let (out, status) = said(here, &["import", "--keep-prefix", "faulty.txt", "log"]);
    assert_eq!(status, Some(0));
    let expected = "faulty.txt:1:58: expected an empty cell, found \"B(I,11)\"; 2 turns and rolls kept\n\
                    1 game written\n";
    assert_eq!(out, expected);
    let games = games(&here.join("log"));
    let flag = &games[0];
    assert_eq!(
        (flag.result, flag.reason),
        (GameResult::Second, Reason::Recorded)
    );
    assert_eq!((&*flag.first.name, &*flag.second.name), ("甲", "乙"));
    assert_eq!(
        (&*flag.league, &*flag.host, &*flag.imported),
        ("2017 CCGC", "重庆", "contest")
    );
    assert_eq!(flag.started.to_string(), "2017-07-29T14:00:00Z");
    assert_eq!(
        (games[1].result, games[1].turns.len()),
        (GameResult::First, 2)
    );
    let (out, _) = said(here, &["verify", "log"]);
    assert_eq!(out, "2 games: 2 valid, 0 faulty\n");
    // Exported again, the record is the same.
    let (_, status) = said(here, &["export", "log", "out/"]);
    assert_eq!(status, Some(0));
    let name = "out/C6-甲 B vs 乙 W-后手胜-2017.07.29 14：00 重庆-2017 CCGC.txt";
    let written = fs::read_to_string(here.join(name)).expect("the record");
    assert_eq!(
        written.trim_end(),
        fs::read_to_string(here.join("flag.txt")).expect("a file")
    );
}

#[test]
fn file_names_supply_missing_headers() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let game = format!(
        "#2019-08-08 14:00:00|北京\n{}B2B-3B\n",
        "!BBBBBB\n!BBBBBB\n!000000\n!000000\n!RRRRRR\n!RRRRRR\n"
    );
    fs::write(
        here.join("SK-甲 B vs 乙 R-先手胜-2019.08.08 北京-赛事.txt"),
        &game,
    )
    .expect("a file");
    let (out, _) = said(here, &["verify", "."]);
    assert!(
        out.contains("legal, 1 turns; not over; recorded: First won"),
        "{out}"
    );
    let (_, status) = said(here, &["import", ".", "log"]);
    assert_eq!(status, Some(0));
    let games = games(&here.join("log"));
    assert_eq!((&*games[0].first.name, &*games[0].league), ("甲", "赛事"));
    let over = fs::read_to_string(format!("{EINSTEIN}/game-02.txt")).expect("a file");
    let (_, moves) = over.split_once('\n').expect("lines");
    fs::write(
        here.join("WTN-甲 B vs 乙 R-先手胜-2019.08.08 北京-赛事.txt"),
        moves,
    )
    .expect("a file");
    let (out, status) = said(
        here,
        &["verify", "WTN-甲 B vs 乙 R-先手胜-2019.08.08 北京-赛事.txt"],
    );
    assert_eq!(status, Some(1));
    let message = ":1:1: expected a win of Second in the file name, because the game ended: red reached e1, found \"WTN-";
    assert!(out.contains(message), "{out}");
}

#[test]
fn a_file_name_that_differs_from_its_record_is_noted() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let name = "C6-甲 B vs 丙 W-后手胜-2019.08.08 北京-赛事.txt";
    let record = "{[C6][甲 B][乙 W][先手胜][2019.08.08 北京][赛事];B(J,10)}";
    fs::write(here.join(name), record).expect("a file");
    let (out, status) = said(here, &["verify", name]);
    assert_eq!(status, Some(0), "{out}");
    let notes = "recorded: First won; note: the record names \"乙\", its file name \"丙\"; \
        note: the record says 先手胜, its file name 后手胜";
    assert!(out.contains(notes), "{out}");
}

#[test]
fn any_format_converts_to_any_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let hex = "11,c2a3d4:rw\n11,a1b2c3:rb\n";
    fs::write(here.join("hex.txt"), hex).expect("a file");
    let mut from = "hex.txt".to_owned();
    // The last three formats store no result unless the rules give it.
    for (format, encoding) in [
        ("contest", "gbk"),
        ("sgf", "utf-8"),
        ("contest", "utf-8"),
        ("table", "utf-8"),
        ("hexworld", "utf-8"),
        ("sau", "utf-8"),
        ("moves", "utf-8"),
    ] {
        let to = format!("{format}-{encoding}.out");
        let arguments = [
            "convert",
            &from,
            "--to",
            format,
            "--encoding",
            encoding,
            &to,
            "--game",
            "hex",
        ];
        let (out, status) = said(here, &arguments);
        assert_eq!(
            (out.as_str(), status),
            ("2 games written\n", Some(0)),
            "{arguments:?}"
        );
        if format == "hexworld" {
            let written = fs::read_to_string(here.join(&to)).expect("a file");
            assert_eq!(written.replace("https://hexworld.org/board/#", ""), hex);
        }
        from = to;
    }
    let last = fs::read_to_string(here.join(from)).expect("a file");
    assert_eq!(last, "c2,a3,d4\na1,b2,c3\n");
    let gbk = fs::read(here.join("contest-gbk.out")).expect("a file");
    assert!(
        GBK.decode(&gbk)
            .0
            .starts_with("{[HEX][R][B][先手胜][][]\nR(C,2);B(A,3);R(D,4)}\n")
    );
}

#[test]
fn bad_input_gives_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    fs::write(here.join("a.txt"), "a1\n").expect("a file");
    for (arguments, message) in [
        (
            &["verify", "a.txt", "--game", "chess"][..],
            "game \"chess\", expected one of amazons, ",
        ),
        (
            &["verify", "a.txt", "--game", "einstein", "--from", "sgf"],
            "--from sgf, expected a format of einstein: contest, sau, moves, table",
        ),
        (
            &[
                "verify",
                "a.txt",
                "--game",
                "hex",
                "--variant",
                "{ sise = 3 }",
            ],
            "--variant: unknown field `sise`",
        ),
        (
            &["convert", "--to", "sgf", "a.txt"],
            "a.txt alone, expected input and output paths",
        ),
        (
            &["convert", "--to", "moves", "a.txt", "a.txt"],
            "a.txt: already exists, expected a new file or a folder",
        ),
        (
            &[
                "convert",
                "--to",
                "sgf",
                "--encoding",
                "gbk",
                "a.txt",
                "b.sgf",
            ],
            "--encoding gbk: expected utf-8 for sgf",
        ),
        (
            &["import", "none.txt", "log"],
            "none.txt: No such file or directory",
        ),
    ] {
        let output = run(here, arguments);
        let error = text(&output.stderr);
        assert!(error.starts_with(message), "{error}");
        assert_eq!(
            (output.status.code(), error.lines().count()),
            (Some(2), 1),
            "{error}"
        );
    }
}

const LEAGUE: &str = r#"
league = { name = "spring-cup", games = ["hex", "einstein"], rounds = 2, concurrency = 2, RECORDS }
clock = { nodes = 1 }
variant.hex = { size = 4 }
engine = [{ name = "a", builtin = "random" }, { name = "b", builtin = "random" }]
"#;

fn league(records: &str) -> tempfile::TempDir {
    folder_with(&LEAGUE.replace("RECORDS", records))
}

#[test]
fn a_league_writes_contest_records_after_every_game() {
    for (records, is_gbk) in [
        ("records = \"contest\"", false),
        ("records = \"contest-gbk\"", true),
    ] {
        let folder = league(records);
        let here = folder.path();
        let output = run(here, &["league", "league.toml", "--out", "out"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let played = games(&here.join("out"));
        let mut files: Vec<_> = fs::read_dir(here.join("out/records"))
            .expect("a folder")
            .map(|entry| entry.expect("a file").path())
            .collect();
        files.sort();
        assert_eq!((played.len(), files.len()), (8, 8));
        for path in &files {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            assert!(
                name.starts_with("HEX-a R vs b B-")
                    || name.starts_with("HEX-b R vs a B-")
                    || name.starts_with("WTN-"),
                "{name}"
            );
            assert!(name.contains("-spring-cup"), "{name}");
            let bytes = fs::read(path).expect("a file");
            assert_eq!(std::str::from_utf8(&bytes).is_err(), is_gbk, "{name}");
        }
        let (out, status) = said(here, &["verify", "out/records", "--variant", "{}"]);
        // The contest's board is larger than four, so on that board the games of Hex are not over.
        assert_eq!(status, Some(0), "{out}");
        assert!(
            out.contains("8 games: 8 valid, 0 faulty; of the valid records, 4 are over"),
            "{out}"
        );
        // An exported record is identical to the one written during the league.
        let encoding = if is_gbk { "gbk" } else { "utf-8" };
        let (_, status) = said(
            here,
            &["export", "--encoding", encoding, "out", "exported/"],
        );
        assert_eq!(status, Some(0));
        let contents = |folder: &str| {
            let mut contents: Vec<Vec<u8>> = fs::read_dir(here.join(folder))
                .expect("a folder")
                .map(|entry| fs::read(entry.expect("a file").path()).expect("a file"))
                .collect();
            contents.sort();
            contents
        };
        assert_eq!(contents("exported"), contents("out/records"));
    }
}

#[test]
fn a_record_that_cannot_be_written_is_a_warning() {
    let folder = league("records = \"contest\"");
    let here = folder.path();
    fs::create_dir(here.join("out")).expect("a folder");
    fs::write(here.join("out/records"), "in the way").expect("a file");
    let output = run(here, &["league", "league.toml", "--out", "out"]);
    let error = text(&output.stderr);
    assert!(output.status.success(), "{error}");
    assert_eq!(games(&here.join("out")).len(), 8);
    assert_eq!(
        error.matches("warning: no record of game ").count(),
        8,
        "{error}"
    );
    assert!(
        error.contains("which is in the log: out/records: File exists"),
        "{error}"
    );
    assert_eq!(
        fs::read_to_string(here.join("out/records")).expect("a file"),
        "in the way"
    );
}

#[test]
fn a_log_of_played_games_takes_no_imports_and_exports_do_not_mix_games() {
    let folder = league("records = \"contest\"");
    let here = folder.path();
    assert!(
        run(here, &["league", "league.toml", "--out", "out"])
            .status
            .success()
    );
    let output = run(here, &["import", "out/records", "out"]);
    let message = "out/games.jsonl: 8 games that were not imported, expected only imported games\n";
    assert_eq!(
        (text(&output.stderr), output.status.code()),
        (message, Some(2))
    );
    let (out, status) = said(here, &["export", "out", "one.txt"]);
    assert_eq!(status, Some(1));
    assert!(out.contains("\n4 games written, 4 not written\n"), "{out}");
    assert!(out.contains("in one file with "), "{out}");
    // Several games want several files: a new name without an extension is a folder.
    let (out, status) = said(here, &["export", "out", "exported"]);
    assert_eq!(status, Some(0));
    // The contest's board of Hex is larger, and its record does not state the size.
    assert!(
        out.starts_with("8 games written\n4 games of hex {"),
        "{out}"
    );
    let files = fs::read_dir(here.join("exported")).expect("a folder");
    assert_eq!(files.count(), 8);
}

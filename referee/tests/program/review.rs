//! `referee review`: what a user sees, and what happens to files.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::program::spoken as referee;

/// A game of tic-tac-toe that First throws away at its second turn.
const LOST: &str = "b2 a1 a2 c2 a3 c1 b1 c3\n";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path.to_str().expect("a path").to_owned()
}

/// A review of lists of moves of tic-tac-toe to their ends.
fn review(file: &str, more: &[&str]) -> (String, String, Option<i32>) {
    let mut arguments = vec!["review", file, "--from", "moves", "--game", "tic-tac-toe"];
    arguments.extend(["--engine", "pvs", "--depth", "9"]);
    arguments.extend(more);
    referee(&arguments)
}

#[test]
fn a_lost_game_says_which_turn_lost_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "lost.txt", LOST);
    let (text, message, status) = review(&file, &[]);
    assert_eq!((status, message.as_str()), (Some(0), ""), "{text}");
    let line = |ply: &str| text.lines().find(|line| line.trim_start().starts_with(ply));
    let blunder = line("5 ").expect("a line");
    assert!(
        blunder.contains("  first   a3") && blunder.contains(" 50.0  blunder"),
        "{text}"
    );
    assert!(text.contains("\nWhere it turned:\n  ply 5, "), "{text}");
    assert!(
        text.contains("loses: the other side wins in 3; better "),
        "{text}"
    );
    let kept = fs::read_to_string(format!("{file}.review")).expect("it is kept");
    assert_eq!(kept.lines().count(), 1);
    // A second review is the same, and searches nothing.
    assert_eq!(review(&file, &[]), (text, message, status));
    assert_eq!(
        fs::read_to_string(format!("{file}.review")).expect("it is kept"),
        kept
    );
}

#[test]
fn json_has_every_ply() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "lost.txt", LOST);
    let (text, _, status) = review(&file, &["--format", "json"]);
    assert_eq!(status, Some(0));
    let facts: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let game = &facts["games"][0];
    assert_eq!((&game["whole"], &game["fault"]), (&true.into(), &().into()));
    let plies = game["plies"].as_array().expect("a list");
    assert_eq!(plies.len(), 8);
    assert_eq!(plies[4]["mark"], "blunder");
    assert_eq!(plies[4]["found"]["score"], "cp 0");
    assert_eq!(game["turning_points"][0]["ply"], 5);
}

/// Several games: what they say together follows, in words and in JSON.
#[test]
fn games_are_summed_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "lost.txt", &LOST.repeat(2));
    let (text, _, status) = review(&file, &[]);
    assert_eq!(status, Some(0), "{text}");
    let (_, together) = text.split_once("== All games\n").expect("a part for all");
    for part in ["player  ", "\nmean loss  ", "\nThe worst turns:\n  "] {
        assert!(together.contains(part), "{part:?}: {together}");
    }
    assert!(
        together.contains(", ply 5, crosses a3: lost 50.0 %, loses: "),
        "{together}"
    );
    let (text, _, _) = review(&file, &["--format", "json"]);
    let facts: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&facts["reviewed"], &facts["not_reviewed"]),
        (&2.into(), &0.into())
    );
    assert_eq!(facts["games"].as_array().map(Vec::len), Some(2));
    assert_eq!(facts["openings"]["tic-tac-toe"][""]["games"], 2);
    assert!(facts["worst"][0]["reason"].is_string(), "{facts}");
}

/// The curve of one game is a picture; of several, none is chosen in silence.
#[test]
fn the_chance_to_win_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "lost.txt", LOST);
    let plot = folder.path().join("curve.svg");
    let plot = plot.to_str().expect("a path");
    assert_eq!(review(&file, &["--plot", plot]).2, Some(0));
    let drawn = fs::read_to_string(plot).expect("a picture");
    assert!(drawn.starts_with("<svg") && drawn.contains("chance of crosses"));
    assert!(!drawn.contains("luck"), "there are no dice");
    let two = write(folder.path(), "two.txt", &LOST.repeat(2));
    let (_, message, status) = review(&two, &["--plot", plot]);
    assert_eq!(status, Some(2));
    assert!(
        message.contains("2 games, expected one: choose it by --id"),
        "{message}"
    );
}

/// A report shows the reviews that are kept beside its logs.
#[test]
fn a_report_has_the_reviews() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "lost.txt", LOST);
    let at = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_owned()
    };
    let (games, page) = (at("games"), at("report.html"));
    let import = [
        "import",
        "--from",
        "moves",
        "--game",
        "tic-tac-toe",
        &file,
        &games,
    ];
    assert_eq!(referee(&import).2, Some(0));
    let report = || {
        let _ = fs::remove_file(&page);
        assert_eq!(referee(&["report", &games, "--html", &page]).2, Some(0));
        fs::read_to_string(&page).expect("a report")
    };
    assert!(!report().contains("\"chances\":"));
    let searched = ["review", &games, "--engine", "pvs", "--depth", "9"];
    assert_eq!(referee(&searched).2, Some(0));
    let reviewed = report();
    assert!(reviewed.contains("\"chances\":") && reviewed.contains("\"mark\":\"blunder\""));
}

/// The annotated game is the same game: marks, words and better lines are beside its main line.
#[test]
fn an_annotated_game_is_still_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "b2 b1 a1 a2 a3 b3 c1\n";
    let file = write(folder.path(), "lost.txt", game);
    let out = folder.path().join("lost.sgf");
    let out = out.to_str().expect("a path");
    let variant = "{ size = 3, opening = \"free\" }";
    let source = ["--from", "moves", "--game", "hex", "--variant", variant];
    let arguments = [
        "review", &file, "--engine", "pvs", "--depth", "9", "--sgf", out,
    ];
    let (text, message, status) = referee(&[&arguments[..], &source].concat());
    assert_eq!((status, message.as_str()), (Some(0), ""), "{text}");
    let sgf = fs::read_to_string(out).expect("it was written");
    let blunders = text.matches("blunder ").count() + text.matches("missed win ").count();
    assert_eq!(blunders, 2, "{text}");
    assert_eq!(sgf.matches("BM[2]").count(), blunders, "{sgf}");
    assert!(
        sgf.matches("\n(;").count() >= blunders && sgf.contains("SBKV["),
        "{sgf}"
    );
    assert_eq!(sgf.matches('(').count(), sgf.matches(')').count(), "{sgf}");
    let back = folder.path().join("back.txt");
    let back = back.to_str().expect("a path");
    let (text, message, status) =
        referee(&["convert", "--to", "moves", "--variant", variant, out, back]);
    assert_eq!(status, Some(0), "{text}{message}");
    assert_eq!(
        fs::read_to_string(back)
            .expect("it was written")
            .replace(',', " "),
        game
    );
    // A game that SGF has no place for is said, and the review is shown.
    let lost = write(folder.path(), "ttt.txt", LOST);
    let (text, message, status) = review(&lost, &["--sgf", &format!("{out}.other.sgf")]);
    assert_eq!(status, Some(1), "{text}");
    assert!(message.contains("no SGF: "), "{message}");
    assert!(text.contains("Where it turned:"), "{text}");
}

/// A changed record is another game: its old review is not shown for it.
#[test]
fn a_changed_record_is_reviewed_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "lost.txt", LOST);
    review(&file, &[]);
    write(folder.path(), "lost.txt", "b2 a1 b1 b3 a3 c1 c2 a2 c3\n");
    let (text, message, status) = review(&file, &[]);
    assert_eq!((status, message.as_str()), (Some(0), ""));
    assert!(
        text.contains("No turn lost as much as an inaccuracy."),
        "{text}"
    );
    let kept = fs::read_to_string(format!("{file}.review")).expect("it is kept");
    assert_eq!(kept.lines().count(), 2, "the old one is still there");
}

#[test]
fn bad_input_is_one_clear_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = write(folder.path(), "broken.txt", "b2 a1 b2 c3\n");
    let (text, message, status) = review(&broken, &[]);
    assert_eq!(status, Some(1), "{text}{message}");
    assert!(
        message.contains("broken.txt:1:") && message.contains("2 turns and rolls are reviewed")
    );
    assert!(text.contains("   2  second  a1"), "{text}");
    let lost = write(folder.path(), "lost.txt", LOST);
    let (_, message, status) = review(&lost, &["--id", "hex"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("no such game --id hex"), "{message}");
    let (_, message, status) =
        referee(&["review", &lost, "--from", "moves", "--engine", "minimax"]);
    assert_eq!(status, Some(2));
    assert!(
        message.contains("unknown algorithm \"minimax\""),
        "{message}"
    );
    // An engine that cannot play the game.
    let log = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../matches/samples/strength-einstein"
    );
    let out = folder.path().join("out");
    let out = out.to_str().expect("a path");
    let arguments = [
        "review", log, "--engine", "pns", "--nodes", "10", "--out", out,
    ];
    let (_, message, status) =
        referee(&[&arguments[..], &["--id", "einstein-r1-pvs-mcts"]].concat());
    assert_eq!(status, Some(1));
    assert!(
        message.contains("pns does not fit einstein, which has dice"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
}

/// Ctrl-C keeps what was found, and the same command ends as if there had been none.
#[test]
fn a_stopped_review_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(
        folder.path(),
        "hex.txt",
        "c3 d4 e5 f6 g7 c4 d5 e6 f7 g8 b3 c5 d6 e7 f8 g9\n",
    );
    let arguments = [
        "review", &file, "--from", "moves", "--game", "hex", "--engine", "pvs",
    ];
    let limits = ["--nodes", "20000", "--cores", "1"];
    let program = env!("CARGO_BIN_EXE_referee");
    let mut child = Command::new(program)
        .args(arguments)
        .args(limits)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_millis(300));
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    child.wait().expect("it ends");
    let (text, _, status) = referee(&[&arguments[..], &limits].concat());
    assert_eq!(status, Some(0), "{text}");
    let other = write(
        folder.path(),
        "again.txt",
        &fs::read_to_string(&file).expect("a file"),
    );
    let mut again = arguments;
    again[1] = &other;
    let (whole, _, _) = referee(&[&again[..], &limits].concat());
    let plies = |text: &str| {
        text.lines()
            .filter(|line| line.contains("  first  "))
            .count()
    };
    assert_eq!(plies(&text), plies(&whole));
    assert!(!text.contains("Not all positions"), "{text}");
}

/// The curve of a game follows from its logged scores; a log without scores has none.
#[test]
fn curves_are_fitted_to_logs() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../matches/samples");
    let learned = format!("{samples}/learned/amazons.jsonl");
    let (text, message, status) = referee(&["review", "--fit", &learned]);
    assert_eq!((status, message.as_str()), (Some(0), ""), "{text}");
    let line = text.lines().nth(1).expect("a game");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[0], "amazons");
    let [scale, error] = [1, 2].map(|at| words[at].parse::<f64>().expect("a number"));
    assert!(scale > 10.0 && error < scale, "{line}");
    let (text, message, status) = referee(&["review", "--fit", &format!("{samples}/hex-mohex")]);
    assert_eq!(status, Some(1), "{text}");
    assert!(
        message.starts_with("hex: no curve, expected games with scores"),
        "{message}"
    );
}

//! `referee learn`, in processes that are killed and with files that are wrong.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use lab::learn::config::Config;
use serde_json::Value;

use crate::common::program::{referee, run, text, without_sums};

/// A short run.
const FILE: &str = "\
[learn]
game = \"surakarta\"
iterations = 4
games = 20

[play]
nodes = 40

[strength]
every = 2
pairs = 2
nodes = 40
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("short.toml"), FILE).expect("the file is written");
    folder
}

#[test]
fn shipped_files_of_settings_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/learn");
    let files = std::fs::read_dir(folder).expect("a folder of settings");
    let mut count = 0;
    for file in files {
        let path = file.expect("an entry").path();
        let config = Config::load(&path, None).unwrap_or_else(|error| panic!("{error}"));
        assert!(path.ends_with(format!("{}.toml", config.game.id())));
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_weights() {
    let folder = folder();
    let read = |name: &str| std::fs::read(folder.path().join(name));
    let whole = run(
        folder.path(),
        &["learn", "short.toml", "--threads", "1", "--out", "whole"],
    );
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    assert!(text(&whole.stdout).contains("4 iterations; weights: whole/weights"));

    let arguments = ["learn", "short.toml", "--threads", "1"];
    let mut killed = referee(folder.path(), &arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(120);
    while read("learned/short/checkpoint").is_err() {
        assert!(Instant::now() < deadline, "no checkpoint is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    killed.kill().expect("it is a child");
    killed.wait().expect("it ends");
    let rest = run(folder.path(), &arguments);
    assert!(rest.status.success(), "{}", text(&rest.stderr));
    for file in ["weights", "checkpoint", "plot.svg"] {
        let [rest, whole] = ["learned/short", "whole"].map(|run| read(&format!("{run}/{file}")));
        let same = rest.expect("written") == whole.expect("written");
        assert!(same, "{file} differs");
    }

    // An engine plays with them, and refuses what they are not.
    let last_report = |option: &str| {
        let said = searched(folder.path(), option);
        let mut reports = said.lines().filter_map(|line| line.split_once(" score "));
        let (_, report) = reports.next_back().expect("a report");
        report.split(" nps ").next().map(str::to_owned)
    };
    assert_ne!(last_report("whole/weights"), last_report("none"));
    let refused = searched(folder.path(), "whole/plot.svg");
    assert!(
        refused.contains("info string weights: whole/plot.svg: expected a file of learned weights")
    );
}

/// What an engine says until it has chosen a move, with this option `weights`.
fn searched(folder: &Path, weights: &str) -> String {
    let mut engine = referee(folder, &["engine", "surakarta"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = engine.stdin.take().expect("a pipe");
    let mut output = BufReader::new(engine.stdout.take().expect("a pipe"));
    let commands = "position startpos\ngo nodes 3000";
    writeln!(input, "setoption name weights value {weights}\n{commands}").expect("it reads");
    let mut said = String::new();
    while !said.contains("bestmove") {
        let read = output.read_line(&mut said).expect("text");
        assert!(read > 0, "it ended after {said}");
    }
    drop(input);
    engine.wait().expect("it ends");
    said
}

#[test]
fn checkpoints_of_other_settings_and_damaged_ones_are_refused() {
    let folder = folder();
    let learn = |arguments: &[&str]| {
        let arguments = [&["learn", "short.toml", "--iterations", "1"], arguments].concat();
        let output = run(folder.path(), &arguments);
        (output.status.code(), text(&output.stderr).to_owned())
    };
    assert_eq!(learn(&[]).0, Some(0));
    let checkpoint = folder.path().join("learned/short/checkpoint");
    let good = std::fs::read(&checkpoint).expect("it is written");

    std::fs::write(&checkpoint, &good[..good.len() / 2]).expect("it is ours");
    let (status, message) = learn(&[]);
    assert_eq!(status, Some(2));
    assert!(
        message.starts_with("learned/short/checkpoint: damaged or incomplete"),
        "{message}"
    );

    std::fs::write(&checkpoint, &good).expect("it is ours");
    let other = FILE.replace("games = 20", "games = 21");
    std::fs::write(folder.path().join("short.toml"), other).expect("it is ours");
    let (status, message) = learn(&[]);
    assert_eq!(status, Some(2));
    assert!(message.contains("a run with other settings"), "{message}");
    assert_eq!(std::fs::read(&checkpoint).expect("it is there"), good);
}

/// As on a full disk, a file cannot be written as a whole. The shell's limit is in blocks of 512 or
/// 1024 bytes.
#[test]
fn a_checkpoint_that_cannot_be_written_leaves_the_last_one() {
    let folder = folder();
    let first = run(folder.path(), &["learn", "short.toml", "--iterations", "1"]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let checkpoint = folder.path().join("learned/short/checkpoint");
    let good = std::fs::read(&checkpoint).expect("it is written");
    let limited = std::process::Command::new("sh")
        .arg("-c")
        .arg("ulimit -f 20; exec \"$0\" learn short.toml --iterations 2")
        .arg(env!("CARGO_BIN_EXE_referee"))
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    assert_eq!(limited.status.code(), Some(1));
    let message = text(&limited.stderr);
    assert!(
        message.contains("the checkpoint before it is intact"),
        "{message}"
    );
    assert_eq!(std::fs::read(&checkpoint).expect("it is there"), good);
    let rest = run(folder.path(), &["learn", "short.toml", "--iterations", "2"]);
    assert!(rest.status.success(), "{}", text(&rest.stderr));
}

/// An engine that played with other weights than its league file says would falsify the league.
#[test]
fn a_league_with_a_file_that_cannot_be_used_does_not_begin() {
    let folder = tempfile::tempdir().expect("a folder");
    let league = |game: &str, option: &str, path: &str| {
        let file = format!(
            "[league]\nname = \"weights\"\ngames = [\"{game}\"]\nrounds = 1\n\n\
             [clock]\nnodes = 10\n\n\
             [[engine]]\nname = \"learned\"\nbuiltin = \"pvs\"\n\
             options = {{ {option} = \"{path}\" }}\n\n\
             [[engine]]\nname = \"other\"\nbuiltin = \"random\"\n"
        );
        std::fs::write(folder.path().join("league.toml"), file).expect("the file is written");
        let arguments = ["league", "league.toml", "--out", game];
        let output = run(folder.path(), &arguments);
        (output.status.code(), text(&output.stderr).to_owned())
    };
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/surakarta/weights/tuples-1");
    std::fs::copy(shipped, folder.path().join("mine")).expect("a file");
    let [no_file, other, foreign] = [
        "No such file",
        "expected a file of learned weights",
        "weights for surakarta, expected hex",
    ];
    for (game, option, path, expected) in [
        ("surakarta", "weights", "no-such-file", no_file),
        ("surakarta", "weights", "league.toml", other),
        ("hex", "weights", "mine", foreign),
        ("hex", "network", "no-such-file", no_file),
        ("hex", "book", "no-such-file", no_file),
    ] {
        let (status, message) = league(game, option, path);
        let place = format!("league.toml:12: {option} ");
        assert!(message.contains(&place), "{message}");
        assert_eq!(status, Some(2), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let (status, message) = league("surakarta", "weights", "mine");
    assert_eq!(status, Some(0), "{message}");
}

/// The engine plays with a policy that was learned in two parts, and each option takes its own kind
/// of weights.
#[test]
fn a_policy_is_learned_and_played_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = "[learn]\ngame = \"hex\"\nvariant = { size = 5 }\niterations = 2\ngames = 4\n\n\
                [policy]\nnodes = 100\ncandidates = 6\n\n\
                [strength]\nevery = 2\npairs = 2\nnodes = 100\n";
    std::fs::write(folder.path().join("hex.toml"), file).expect("the file is written");
    let learn = |arguments: &[&str]| {
        let output = run(folder.path(), &[&["learn", "hex.toml"], arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let whole = learn(&["--out", "whole"]);
    assert!(whole.contains("predicted") && whole.contains("2 iterations; weights: whole/weights"));
    learn(&["--iterations", "1", "--threads", "1"]);
    learn(&[]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("weights");
    assert_eq!(read("learned/hex/weights"), read("whole/weights"));

    let matched = [
        "match",
        "best",
        "random",
        "--game",
        "hex",
        "--games",
        "2",
        "--nodes",
        "50",
        "--set",
        "engine.best.options.policy=whole/weights",
        "--set",
        "variant.hex.size=5",
        "--set",
        "engine.best.options.parameters=\"candidate_limit=4\"",
        "--out",
        "played",
    ];
    let played = run(folder.path(), &matched);
    assert!(played.status.success(), "{}", text(&played.stderr));

    let refused = run(
        folder.path(),
        &["engine", "hex", "--weights", "whole/weights"],
    );
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused.stderr);
    assert!(
        message.contains("--weights: whole/weights: weights for the inputs"),
        "{message}"
    );
    let missing = run(folder.path(), &["engine", "hex", "--policy", "none-such"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("--policy: none-such: "));
}

#[test]
fn a_policy_needs_features_and_its_own_sections() {
    let folder = tempfile::tempdir().expect("a folder");
    for (game, more, expected) in [
        (
            "surakarta",
            "[policy]",
            "[policy] game \"surakarta\" names no features of moves",
        ),
        (
            "hex",
            "[policy]\nprior = 0",
            "[policy] prior 0: expected a number above 0",
        ),
        (
            "hex",
            "[policy]\n[fit]",
            "[fit]: a file with [policy] has no such section",
        ),
        (
            "hex",
            "[q]\n[policy]",
            "[policy]: a file with [q] has no such section",
        ),
    ] {
        let file = format!("[learn]\ngame = \"{game}\"\niterations = 1\ngames = 1\n{more}\n");
        std::fs::write(folder.path().join("bad.toml"), file).expect("the file is written");
        let output = run(folder.path(), &["learn", "bad.toml"]);
        assert_eq!(output.status.code(), Some(2), "{more}");
        let message = text(&output.stderr);
        assert!(message.contains(expected), "{message}");
    }
}

/// Plays games whose openings differ; their log is in the folder `games`.
fn play_games(folder: &Path, game: &str, more: &[&str]) {
    let arguments = "new=pvs old=selective --games 24 --nodes 200 --quiet --seed seed --out games";
    fs::write(folder.join("seed"), "1\n").expect("a file");
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let arguments = [&["match", "--game", game], &arguments[..], more].concat();
    let played = run(folder, &arguments);
    assert!(played.status.success(), "{}", text(&played.stderr));
}

#[test]
fn logged_games_teach_a_policy() {
    let folder = tempfile::tempdir().expect("a folder");
    play_games(
        folder.path(),
        "hex",
        &["--random-plies", "2", "--set", "variant.hex.size=5"],
    );
    let learn = |logs: &str, arguments: &[&str]| {
        let file = format!(
            "[learn]\ngame = \"hex\"\nvariant = {{ size = 5 }}\niterations = 2\ngames = 12\n\
             logs = [\"{logs}\"]\n[policy]\ncandidates = 6\n[strength]\nevery = 0\n"
        );
        std::fs::write(folder.path().join("hex.toml"), file).expect("the file is written");
        run(folder.path(), &[&["learn", "hex.toml"], arguments].concat())
    };
    let whole = learn("games", &["--format", "json"]);
    let told = text(&whole.stderr);
    assert!(whole.status.success(), "{told}");
    assert!(
        told.contains("24 games of logs, from which the first 2 iterations learn"),
        "{told}"
    );
    let facts: Value = serde_json::from_slice(&whole.stdout).expect("JSON");
    let loss = |iteration: usize| facts[iteration]["loss"].as_f64().expect("a number");
    // The first half of the games predicts the second.
    assert!(loss(1) < loss(0) - 0.2, "{facts}");

    // In two parts, and from a copy of the log, it comes to the same.
    let at = |name: &str| folder.path().join(name);
    let log = std::fs::read_to_string(at("games/games.jsonl")).expect("a log");
    std::fs::write(at("copy.jsonl"), &log).expect("a copy");
    for arguments in [&["--iterations", "1"][..], &[]] {
        let part = learn("copy.jsonl", &[&["--out", "parts"], arguments].concat());
        assert!(part.status.success(), "{}", text(&part.stderr));
    }
    let weights = |run: &str| std::fs::read(at(run).join("weights")).expect("weights");
    assert_eq!(weights("parts"), weights("learned/hex"));

    // Other games are another run, and a game that cannot be replayed is named.
    let (_, fewer) = log.split_once('\n').expect("lines");
    std::fs::write(at("copy.jsonl"), fewer).expect("fewer games");
    let other = learn("copy.jsonl", &["--out", "parts"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("a run with other settings"));
    let wrong = without_sums(&log).replacen(
        "\"side\":\"first\",\"text\":\"",
        "\"side\":\"first\",\"text\":\"z",
        1,
    );
    std::fs::write(at("copy.jsonl"), wrong).expect("a wrong turn");
    let refused = learn("copy.jsonl", &["--out", "wrong"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused.stderr);
    assert!(message.contains("\ngame hex-r1-new-old-"), "{message}");
}

#[test]
fn logged_games_teach_an_evaluation() {
    let folder = tempfile::tempdir().expect("a folder");
    play_games(folder.path(), "surakarta", &["--random-plies", "6"]);
    for method in ["td", "td-leaf"] {
        let file = format!(
            "[learn]\ngame = \"surakarta\"\niterations = 3\ngames = 8\nlogs = [\"games\"]\n\
             [play]\nmethod = \"{method}\"\nlambda = 1.0\nnodes = 40\n[strength]\nevery = 0\n"
        );
        std::fs::write(folder.path().join(format!("{method}.toml")), file).expect("written");
        let learned = run(
            folder.path(),
            &["learn", &format!("{method}.toml"), "--format", "json"],
        );
        assert!(learned.status.success(), "{}", text(&learned.stderr));
        let facts: Value = serde_json::from_slice(&learned.stdout).expect("JSON");
        for iteration in facts.as_array().expect("iterations") {
            let number = |key: &str| iteration[key].as_f64().expect("a number");
            assert!(number("fitted") < number("loss"), "{facts}");
        }
    }
}

#[test]
fn logs_that_teach_nothing_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    play_games(folder.path(), "tic-tac-toe", &[]);
    for (game, logs, more, expected) in [
        (
            "hex",
            "games",
            "[policy]",
            "[learn] logs: no games of hex with this variant in the logs",
        ),
        ("hex", "none", "[policy]", "[learn] logs: none: "),
        (
            "tic-tac-toe",
            "games",
            "[q]",
            "[learn] logs: [q] learns from games against itself only",
        ),
    ] {
        let file = format!(
            "[learn]\ngame = \"{game}\"\niterations = 1\ngames = 1\nlogs = [\"{logs}\"]\n{more}\n"
        );
        std::fs::write(folder.path().join("bad.toml"), file).expect("the file is written");
        let output = run(folder.path(), &["learn", "bad.toml"]);
        assert_eq!(output.status.code(), Some(2), "{more}");
        let message = text(&output.stderr);
        assert!(message.contains(expected), "{message}");
    }
}

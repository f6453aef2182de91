//! Engines that are sent commands of their own before a game.

use engine_process::deviation::Deviation;
use gamelog::record::{GameRecord, Reason};

use crate::common::program::{folder_with, games, python, run, spoken, text};

/// The engine.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripted/commanded.py");

/// Plays two games of an engine that needs its commands before each, and says `answer` to each of
/// them, in one process or in two.
fn play(protocol: &str, answer: &str, keep: bool) -> Vec<GameRecord> {
    let league = format!(
        "[league]\nname = \"x\"\ngames = [\"connect6\"]\n[clock]\nbase = \"60s\"\n\
         [[engine]]\nname = \"commanded\"\nkeep = {keep}\nprotocol = {protocol:?}\n\
         command = [\"python3\", {SCRIPT:?}, {protocol:?}, {answer:?}]\n\
         init = [\"depth 4\", \"book 0\"]\n\
         [[engine]]\nname = \"greedy\"\nbuiltin = \"greedy\"\n"
    );
    let folder = folder_with(&league);
    let played = run(folder.path(), &["league", "league.toml", "--out", "out"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let verified = run(folder.path(), &["verify", "out"]);
    assert!(verified.status.success(), "{}", text(&verified.stdout));
    games(&folder.path().join("out"))
}

/// It may say nothing, or anything that is not an answer of its protocol.
#[test]
fn commands_are_sent_before_each_game() {
    for (protocol, answers) in [
        ("sau", ["", "depth is 4", "error", "ok"]),
        ("gomocup", ["", "ERROR unknown command", "UNKNOWN", "OK"]),
    ] {
        for (answer, keep) in answers.into_iter().zip([true, true, false, true]) {
            let games = play(protocol, answer, keep);
            assert_eq!(games.len(), 2);
            for game in games {
                let words = format!("{protocol} {answer:?}: {}", game.detail);
                assert_eq!(game.reason, Reason::Rules, "{words}");
                let (commanded, other) = match &*game.first.name {
                    "commanded" => (game.first, game.second),
                    _ => (game.second, game.first),
                };
                for deviation in [Deviation::Chatter, Deviation::Unasked] {
                    assert_eq!(commanded.deviations.count(deviation), 0, "{words}");
                }
                assert_eq!(commanded.init, ["depth 4", "book 0"]);
                assert_eq!(commanded.version, "Commanded");
                assert!(other.init.is_empty());
            }
        }
    }
}

/// The grade of each point, and the output, of a check of the engine with these commands.
fn check(protocol: &str, answer: &str, init: &[&str]) -> (String, Option<i32>) {
    let short = ["--positions", "3", "--games", "2", "--margin", "5s"];
    let game = ["check", "--game", "connect6", "--protocol", protocol];
    let init = init.iter().flat_map(|&line| ["--init", line]);
    let engine = ["--", python(), "-I", "-S", SCRIPT, protocol, answer];
    let arguments: Vec<&str> = (game.into_iter().chain(short)).chain(init).collect();
    let (out, error, status) = spoken(&[&arguments[..], &engine].concat());
    assert_eq!(error, "", "{protocol}");
    (out, status)
}

#[test]
fn commands_are_sent_before_each_game_of_a_check() {
    for (protocol, answer) in [("sau", "depth is 4"), ("gomocup", "UNKNOWN")] {
        let (out, status) = check(protocol, answer, &["depth 4", "book 0"]);
        assert_eq!(status, Some(0), "{out}");
        assert!(!out.contains("not part of the protocol"), "{out}");
        let (out, status) = check(protocol, answer, &["depth 4"]);
        assert_eq!(status, Some(1), "{out}");
        assert!(out.contains("told ['depth 4']"), "{out}");
    }
}

#[test]
fn a_check_refuses_commands_that_a_league_file_refuses() {
    for (protocol, line, message) in [
        (
            "ugi",
            "depth 4",
            "--init: expected options: ugi sends them before each game",
        ),
        (
            "gtp",
            "depth 4",
            "--init: expected options: gtp sends each as a command before each game",
        ),
        (
            "botzone",
            "depth 4",
            "--init: expected none: Botzone sends only requests",
        ),
        ("sau", " ", "expected a command on one line"),
        ("sau", "depth\n4", "expected a command on one line"),
    ] {
        let game = ["check", "./engine", "--game", "hex", "--protocol", protocol];
        let (out, error, status) = spoken(&[&game[..], &["--init", line]].concat());
        assert_eq!((&*out, status), ("", Some(2)), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

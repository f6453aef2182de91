//! Engines that are sent commands of their own before a game.

use referee_core::log::deviation::Deviation;
use referee_core::log::record::{GameRecord, Reason};

use crate::common::program::{folder_with, games, run, text};

/// Plays two games of an engine that needs its commands before each, and says `answer` to each of
/// them, in one process or in two.
fn play(protocol: &str, answer: &str, keep: bool) -> Vec<GameRecord> {
    let path = format!("{}/tests/scripted/commanded.py", env!("CARGO_MANIFEST_DIR"));
    let league = format!(
        "[league]\nname = \"x\"\ngames = [\"connect6\"]\n[clock]\nbase = \"60s\"\n\
         [[engine]]\nname = \"commanded\"\nkeep = {keep}\nprotocol = {protocol:?}\n\
         command = [\"python3\", {path:?}, {protocol:?}, {answer:?}]\n\
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

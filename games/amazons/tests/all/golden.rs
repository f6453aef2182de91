//! Whole games, turn by turn, with their ends.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use amazons::Amazons;
use engine_core::{Outcome, Position, Side};
use game::Game;
use game::turn;

fn replay(name: &str, text: &str) {
    let mut lines = text.lines();
    let variant = lines.next().unwrap().strip_prefix("variant ").unwrap();
    let mut position = Amazons::start(&serde_json::from_str(variant).unwrap()).unwrap();
    let mut result = "";
    for line in lines {
        if let Some(end) = line.strip_prefix("result ") {
            result = end;
            break;
        }
        for word in line.split_whitespace() {
            assert_eq!(position.outcome(), None, "{name}: over before {word}");
            turn::play_turn(&mut position, word)
                .unwrap_or_else(|error| panic!("{name}: {word}: {error}"));
        }
    }
    let winner = match position.outcome() {
        Some(Outcome::Win(Side::First)) => "First",
        Some(Outcome::Win(Side::Second)) => "Second",
        _ => "nobody",
    };
    assert_eq!(format!("{winner}: {}", position.ending()), result, "{name}");
}

#[test]
fn golden_games_end_as_recorded() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
    let mut games = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        replay(
            &path.display().to_string(),
            &std::fs::read_to_string(&path).unwrap(),
        );
        games += 1;
    }
    assert!(games >= 3, "{games} golden games");
}

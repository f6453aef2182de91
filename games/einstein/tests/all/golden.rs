//! Golden games: a line `variant {…}`, the words of the game, a line `result …: ending`.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::fs;
use std::path::Path;

use einstein::{Einstein, Variant};
use engine_core::{Outcome, Position};
use game::Game;
use game::turn;

fn replay(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let [variant, moves @ .., result] = &lines[..] else {
        panic!("a golden game has a variant, moves and a result");
    };
    let variant = variant.strip_prefix("variant ").expect("a variant");
    let variant: Variant = serde_json::from_str(variant).unwrap();
    let mut position = Einstein::start(&variant).unwrap();
    turn::play_words(&mut position, &moves.join(" ")).unwrap();
    let Some(Outcome::Win(winner)) = position.outcome() else {
        panic!("the game goes on");
    };
    assert_eq!(*result, format!("result {winner:?}: {}", position.ending()));
}

#[test]
fn golden_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        println!("{}", path.display());
        replay(&fs::read_to_string(path).unwrap());
        count += 1;
    }
    assert_eq!(count, 3);
}

//! Golden games: a line `variant {…}`, the turns, and the result.

use connect6::{Connect6, Variant};
use engine_core::{Notation, Outcome, Position};
use game::Game;
use game::turn;

const GAMES: [(&str, &str); 4] = [
    ("first-stone", include_str!("../golden/first-stone.txt")),
    ("overline", include_str!("../golden/overline.txt")),
    ("record-81", include_str!("../golden/record-81.txt")),
    ("board-full", include_str!("../golden/board-full.txt")),
];

fn variant(line: &str) -> Variant {
    let json = line.strip_prefix("variant ").expect("a variant");
    serde_json::from_str(json).expect("a variant")
}

#[test]
fn golden_games_end_as_written() {
    for (name, text) in GAMES {
        let lines: Vec<&str> = text.lines().collect();
        let (first, last) = (lines[0], lines[lines.len() - 1]);
        let mut position = Connect6::start(&variant(first)).unwrap();
        for word in lines[1..lines.len() - 1]
            .iter()
            .flat_map(|line| line.split_whitespace())
        {
            let before = position.clone();
            let played = turn::play_turn(&mut position, word)
                .unwrap_or_else(|error| panic!("{name}, {word}: {error}"));
            assert_eq!(before.write_turn(&played), word, "{name}");
        }
        let result = match position.outcome() {
            Some(Outcome::Win(side)) => format!("{side:?}"),
            Some(Outcome::Draw) => "Draw".to_string(),
            None => panic!("{name} is not over"),
        };
        assert_eq!(
            format!("result {result}: {}", position.ending()),
            last,
            "{name}"
        );
    }
}

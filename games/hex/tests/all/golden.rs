//! Golden games in `tests/golden`: every turn is legal, and the result is as written.

use engine_core::{Outcome, Position, Side};
use game::Game;
use game::turn;

use crate::common::start;

/// Replays a game: a line with the variant, a line of turns, a line with the result.
fn replay(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let [variant, turns, result] = lines[..] else {
        panic!("expected three lines: {text}");
    };
    let variant = variant.strip_prefix("variant ").expect("a variant");
    let mut position = start(variant);
    for (i, word) in turns.split(' ').enumerate() {
        assert_eq!(position.outcome(), None, "{word} after the end");
        assert_eq!(position.side(), Side::BOTH[i % 2], "{word}");
        turn::play_turn(&mut position, word).unwrap_or_else(|error| panic!("{word}: {error}"));
    }
    let (winner, ending) = result
        .strip_prefix("result ")
        .and_then(|result| result.split_once(": "))
        .expect("a result");
    let winner = match winner {
        "First" => Side::First,
        "Second" => Side::Second,
        _ => panic!("Hex knows no {winner}"),
    };
    assert_eq!(position.outcome(), Some(Outcome::Win(winner)));
    assert_eq!(position.ending(), ending);
    assert!(position.legal_moves().is_empty());
}

#[test]
fn bridges() {
    replay(include_str!("../golden/bridges.txt"));
}

#[test]
fn swap_pieces() {
    replay(include_str!("../golden/swap-pieces.txt"));
}

#[test]
fn swap_sides() {
    replay(include_str!("../golden/swap-sides.txt"));
}

#[test]
fn forced() {
    replay(include_str!("../golden/forced.txt"));
}

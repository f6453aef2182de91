//! Golden games in `tests/golden`: every turn is legal, and the result is as written.

use engine_core::{Outcome, Position, Side};
use game::Game;
use game::turn;

use crate::common::start;

/// Replays a game: a line with the variant, a line of turns, a line with the result.
#[track_caller]
fn replay(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let [variant, turns, result] = lines[..] else {
        panic!("expected three lines: {text}");
    };
    let variant = variant.strip_prefix("variant ").expect("a variant");
    let mut position = start(variant);
    for word in turns.split(' ') {
        assert_eq!(position.outcome(), None, "{word} after the end");
        turn::play_turn(&mut position, word).unwrap_or_else(|error| panic!("{word}: {error}"));
    }
    let (winner, ending) = result
        .strip_prefix("result ")
        .and_then(|result| result.split_once(": "))
        .expect("a result");
    let outcome = match winner {
        "First" => Outcome::Win(Side::First),
        "Second" => Outcome::Win(Side::Second),
        "draw" => Outcome::Draw,
        _ => panic!("nobody is called {winner}"),
    };
    assert_eq!(position.outcome(), Some(outcome));
    assert_eq!(position.ending(), ending);
    assert!(position.legal_moves().is_empty());
}

#[test]
fn a_game_without_a_swap() {
    replay(include_str!("../golden/no-swap.txt"));
}

#[test]
fn a_game_with_a_swap() {
    replay(include_str!("../golden/swap.txt"));
}

#[test]
fn three_three() {
    replay(include_str!("../golden/three-three.txt"));
}

#[test]
fn three_three_claimed() {
    replay(include_str!("../golden/claimed.txt"));
}

#[test]
fn three_three_overlooked() {
    replay(include_str!("../golden/overlooked.txt"));
}

#[test]
fn two_passes() {
    replay(include_str!("../golden/passes.txt"));
}

#[test]
fn an_overline_of_white_is_a_five() {
    replay(include_str!("../golden/white-overline.txt"));
}

#[test]
fn an_overline_in_the_standard_game_is_none() {
    replay(include_str!("../golden/standard.txt"));
}

#[test]
fn an_overline_in_the_free_style_game_wins() {
    replay(include_str!("../golden/free-style.txt"));
}

#[test]
fn a_full_board() {
    replay(include_str!("../golden/board-full.txt"));
}

//! Helpers for several tests.

use engine_core::Notation;
use entry::Game;
use gomoku::Gomoku;

/// The start of a variant written as JSON.
pub(crate) fn start(variant: &str) -> Gomoku {
    let variant = serde_json::from_str(variant).expect("a variant");
    Gomoku::start(&variant).expect("a variant that exists")
}

/// The position after some turns, separated by blanks, from the start of a variant.
#[track_caller]
pub(crate) fn after(variant: &str, turns: &str) -> Gomoku {
    let mut position = start(variant);
    entry::turn::play_words(&mut position, turns)
        .unwrap_or_else(|error| panic!("{turns}: {error}"));
    position
}

/// Checks the message of an illegal turn.
#[track_caller]
pub(crate) fn check_refused(position: &Gomoku, turn: &str, message: &str) {
    let error = position.parse_turn(turn).expect_err(turn);
    assert_eq!(error.to_string(), message);
}

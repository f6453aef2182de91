//! Helpers for several tests.

use engine_core::Notation;
use game::Game;
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
    game::turn::play_words(&mut position, turns).unwrap_or_else(|error| panic!("{turns}: {error}"));
    position
}

/// Checks the message of an illegal turn.
#[track_caller]
pub(crate) fn check_refused(position: &Gomoku, turn: &str, message: &str) {
    let error = position.parse_turn(turn).expect_err(turn);
    assert_eq!(error.to_string(), message);
}

/// A position with a free opening, of rows from the top: `b` and `w` are stones, all else
/// is empty. Black is to move.
pub(crate) fn of_rows(rows: &[String]) -> Result<Gomoku, engine_core::ParseError> {
    let size = rows.len();
    let row = |row: &String| {
        let mut text = String::new();
        let mut empty = 0;
        for c in row.chars() {
            match c {
                'b' | 'w' if empty > 0 => text += &format!("{empty}{c}"),
                'b' | 'w' => text.push(c),
                _ => empty += 1,
            }
            empty *= usize::from(!"bw".contains(c));
        }
        if empty > 0 {
            text + &empty.to_string()
        } else {
            text
        }
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    let start = start(&format!(r#"{{"opening": "free", "size": {size}}}"#));
    start.parse_position(&format!("{} black", rows.join("/")))
}

//! Endgames with their exact winning probabilities.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use einstein::{Colour, Einstein};
use engine_core::Notation;

/// A square of the table, row by row from the top left; `-` for -1.
fn square_name(square: i32) -> String {
    match square {
        -1 => "-".to_string(),
        _ => format!("{}{}", (b'a' + (square % 5) as u8) as char, 5 - square / 5),
    }
}

/// The position with the mover's pieces on these squares, moving towards square 24, and the
/// opponent's, moving towards 0. The mover is red.
pub fn position(mover: &str, opponent: &str) -> Einstein {
    let squares = |text: &str| {
        text.split_whitespace()
            .map(|square| square_name(square.parse().unwrap()))
            .collect::<Vec<_>>()
            .join(",")
    };
    let text = format!("R:{} B:{} R roll", squares(mover), squares(opponent));
    Einstein::new(Colour::Red).parse_position(&text).unwrap()
}

/// The 80 endgames with the mover's winning probability before its roll.
pub fn table() -> Vec<(Einstein, f64)> {
    let rows = include_str!("../data/einstein-values.txt").lines();
    rows.filter(|row| !row.starts_with('#'))
        .map(|row| {
            let [mover, opponent, value] = row.split('|').collect::<Vec<_>>()[..] else {
                panic!("{row}");
            };
            (position(mover, opponent), value.trim().parse().unwrap())
        })
        .collect()
}

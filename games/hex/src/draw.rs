//! The board as plain text.

use crate::board::{Colour, Hex};
use crate::geometry::Cell;

/// The board with shifted rows, as for hexagons: `R` and `B` are stones. Red connects the letters
/// at the top and bottom, blue the numbers at the left and right.
pub(crate) fn draw(position: &Hex) -> String {
    let size = position.size();
    let letters: String = (0..size)
        .flat_map(|column| [(b'a' + column) as char, ' '])
        .collect();
    let letters = letters.trim_end();
    let mut text = format!("   {letters}\n");
    for row in 0..size {
        let indent = " ".repeat(row as usize);
        let number = row + 1;
        text += &format!("{indent}{number:2}");
        for column in 0..size {
            text += match position.colour_at(Cell::new(column, row)) {
                Some(Colour::Red) => " R",
                Some(Colour::Blue) => " B",
                None => " .",
            };
        }
        text += &format!(" {number}\n");
    }
    text += &format!("{}{letters}\n", " ".repeat(size as usize + 2));
    if position.is_exchanged() {
        text += "Colours exchanged: First plays blue, Second red.\n";
    }
    text
}

//! The board as text.

use crate::board::TicTacToe;
use crate::moves::Cell;
use crate::notation::LETTERS;

impl TicTacToe {
    /// The board with coordinates, row 1 at the bottom: `X` crosses, `O` noughts, `.` empty.
    pub fn picture(&self) -> String {
        let mut picture = String::from("   a b c\n");
        for row in [2, 1, 0] {
            picture += &format!("{:2}", row + 1);
            for column in 0..3 {
                let mark = self.at(Cell::new(column, row));
                let letter = mark.map_or('.', |side| LETTERS[side.index()]);
                picture.extend([' ', letter.to_ascii_uppercase()]);
            }
            picture += &format!(" {}\n", row + 1);
        }
        picture + "   a b c\n"
    }
}

#[cfg(test)]
mod tests {
    use engine_core::Position;

    use crate::{Cell, TicTacToe};

    #[test]
    fn the_picture_has_row_one_at_the_bottom() {
        let mut position = TicTacToe::default();
        position.play(Cell::new(1, 0));
        position.play(Cell::new(2, 2));
        let expected = "   a b c\n 3 . . O 3\n 2 . . . 2\n 1 . X . 1\n   a b c\n";
        assert_eq!(position.picture(), expected);
    }
}

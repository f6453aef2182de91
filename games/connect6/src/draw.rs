//! The board as text.

use engine_core::Side;

use crate::board::Connect6;

impl Connect6 {
    /// The board with coordinates, row 1 at the bottom: `X` black, `O` white, `.` empty.
    pub fn picture(&self) -> String {
        let size = self.size() as usize;
        let letters: String = (0..size)
            .map(|column| format!(" {}", (b'a' + column as u8) as char))
            .collect();
        let mut picture = format!("  {letters}\n");
        for row in (0..size).rev() {
            picture.push_str(&format!("{:2}", row + 1));
            for column in 0..size {
                picture.push_str(match self.at(column, row) {
                    Some(Side::First) => " X",
                    Some(Side::Second) => " O",
                    None => " .",
                });
            }
            picture.push_str(&format!(" {}\n", row + 1));
        }
        picture.push_str(&format!("  {letters}\n"));
        picture
    }
}

#[cfg(test)]
mod tests {
    use engine_core::Position;

    use crate::{Connect6, Stone};

    #[test]
    fn the_picture_has_row_one_at_the_bottom() {
        let mut position = Connect6::new(6);
        position.play(Stone::new(1, 0));
        position.play(Stone::new(5, 5));
        let expected = "   a b c d e f\n 6 . . . . . O 6\n 5 . . . . . . 5\n 4 . . . . . . 4\n \
                        3 . . . . . . 3\n 2 . . . . . . 2\n 1 . X . . . . 1\n   a b c d e f\n";
        assert_eq!(position.picture(), expected);
    }
}

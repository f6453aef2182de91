//! The board as text.

use crate::board::{Colour, Gomoku};
use crate::geometry::Cell;

impl Gomoku {
    /// The board with coordinates, row 1 at the bottom: `X` black, `O` white, `+` an offered fifth
    /// stone, `.` empty. While the stones are those of a prescribed opening, its names follow.
    pub fn picture(&self) -> String {
        let size = self.size();
        let letters: String = (0..size)
            .map(|column| format!(" {}", (b'a' + column) as char))
            .collect();
        let mut picture = format!("  {letters}\n");
        for row in (0..size).rev() {
            picture.push_str(&format!("{:2}", row + 1));
            for column in 0..size {
                let cell = Cell::new(column, row);
                picture.push_str(match self.at(cell) {
                    Some(Colour::Black) => " X",
                    Some(Colour::White) => " O",
                    None if self.offers().contains(&cell) => " +",
                    None => " .",
                });
            }
            picture.push_str(&format!(" {}\n", row + 1));
        }
        picture.push_str(&format!("  {letters}\n"));
        if let Some(named) = self.named_opening() {
            let (short, chinese) = (named.short(), named.chinese);
            picture.push_str(&format!("opening {short}: {chinese}, {}\n", named.japanese));
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use engine_core::{Notation, Position};
    use entry::Game;

    use crate::{Gomoku, Variant};

    #[test]
    fn the_picture_has_row_one_at_the_bottom_and_names_the_opening() {
        let mut position = Gomoku::start(&Variant::default()).unwrap();
        for action in position.parse_turn("h8h9i9x2").unwrap() {
            position.play(action);
        }
        let picture = position.picture();
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(lines[0], "   a b c d e f g h i j k l m n o");
        assert_eq!(lines[7], " 9 . . . . . . . O X . . . . . . 9");
        assert_eq!(lines[8], " 8 . . . . . . . X . . . . . . . 8");
        assert_eq!(lines[17], "opening D4: 花月, Kagetsu");
    }
}

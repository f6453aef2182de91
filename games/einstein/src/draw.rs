//! The board as plain text.

use engine_core::Side;

use crate::board::Einstein;
use crate::notation::in_frame;

impl Einstein {
    /// The board with coordinates, red's home at the top left; the die below it, if rolled.
    pub(crate) fn picture(&self) -> String {
        let mut picture = String::new();
        for row in 0..5 {
            picture += &format!("{} ", 5 - row);
            for column in 0..5 {
                let square = in_frame(self.colour(Side::First), row * 5 + column);
                picture += &match self.piece_at(Side::First, square) {
                    Some((side, number)) => format!(" {}{number}", self.colour(side).letter()),
                    None => "  .".to_string(),
                };
            }
            picture += "\n";
        }
        picture += "    A  B  C  D  E\n";
        if let Some(die) = self.die() {
            picture += &format!("die {die}\n");
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use engine_core::{Notation, Position};

    use super::*;
    use crate::variant::Colour;

    #[test]
    fn both_colours_stand_where_the_text_says() {
        for first_colour in [Colour::Red, Colour::Blue] {
            let mut position = Einstein::new(first_colour)
                .parse_position("R:a5,-,-,c4,-,- B:e1,-,b2,-,-,d5 R roll")
                .unwrap();
            position.play_roll(2);
            let expected = "\
5  R1  .  . B6  .
4   .  . R4  .  .
3   .  .  .  .  .
2   . B3  .  .  .
1   .  .  .  . B1
    A  B  C  D  E
die 2
";
            assert_eq!(position.picture(), expected);
        }
    }
}

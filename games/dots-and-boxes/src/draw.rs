//! The board as text.

use engine_core::Side;

use crate::board::DotsAndBoxes;
use crate::notation::letter;

impl DotsAndBoxes {
    /// The owner of a box, given its number.
    pub(crate) fn owner(&self, number: u8) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.owned[side.index()] >> number & 1 == 1)
    }

    /// The board with coordinates: `o` is a dot, lines are edges, `R` and `B` are the boxes of red
    /// and blue; the score is below.
    pub(crate) fn board_text(&self) -> String {
        let mut text = String::new();
        for y in 0..=2 * self.geometry.rows {
            if y % 2 == 0 {
                text.push_str(&format!("{:2} ", self.geometry.rows + 1 - y / 2));
            } else {
                text.push_str("   ");
            }
            for x in 0..=2 * self.geometry.columns {
                text.push_str(self.cell(x, y));
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text.push_str("   ");
        for column in 0..=self.geometry.columns {
            text.push(letter(column));
            text.push_str(if column < self.geometry.columns {
                "   "
            } else {
                "\n"
            });
        }
        let (red, blue) = (self.boxes_of(Side::First), self.boxes_of(Side::Second));
        text + &format!("   red {red}, blue {blue}\n")
    }

    /// The text of a lattice point: one character in even columns, three in odd ones.
    fn cell(&self, x: u8, y: u8) -> &'static str {
        if let Some(edge) = self.geometry.edge_at(x, y) {
            match (self.lines.drawn >> edge & 1 == 1, y % 2) {
                (true, 0) => "---",
                (false, 0) => "   ",
                (true, _) => "|",
                (false, _) => " ",
            }
        } else if let Some(number) = self.geometry.box_at(x, y) {
            match self.owner(number) {
                Some(Side::First) => " R ",
                Some(Side::Second) => " B ",
                None => "   ",
            }
        } else {
            "o"
        }
    }
}

#[cfg(test)]
mod tests {
    use engine_core::Notation;

    use crate::Variant;

    #[test]
    fn edges_boxes_and_score_are_shown() {
        let start = Variant {
            columns: 2,
            rows: 1,
            ..Variant::default()
        }
        .start()
        .unwrap();
        let position = start.parse_position("-./|r|../-- b").unwrap();
        assert_eq!(
            position.board_text(),
            " 2 o---o   o\n   | R |\n 1 o---o---o\n   a   b   c\n   red 1, blue 0\n"
        );
    }
}

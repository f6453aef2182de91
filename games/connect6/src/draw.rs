//! The board as plain text, and as a picture.

use drawing::frame::cell_name;
use drawing::{Frame, Palette, Picture};
use engine_core::{Outcome, Position, Side};
use game::View;
use game::view::line_of;

use crate::board::Connect6;
use crate::moves::Stone;

impl Connect6 {
    /// The board with coordinates, row 1 at the bottom: `X` black, `O` white, `.` empty.
    pub fn board_text(&self) -> String {
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

/// The picture of a position. Stones of one turn share a number.
pub(crate) fn picture(position: &Connect6, view: &View<'_, Connect6>) -> Picture {
    let frame = Frame::square(position.size());
    let centre = |stone: Stone| frame.centre(stone.column(), stone.row() as u8);
    let mut picture = frame.points(Palette::Stones);
    for (side, stone) in position.all_stones() {
        picture.add_stone(side.index(), centre(stone));
    }
    for (i, &stone) in view.numbered.iter().enumerate() {
        if let Some(side) = position.at(stone.column().into(), stone.row().into()) {
            // The first turn is one stone, every later one two.
            picture.add_number(side.index(), centre(stone), i.div_ceil(2) + 1);
        }
    }
    for &stone in view.last {
        picture.mark_last(centre(stone), view.numbered.contains(&stone));
    }
    if let Some(Outcome::Win(winner)) = position.outcome() {
        let is_own = |column: u8, row: u8| position.at(column.into(), row.into()) == Some(winner);
        picture.shapes.extend(frame.row(6, is_own));
    }
    for step in line_of(position, view.line) {
        picture.add_ghost(step.colour, centre(step.action), step.turn);
    }
    for &hint in view.hints {
        picture.add_hint(centre(hint));
    }
    picture
}

/// The clicks of a stone: its cell.
pub(crate) fn clicks(stone: Stone) -> Vec<String> {
    vec![cell_name(stone.column(), stone.row() as u8)]
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
        assert_eq!(position.board_text(), expected);
    }
}

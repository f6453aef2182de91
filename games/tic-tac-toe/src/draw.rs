//! The board as plain text, and as a picture.

use drawing::frame::cell_name;
use drawing::{Class, Frame, Palette, Picture, Point, Shape, Step, Target};
use engine_core::{Outcome, Position, Side};
use game::View;
use game::view::line_of;

use crate::board::{TicTacToe, cells_of};
use crate::moves::Cell;
use crate::notation::LETTERS;

impl TicTacToe {
    /// The board with coordinates, row 1 at the bottom: `X` crosses, `O` noughts, `.` empty.
    pub fn board_text(&self) -> String {
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

/// The board.
const FRAME: Frame = Frame {
    columns: 3,
    rows: 3,
};

fn centre(cell: Cell) -> Point {
    FRAME.centre(cell.column(), cell.row())
}

/// A cross or a nought.
fn mark(side: Side, centre: Point) -> Shape {
    match side {
        Side::First => Shape::cross(Class::FirstStroke, centre, 0.24),
        Side::Second => Shape::circle(Class::SecondStroke, centre, 0.27),
    }
}

/// The picture of a position.
pub(crate) fn picture(position: &TicTacToe, view: &View<'_, TicTacToe>) -> Picture {
    let mut picture = ground();
    for &cell in view.last {
        picture.add(Shape::square(Class::Trail, centre(cell), 0.86, 0.1));
    }
    for side in Side::BOTH {
        for cell in cells_of(position.cells(side)) {
            picture.add(mark(side, centre(cell)));
        }
    }
    for (number, &cell) in (1..).zip(view.numbered) {
        let corner = centre(cell) + Point(0.34, 0.34);
        picture.add(Shape::text(Class::Note, corner, 0.14, format!("{number}")));
    }
    if let Some(Outcome::Win(winner)) = position.outcome() {
        let is_own = |column, row| position.at(Cell::new(column, row)) == Some(winner);
        picture.shapes.extend(FRAME.row(3, is_own));
    }
    for step in line_of(position, view.line) {
        let centre = centre(step.action);
        picture.add(Shape::circle(Class::GHOSTS[step.colour], centre, 0.27));
        let number = step.turn.to_string();
        picture.add(Shape::text(
            Class::NUMBERS[step.colour],
            centre,
            0.3,
            number,
        ));
    }
    for &hint in view.hints {
        picture.add(Shape::circle(Class::Hint, centre(hint), 0.27));
    }
    picture
}

/// The board without marks: two lines each way.
fn ground() -> Picture {
    let height = FRAME.text_height();
    let mut picture = Picture::with_margin(Palette::Inks, FRAME.size(), 2.2 * height);
    let mut lines = Vec::new();
    for line in [1.0, 2.0] {
        lines.extend([Step::Move(Point(line, 0.06)), Step::Line(Point(line, 2.94))]);
        lines.extend([Step::Move(Point(0.06, line)), Step::Line(Point(2.94, line))]);
    }
    picture.add(Shape::path(Class::Rim, lines));
    for (column, row) in FRAME.cells() {
        let centre = FRAME.centre(column, row);
        picture
            .targets
            .push(Target::cell(cell_name(column, row), centre));
    }
    FRAME.add_coordinates(&mut picture, height, height);
    picture
}

/// The clicks of a mark: its cell.
pub(crate) fn clicks(cell: Cell) -> Vec<String> {
    vec![cell_name(cell.column(), cell.row())]
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
        assert_eq!(position.board_text(), expected);
    }
}

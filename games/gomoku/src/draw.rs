//! The board as plain text, and as a picture.

use drawing::frame::cell_name;
use drawing::{Class, Frame, Palette, Picture, Shape};
use engine_core::{Outcome, Position};
use game::Game;
use game::View;
use game::view::line_of;

use crate::board::{Colour, Gomoku};
use crate::geometry::Cell;
use crate::moves::Action;
use crate::variant::ForbiddenRule;

impl Gomoku {
    /// The board with coordinates, row 1 at the bottom: `X` black, `O` white, `+` an offered fifth
    /// stone, `.` empty. While the stones are those of a prescribed opening, its names follow.
    pub fn board_text(&self) -> String {
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

/// The cell of an action that has one.
fn cell_of(action: Action) -> Option<Cell> {
    match action {
        Action::Cell(cell) => Some(cell),
        Action::Count(_) | Action::Swap | Action::Pass | Action::Claim => None,
    }
}

/// The picture of a position.
pub(crate) fn picture(position: &Gomoku, view: &View<'_, Gomoku>) -> Picture {
    let frame = Frame::square(position.size());
    let centre = |cell: Cell| frame.centre(cell.column(), cell.row());
    let mut picture = frame.points(Palette::Stones);
    for colour in Colour::BOTH {
        for cell in position.cells_of(colour).cells() {
            picture.add_stone(colour as usize, centre(cell));
        }
    }
    for &cell in position.offers() {
        picture.add(Shape::circle(Class::Offer, centre(cell), 0.4));
    }
    let numbered = numbered(position, view.numbered);
    for (number, &(colour, cell)) in (1..).zip(&numbered) {
        picture.add_number(colour as usize, centre(cell), number);
    }
    for cell in view.last.iter().copied().filter_map(cell_of) {
        if position.at(cell).is_some() {
            let is_numbered = numbered.iter().any(|(_, other)| *other == cell);
            picture.mark_last(centre(cell), is_numbered);
        }
    }
    if let Some(Outcome::Win(winner)) = position.outcome() {
        let colour = Colour::BOTH[position.colour_index(winner)];
        let is_own = |column, row| position.at(Cell::new(column, row)) == Some(colour);
        picture.shapes.extend(frame.row(5, is_own));
    }
    if view.forbidden {
        for cell in forbidden_cells(position) {
            picture.add(Shape::cross(Class::Forbidden, centre(cell), 0.17));
        }
    }
    for step in line_of(position, view.line) {
        if let Some(cell) = cell_of(step.action) {
            let colour = step.before.to_move() as usize;
            picture.add_ghost(colour, centre(cell), step.turn);
        }
    }
    for cell in view.hints.iter().copied().filter_map(cell_of) {
        picture.add_hint(centre(cell));
    }
    picture
}

/// The stones in the order in which they came to the board. The fifth one came when it was kept,
/// whenever it was offered.
fn numbered(position: &Gomoku, actions: &[Action]) -> Vec<(Colour, Cell)> {
    let mut stones: Vec<(Colour, Cell)> = Vec::new();
    for cell in actions.iter().copied().filter_map(cell_of) {
        stones.retain(|(_, other)| *other != cell);
        stones.extend(position.at(cell).map(|colour| (colour, cell)));
    }
    stones
}

/// The cells that are forbidden to black, if it is black's move and the variant forbids any.
fn forbidden_cells(position: &Gomoku) -> impl Iterator<Item = Cell> {
    let applies =
        position.variant().forbidden != ForbiddenRule::Off && position.to_move() == Colour::Black;
    let cells = position.empty_cells().cells();
    cells.filter(move |&cell| applies && position.forbidden(cell).is_some())
}

/// The clicks of an action: its cell. `None` for words and numbers.
pub(crate) fn clicks(action: Action) -> Option<Vec<String>> {
    cell_of(action).map(|cell| vec![cell_name(cell.column(), cell.row())])
}

#[cfg(test)]
mod tests {
    use engine_core::{Notation, Position};
    use game::Game;

    use crate::{Gomoku, Variant};

    #[test]
    fn the_picture_has_row_one_at_the_bottom_and_names_the_opening() {
        let mut position = Gomoku::start(&Variant::default()).unwrap();
        for action in position.parse_turn("h8h9i9x2").unwrap() {
            position.play(action);
        }
        let picture = position.board_text();
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(lines[0], "   a b c d e f g h i j k l m n o");
        assert_eq!(lines[7], " 9 . . . . . . . O X . . . . . . 9");
        assert_eq!(lines[8], " 8 . . . . . . . X . . . . . . . 8");
        assert_eq!(lines[17], "opening D4: 花月, Kagetsu");
    }
}

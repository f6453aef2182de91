//! The board as plain text, and as a picture.

use drawing::{Class, Frame, Palette, Picture, Point, Shape, Step};
use engine_core::{Position, Side};
use game::View;
use game::view::line_of;

use crate::board::Einstein;
use crate::moves::Action;
use crate::notation::{in_frame, square_name};
use crate::tables::{GOAL, HOME};
use crate::variant::Colour;

impl Einstein {
    /// The board with coordinates, red's home at the top left; the die below it, if rolled.
    pub(crate) fn board_text(&self) -> String {
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

/// The board.
const FRAME: Frame = Frame {
    columns: 5,
    rows: 5,
};
/// The side of the die.
const DIE: f64 = 0.8;
/// The room for the die to the right of the board.
const ROOM: f64 = 1.15;

/// The centre of a square of the board, 0–24 row by row from A5.
fn centre(square: u8) -> Point {
    FRAME.centre(square % 5, 4 - square / 5)
}

/// The picture of a position.
pub(crate) fn picture(position: &Einstein, view: &View<'_, Einstein>) -> Picture {
    let mut picture = ground();
    for (&action, before) in view.last.iter().zip(view.before) {
        if let Some([from, to]) = way(before, action) {
            picture.add(Shape::square(Class::Trail, from, 1.0, 0.0));
            picture.add(Shape::square(Class::Trail, to, 1.0, 0.0));
            picture.add(Shape::path(
                Class::Way,
                vec![Step::Move(from), Step::Line(to)],
            ));
        }
    }
    for square in 0..=GOAL {
        let in_first = in_frame(position.colour(Side::First), square);
        if let Some((side, number)) = position.piece_at(Side::First, in_first) {
            let can_move = side == position.side && position.movable().any(|one| one == number);
            let colour = position.colour(side) as usize;
            add_piece(&mut picture, colour, centre(square), number);
            if can_move {
                picture.add(Shape::circle(Class::Movable, centre(square), 0.45));
            }
        }
    }
    add_die(&mut picture, position);
    for step in line_of(position, view.line) {
        let colour = step.colour;
        match way(&step.before, step.action) {
            Some([from, to]) => {
                let arrow = Shape::arrow(Class::ARROWS[colour], from, to, 0.14);
                picture.shapes.extend(arrow);
            }
            None => add_layout(&mut picture, &step.before, step.action),
        }
    }
    for &hint in view.hints {
        match way(position, hint) {
            Some([from, to]) => {
                let line = vec![Step::Move(from), Step::Line(to)];
                picture.add(Shape::path(Class::HintLine, line));
                picture.add_hint(to);
            }
            None => add_layout(&mut picture, position, hint),
        }
    }
    picture
}

/// The board without pieces: the homes of both colours are tinted.
fn ground() -> Picture {
    let mut picture = FRAME.squares_beside(ROOM, Palette::Inks, false);
    for colour in [Colour::Red, Colour::Blue] {
        for square in HOME {
            let centre = centre(in_frame(colour, square));
            let class = Class::HOMES[colour as usize];
            picture.add(Shape::square(class, centre, 0.96, 0.0));
        }
    }
    picture
}

/// A piece with its number.
fn add_piece(picture: &mut Picture, colour: usize, centre: Point, number: u8) {
    picture.add(Shape::circle(Class::PIECES[colour], centre, 0.4));
    if colour == 1 {
        picture.add(Shape::circle(Class::SecondInlay, centre, 0.33));
    }
    let class = Class::NUMBERS[colour];
    picture.add(Shape::text(class, centre, 0.42, number.to_string()));
}

/// The pieces of a layout, as ghosts.
fn add_layout(picture: &mut Picture, position: &Einstein, action: Action) {
    let colour = position.colour(position.side);
    for (square, number) in HOME.into_iter().zip(action.numbers().into_iter().flatten()) {
        let centre = centre(in_frame(colour, square));
        picture.add_ghost(colour as usize, centre, number.into());
    }
}

/// From where to where a step leads; `None` for a layout.
fn way(before: &Einstein, action: Action) -> Option<[Point; 2]> {
    let Action::Step { piece, target } = action else {
        return None;
    };
    let (side, colour) = (before.side, before.colour(before.side));
    let from = before.armies[side.index()].square(piece - 1)?;
    Some([from, target].map(|square| centre(in_frame(colour, square))))
}

/// The die, in the colour of the side to act: with its roll, or pale if a roll is due.
fn add_die(picture: &mut Picture, position: &Einstein) {
    let due = position.outcome().is_none() && position.is_chance();
    let colour = position.colour(position.side) as usize;
    let centre = Point(5.0 + 0.5 * ROOM + 0.12, 2.5);
    let class = match position.die() {
        Some(_) => Class::DICE[colour],
        None => Class::BOXES[colour],
    };
    if due || position.die().is_some() {
        picture.add(Shape::square(class, centre, DIE, 0.16));
    }
    for (x, y) in position.die().map_or(Vec::new(), pips) {
        let pip = centre + Point(f64::from(x), f64::from(y)) * (0.28 * DIE);
        picture.add(Shape::circle(Class::PIPS[colour], pip, 0.1 * DIE));
    }
}

/// Where the pips of a face are, in columns and rows from the centre.
fn pips(face: u8) -> Vec<(i8, i8)> {
    let mut pips = Vec::new();
    if face % 2 == 1 {
        pips.push((0, 0));
    }
    if face >= 2 {
        pips.extend([(-1, 1), (1, -1)]);
    }
    if face >= 4 {
        pips.extend([(-1, -1), (1, 1)]);
    }
    if face == 6 {
        pips.extend([(-1, 0), (1, 0)]);
    }
    pips
}

/// The clicks of an action: from, to; or the squares of a layout in the order of the numbers.
pub(crate) fn clicks(position: &Einstein, action: Action) -> Vec<String> {
    let (side, colour) = (position.side, position.colour(position.side));
    let name = |square: u8| square_name(colour, square);
    match action {
        Action::Step { piece, target } => {
            let from = position.armies[side.index()].square(piece - 1);
            from.into_iter().chain([target]).map(name).collect()
        }
        Action::Layout(_) => {
            let numbers = action.numbers().into_iter().flatten();
            let mut squares: Vec<(u8, u8)> = numbers.zip(HOME).collect();
            squares.sort_unstable();
            squares
                .into_iter()
                .map(|(_, square)| name(square))
                .collect()
        }
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
            assert_eq!(position.board_text(), expected);
        }
    }
}

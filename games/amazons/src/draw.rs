//! The board as plain text, and as a picture.

use std::fmt;

use drawing::{Class, Frame, Palette, Picture, Point, Shape, Step};
use engine_core::Side;
use game::View;
use game::view::line_of;

use crate::board::Amazons;
use crate::geometry::{Square, squares};
use crate::moves::Action;

/// Rows from the top, with `B` and `W` for the amazons, `x` for arrows, `.` for empty squares.
impl fmt::Display for Amazons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.rows()).rev() {
            write!(f, "{:>2}", row + 1)?;
            for column in 0..self.columns() {
                let bit = Square::new(column, row).bit();
                let sign = match () {
                    _ if self.empty() & bit != 0 => '.',
                    _ if self.amazons(Side::First) & bit != 0 => 'B',
                    _ if self.amazons(Side::Second) & bit != 0 => 'W',
                    _ => 'x',
                };
                write!(f, " {sign}")?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        for column in 0..self.columns() {
            write!(f, " {}", (b'a' + column) as char)?;
        }
        writeln!(f)
    }
}

/// The tips of an amazon's crown, from its centre, and the radius of the balls on them.
const TIPS: [Point; 5] = [
    Point(-0.34, -0.15),
    Point(-0.18, -0.27),
    Point(0.0, -0.32),
    Point(0.18, -0.27),
    Point(0.34, -0.15),
];
const BALL: f64 = 0.055;

/// An amazon: she moves like a queen, so she has a queen's crown.
fn amazon(class: Class, centre: Point) -> Shape {
    let at = |x: f64, y: f64| centre + Point(x, y);
    let mut steps = vec![Step::Move(at(-0.24, 0.17))];
    let valleys = [
        at(-0.19, -0.0),
        at(-0.075, -0.05),
        at(0.075, -0.05),
        at(0.19, -0.0),
    ];
    for (i, tip) in TIPS.into_iter().enumerate() {
        steps.push(Step::Line(centre + tip));
        steps.extend(valleys.get(i).map(|&valley| Step::Line(valley)));
    }
    steps.extend([Step::Line(at(0.24, 0.17)), Step::Close]);
    steps.extend([Step::Move(at(-0.24, 0.23)), Step::Line(at(0.24, 0.23))]);
    steps.extend([
        Step::Line(at(0.27, 0.35)),
        Step::Line(at(-0.27, 0.35)),
        Step::Close,
    ]);
    for tip in TIPS {
        let (left, right) = (tip - Point(BALL, 0.0), tip + Point(BALL, 0.0));
        let half = |to| Step::Arc {
            radius: BALL,
            long: true,
            clockwise: true,
            to: centre + to,
        };
        steps.extend([
            Step::Move(centre + left),
            half(right),
            half(left),
            Step::Close,
        ]);
    }
    Shape::path(class, steps)
}

impl Amazons {
    fn frame(&self) -> Frame {
        Frame {
            columns: self.columns(),
            rows: self.rows(),
        }
    }

    fn centre(&self, square: Square) -> Point {
        self.frame().centre(square.column(), square.row())
    }

    /// The picture of a position.
    pub(crate) fn board_picture(&self, view: &View<'_, Amazons>) -> Picture {
        let mut picture = self.frame().squares(Palette::Stones, true);
        for &action in view.last {
            self.add_last(&mut picture, action);
        }
        for square in squares(self.arrows()) {
            let centre = self.centre(square);
            picture.add(Shape::square(Class::Blocked, centre, 0.62, 0.12));
            picture.add(Shape::cross(Class::BlockedInlay, centre, 0.13));
        }
        for (side, class) in Side::BOTH.into_iter().zip(Class::PIECES) {
            for square in squares(self.amazons(side)) {
                picture.add(amazon(class, self.centre(square)));
            }
        }
        for step in line_of(self, view.line) {
            self.add_step(&mut picture, step.colour, step.turn, step.action);
        }
        for &hint in view.hints {
            let [from, to, arrow] = self.way(hint);
            picture.add(Shape::path(
                Class::HintLine,
                vec![Step::Move(from), Step::Line(to), Step::Line(arrow)],
            ));
            picture.add_hint(to);
            picture.add(Shape::square(Class::Hint, arrow, 0.5, 0.1));
        }
        picture
    }

    /// Where an action leads: from, to, arrow.
    fn way(&self, action: Action) -> [Point; 3] {
        [action.from(), action.to(), action.arrow()].map(|square| self.centre(square))
    }

    /// Marks an action that was played.
    fn add_last(&self, picture: &mut Picture, action: Action) {
        let [from, to, arrow] = self.way(action);
        for square in [from, to] {
            picture.add(Shape::square(Class::Trail, square, 1.0, 0.0));
        }
        if arrow != from {
            picture.add(Shape::square(Class::Trail, arrow, 1.0, 0.0));
        }
        picture.add(Shape::path(
            Class::Way,
            vec![Step::Move(from), Step::Line(to), Step::Line(arrow)],
        ));
    }

    /// Adds an action of a line of play: an arrow for the move, a thin one for the shot.
    fn add_step(&self, picture: &mut Picture, colour: usize, turn: usize, action: Action) {
        let [from, to, arrow] = self.way(action);
        let class = Class::ARROWS[colour];
        picture.shapes.extend(Shape::arrow(class, from, to, 0.16));
        picture.shapes.extend(Shape::arrow(class, to, arrow, 0.07));
        picture.add(Shape::circle(class, to, 0.2));
        picture.add(Shape::text(
            Class::NUMBERS[colour],
            to,
            0.3,
            turn.to_string(),
        ));
    }

    /// The clicks of an action: from, to, arrow.
    pub(crate) fn squares_of(action: Action) -> Vec<String> {
        [action.from(), action.to(), action.arrow()]
            .map(|square| square.to_string())
            .to_vec()
    }
}

#[cfg(test)]
mod tests {
    use engine_core::{Notation, Position};

    use crate::Variant;

    #[test]
    fn a_picture_has_coordinates() {
        let mut position = Variant::of_size(6).unwrap().start().unwrap();
        position.play(position.parse_move("b1-b4-e4").unwrap());
        assert_eq!(
            position.to_string(),
            " 6 . W . . W .\n \
             5 W . . . . W\n \
             4 . B . . x .\n \
             3 . . . . . .\n \
             2 B . . . . B\n \
             1 . . . . B .\n   \
             a b c d e f\n"
        );
    }
}

//! The board as plain text, and as a picture.

use drawing::frame::text_height;
use drawing::{Class, Form, Palette, Picture, Point, Shape, Target};
use engine_core::{Notation, Side};
use game::View;
use game::view::line_of;

use crate::board::DotsAndBoxes;
use crate::moves::{Edge, Edges};
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
            text.truncate(text.trim_end_matches(' ').len());
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

/// How far an edge stays away from its dots.
const GAP: f64 = 0.14;

/// The picture of a position. Dots are one unit apart, the upper left one is the origin.
pub(crate) fn picture(position: &DotsAndBoxes, view: &View<'_, DotsAndBoxes>) -> Picture {
    let mut picture = ground(position);
    for number in 0..position.geometry.box_count() as u8 {
        if let Some(owner) = position.owner(number) {
            add_box(
                &mut picture,
                owner,
                on_lattice(position.geometry.centre(number)),
            );
        }
    }
    let mover = view.before.map(|before| before.side);
    for edge in Edges(position.lines.drawn) {
        let class = match mover {
            Some(side) if view.last.contains(&edge) => Class::LAST_EDGES[side.index()],
            _ => Class::Drawn,
        };
        picture.add(edge_line(position, class, edge));
    }
    for (number, &edge) in (1..).zip(view.numbered) {
        let centre = on_lattice(position.geometry.point(edge.0));
        picture.add(Shape::circle(Class::Disc, centre, 0.15));
        let number = format!("{number}");
        picture.add(Shape::text(Class::DiscNumber, centre, 0.19, number));
    }
    for (number, step) in (1..).zip(line_of(position, view.line)) {
        let centre = on_lattice(position.geometry.point(step.action.0));
        picture.add(edge_line(
            position,
            Class::STROKES[step.colour],
            step.action,
        ));
        picture.add(Shape::circle(Class::ARROWS[step.colour], centre, 0.19));
        let number = format!("{number}");
        picture.add(Shape::text(
            Class::NUMBERS[step.colour],
            centre,
            0.25,
            number,
        ));
    }
    for &edge in view.hints {
        picture.add(edge_line(position, Class::Hint, edge));
    }
    picture
}

/// An owned box: its colour, and a disc for the first colour or a ring for the second.
fn add_box(picture: &mut Picture, owner: Side, centre: Point) {
    picture.add(Shape::square(
        Class::BOXES[owner.index()],
        centre,
        0.84,
        0.06,
    ));
    picture.add(match owner {
        Side::First => Shape::circle(Class::First, centre, 0.17),
        Side::Second => Shape::circle(Class::SecondStroke, centre, 0.15),
    });
}

/// A point of the lattice of the geometry, where dots are two units apart.
fn on_lattice((x, y): (u8, u8)) -> Point {
    Point(f64::from(x), f64::from(y)) * 0.5
}

/// From the first dot of an edge to the second.
fn direction(position: &DotsAndBoxes, edge: Edge) -> Point {
    match position.geometry.point(edge.0) {
        (_, y) if y.is_multiple_of(2) => Point(1.0, 0.0),
        _ => Point(0.0, 1.0),
    }
}

/// An edge as a line between its dots.
fn edge_line(position: &DotsAndBoxes, class: Class, edge: Edge) -> Shape {
    let centre = on_lattice(position.geometry.point(edge.0));
    let half = direction(position, edge) * (0.5 - GAP);
    Shape::line(class, centre - half, centre + half)
}

/// The board without edges.
fn ground(position: &DotsAndBoxes) -> Picture {
    let geometry = position.geometry;
    let (columns, rows) = (geometry.columns, geometry.rows);
    let size = Point(f64::from(columns), f64::from(rows));
    let height = text_height(size.0.max(size.1) + 1.0);
    let mut picture = Picture::with_margin(Palette::Inks, size, 0.3 + 1.6 * height);
    for edge in Edges(geometry.all) {
        let (centre, way) = (
            on_lattice(geometry.point(edge.0)),
            direction(position, edge),
        );
        picture.add(edge_line(position, Class::Grid, edge));
        let (half, across) = (way * 0.5, way.turned() * 0.5);
        let area = vec![
            centre - half,
            centre - across,
            centre + half,
            centre + across,
        ];
        picture.targets.push(Target {
            name: position.write_move(edge),
            form: Form::Polygon(area),
        });
    }
    let away = 0.2 + 0.7 * height;
    for column in 0..=columns {
        let below = Point(f64::from(column), size.1 + away);
        picture.add(Shape::text(
            Class::Coordinate,
            below,
            height,
            letter(column),
        ));
        for row in 0..=rows {
            let dot = Point(f64::from(column), f64::from(row));
            picture.add(Shape::circle(Class::Dot, dot, 0.075));
        }
    }
    for row in 0..=rows {
        let left = Point(-away, size.1 - f64::from(row));
        let name = (row + 1).to_string();
        picture.add(Shape::text(Class::Coordinate, left, height, name));
    }
    picture
}

#[cfg(test)]
mod tests {
    use engine_core::Notation;

    use crate::Variant;

    #[test]
    fn rows_without_edges_keep_their_lines() {
        let start = Variant {
            columns: 1,
            rows: 2,
            ..Variant::default()
        };
        assert_eq!(
            start.start().unwrap().board_text(),
            " 3 o   o\n\n 2 o   o\n\n 1 o   o\n   a   b\n   red 0, blue 0\n"
        );
    }

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

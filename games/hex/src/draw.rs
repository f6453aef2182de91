//! The board as plain text, and as a picture.
//!
//! The centres of neighbouring cells are one unit apart; the origin is the centre of `a1`.

use drawing::frame::{cell_name, letter, text_height};
use drawing::{Class, Form, Palette, Picture, Point, Shape, Step, Target};
use game::View;
use game::view::line_of;

use crate::board::{Colour, Hex};
use crate::chain::winning_chain;
use crate::geometry::Cell;
use crate::moves::Action;
use crate::variant::Swap;

/// The board with shifted rows, as for hexagons: `R` and `B` are stones. Red connects the letters
/// at the top and bottom, blue the numbers at the left and right.
pub(crate) fn draw(position: &Hex) -> String {
    let size = position.size();
    let letters: String = (0..size)
        .flat_map(|column| [(b'a' + column) as char, ' '])
        .collect();
    let letters = letters.trim_end();
    let mut text = format!("   {letters}\n");
    for row in 0..size {
        let indent = " ".repeat(row as usize);
        let number = row + 1;
        text += &format!("{indent}{number:2}");
        for column in 0..size {
            text += match position.colour_at(Cell::new(column, row)) {
                Some(Colour::Red) => " R",
                Some(Colour::Blue) => " B",
                None => " .",
            };
        }
        text += &format!(" {number}\n");
    }
    text += &format!("{}{letters}\n", " ".repeat(size as usize + 2));
    if position.is_exchanged() {
        text += "Colours exchanged: First plays blue, Second red.\n";
    }
    text
}

/// From a cell to the next one of its column: half a cell to the right, and down.
const DOWN: Point = Point(0.5, 0.866_025_403_784_438_6);
/// From the centre of a cell to a corner.
const CORNER: f64 = 0.577_350_269_189_625_8;
/// The width of the coloured edges.
const EDGE: f64 = 0.28;

/// The centre of a cell.
fn centre(cell: Cell) -> Point {
    Point(f64::from(cell.column), 0.0) + DOWN * f64::from(cell.row)
}

/// The corners of a cell, clockwise from the upper left one.
fn corners(cell: Cell) -> [Point; 6] {
    let half = CORNER / 2.0;
    [
        (-0.5, -half),
        (0.0, -CORNER),
        (0.5, -half),
        (0.5, half),
        (0.0, CORNER),
        (-0.5, half),
    ]
    .map(|(x, y)| centre(cell) + Point(x, y))
}

/// The picture of a position.
pub(crate) fn picture(position: &Hex, view: &View<'_, Hex>) -> Picture {
    let size = position.size();
    let mut picture = ground(size);
    for (index, colour) in [Colour::Red, Colour::Blue].into_iter().enumerate() {
        for cell in position.stones(colour).cells() {
            picture.add_stone(index, centre(cell));
        }
    }
    let numbers = numbers(position, view.numbered);
    for &(cell, number) in &numbers {
        if let Some(colour) = position.colour_at(cell) {
            picture.add_number(colour as usize, centre(cell), number);
        }
    }
    let chain = winning_chain(position).unwrap_or_default();
    for pair in chain.windows(2) {
        picture.add(Shape::line(Class::Won, centre(pair[0]), centre(pair[1])));
    }
    for cell in touched(position, view) {
        let is_numbered = numbers.iter().any(|(numbered, _)| *numbered == cell);
        picture.mark_last(centre(cell), is_numbered);
    }
    for step in line_of(position, view.line) {
        if let Action::Place(cell) = step.action {
            picture.add_ghost(step.colour, centre(cell), step.turn);
        }
    }
    for &hint in view.hints {
        if let Action::Place(cell) = hint {
            picture.add_hint(centre(cell));
        }
    }
    picture
}

/// The cells of the last turn. A swap changes the only stone.
fn touched(position: &Hex, view: &View<'_, Hex>) -> Vec<Cell> {
    let cells = |&action: &Action| match action {
        Action::Place(cell) => vec![cell],
        Action::Swap => [Colour::Red, Colour::Blue]
            .into_iter()
            .flat_map(|colour| position.stones(colour).cells())
            .collect(),
    };
    view.last.iter().flat_map(cells).collect()
}

/// The numbers of stones. A swap of pieces is a move of its own and numbers the stone anew.
fn numbers(position: &Hex, actions: &[Action]) -> Vec<(Cell, usize)> {
    let mut numbers: Vec<(Cell, usize)> = Vec::new();
    for (number, action) in (1..).zip(actions) {
        match action {
            Action::Place(cell) => numbers.push((*cell, number)),
            Action::Swap if position.variant().swap == Swap::Pieces => {
                numbers = numbers
                    .iter()
                    .map(|(cell, _)| (cell.mirrored(), number))
                    .collect();
            }
            Action::Swap => {}
        }
    }
    numbers
}

/// The board of a size without stones.
fn ground(size: u8) -> Picture {
    let text = text_height(1.35 * f64::from(size));
    // Numbers are beside their rows. Letters are above the first cells of their columns and below the
    // last ones: in the direction of the column they would be nearer to the cell before.
    let away = 0.5 + EDGE + 0.75 * text;
    let above = Point(0.0, CORNER + 1.16 * EDGE + 0.7 * text);
    let far = centre(Cell::new(size - 1, size - 1));
    let margin = 0.9 * text;
    let corner = Point(-away - 0.5 * text, -above.1 - 0.3 * text) - Point(margin, margin);
    let end = far - corner;
    let mut picture = Picture::new(Palette::Inks, corner, end - corner);
    add_edges(&mut picture, size);
    let cells = (0..size).flat_map(|row| (0..size).map(move |column| Cell::new(column, row)));
    let mut outlines = Vec::new();
    for cell in cells {
        let corners = corners(cell);
        outlines.push(Step::Move(corners[0]));
        outlines.extend(corners[1..].iter().map(|&corner| Step::Line(corner)));
        outlines.push(Step::Close);
        let form = Form::Polygon(corners.to_vec());
        let name = cell_name(cell.column, cell.row);
        picture.targets.push(Target { name, form });
    }
    picture.add(Shape::path(Class::Cells, outlines));
    for line in 0..size {
        let away = Point(away, 0.0);
        let [top, bottom] = [0, size - 1].map(|row| centre(Cell::new(line, row)));
        let [left, right] = [0, size - 1].map(|column| centre(Cell::new(column, line)));
        let (column, row) = (letter(line).to_string(), (line + 1).to_string());
        for (place, name) in [
            (top - above, column.clone()),
            (bottom + above, column),
            (left - away, row.clone()),
            (right + away, row),
        ] {
            picture.add(Shape::text(Class::Coordinate, place, text, name));
        }
    }
    picture
}

/// The coloured edges: the upper one, and its images under the symmetries of the board.
fn add_edges(picture: &mut Picture, size: u8) {
    // An edge is a strip along the outline of the cells. It ends at the corner of `a1`, and in the
    // middle of a side of the last cell, where the outline is parallel to no axis of symmetry.
    let (mut inner, mut outer) = (Vec::new(), Vec::new());
    let up = Point(0.0, -2.0 * CORNER * EDGE);
    for column in 0..size {
        let [left, top, right, ..] = corners(Cell::new(column, 0));
        match column {
            0 => outer.push(left + Point(-EDGE, -CORNER * EDGE)),
            _ => outer.push(left + up),
        }
        outer.push(top + up);
        inner.extend([left, top]);
        if column + 1 == size {
            let middle = (top + right) * 0.5;
            inner.push(middle);
            outer.push(middle + Point(DOWN.0, -DOWN.1) * EDGE);
        }
    }
    outer.reverse();
    let upper = [inner, outer].concat();
    let far = centre(Cell::new(size - 1, size - 1));
    // The reflection in the diagonal through a1, which exchanges rows and columns.
    let mirror = |Point(x, y): Point| Point(0.5 * x + DOWN.1 * y, DOWN.1 * x - 0.5 * y);
    let left: Vec<Point> = upper.iter().copied().map(mirror).collect();
    for (class, strip) in Class::EDGES.into_iter().zip([upper, left]) {
        let opposite = strip.iter().map(|&point| far - point).collect();
        picture.add(Shape::polygon(class, strip));
        picture.add(Shape::polygon(class, opposite));
    }
}

/// The clicks of an action: its cell. `None` for a swap.
pub(crate) fn clicks(action: Action) -> Option<Vec<String>> {
    match action {
        Action::Place(cell) => Some(vec![cell_name(cell.column, cell.row)]),
        Action::Swap => None,
    }
}

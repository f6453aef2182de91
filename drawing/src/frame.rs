//! Boards of rows and columns: where cells are, what they are called, and their coordinates.

use crate::class::Class;
use crate::picture::{Picture, Target};
use crate::shape::{Point, Shape, Step};
use crate::style::Palette;

/// A board of columns and rows with the upper left corner of its first cell at the origin. Row 0 is
/// row `1`, at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Columns.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
}

/// The name of a cell: `e6` for column 4 and row 5.
pub fn cell_name(column: u8, row: u8) -> String {
    format!("{}{}", letter(column), u32::from(row) + 1)
}

/// The letter of a column: `a` for 0.
pub fn letter(column: u8) -> char {
    (b'a' + column) as char
}

impl Frame {
    /// A square board.
    pub fn square(size: u8) -> Frame {
        Frame {
            columns: size,
            rows: size,
        }
    }

    /// The centre of a cell.
    pub fn centre(self, column: u8, row: u8) -> Point {
        Point(
            f64::from(column) + 0.5,
            f64::from(self.rows) - f64::from(row) - 0.5,
        )
    }

    /// The column and the row of every cell.
    pub fn cells(self) -> impl Iterator<Item = (u8, u8)> {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| (column, row)))
    }

    /// The height of coordinates: a fixed part of the picture, so that they can be read on every
    /// board of a given size.
    pub fn text_height(self) -> f64 {
        text_height(f64::from(self.columns.max(self.rows)))
    }

    /// The width and height of the board.
    pub fn size(self) -> Point {
        Point(f64::from(self.columns), f64::from(self.rows))
    }

    /// A board of squares in one or two tones.
    pub fn squares(self, palette: Palette, chequered: bool) -> Picture {
        self.squares_beside(0.0, palette, chequered)
    }

    /// As [`Frame::squares`], with room to the right of the board.
    pub fn squares_beside(self, room: f64, palette: Palette, chequered: bool) -> Picture {
        let area = self.size() + Point(room, 0.0);
        let height = text_height(area.0.max(area.1));
        let mut picture = Picture::with_margin(palette, area, 1.9 * height);
        let whole = Point(0.0, 0.0);
        picture.add(Shape::rectangle(
            Class::LightSquare,
            whole,
            self.size(),
            0.0,
        ));
        for (column, row) in self.cells() {
            let centre = self.centre(column, row);
            if chequered && (column + row) % 2 == 0 {
                picture.add(Shape::square(Class::DarkSquare, centre, 1.0, 0.0));
            }
            picture
                .targets
                .push(Target::cell(cell_name(column, row), centre));
        }
        if !chequered {
            picture.add(self.inner_lines());
        }
        picture.add(Shape::rectangle(Class::Rim, whole, self.size(), 0.0));
        self.add_coordinates(&mut picture, 0.95 * height, height);
        picture
    }

    /// The star points of a square board with an odd number of lines: the centre, from nine lines on
    /// the corners, and on the largest board the sides.
    fn stars(self) -> Vec<(u8, u8)> {
        let (size, middle) = (self.columns, self.columns / 2);
        if self.rows != size || size.is_multiple_of(2) {
            return Vec::new();
        }
        let near = if size < 13 { 2 } else { 3 };
        let corners = [near, size - 1 - near];
        let mut stars = vec![(middle, middle)];
        if size >= 9 {
            stars.extend(corners.iter().flat_map(|&x| corners.map(|y| (x, y))));
        }
        if size >= 19 {
            stars.extend(corners.iter().flat_map(|&x| [(x, middle), (middle, x)]));
        }
        stars
    }

    /// A board of points on lines, with star points.
    pub fn points(self, palette: Palette) -> Picture {
        let height = self.text_height();
        let mut picture = Picture::with_margin(palette, self.size(), 1.6 * height);
        picture.add(self.lines());
        for (column, row) in self.stars() {
            let centre = self.centre(column, row);
            picture.add(Shape::circle(Class::Star, centre, 0.11));
        }
        for (column, row) in self.cells() {
            let centre = self.centre(column, row);
            picture
                .targets
                .push(Target::cell(cell_name(column, row), centre));
        }
        self.add_coordinates(&mut picture, 0.65 * height, height);
        picture
    }

    /// The line through a row of `least` or more cells that `is_own` accepts, in any of the four
    /// directions; `None` if there is none.
    pub fn row(self, least: u8, is_own: impl Fn(u8, u8) -> bool) -> Option<Shape> {
        let next = |(column, row): (u8, u8), (right, up): (i8, i8)| {
            let next = (
                column.checked_add_signed(right)?,
                row.checked_add_signed(up)?,
            );
            let is_on = next.0 < self.columns && next.1 < self.rows;
            (is_on && is_own(next.0, next.1)).then_some(next)
        };
        let starts = self.cells().filter(|&(column, row)| is_own(column, row));
        starts.into_iter().find_map(|start| {
            [(1, 0), (0, 1), (1, 1), (-1, 1)]
                .into_iter()
                .find_map(|way| {
                    let run = std::iter::successors(Some(start), |&cell| next(cell, way));
                    let (count, (column, row)) = run.zip(1..).map(|(cell, n)| (n, cell)).last()?;
                    let (from, to) = (self.centre(start.0, start.1), self.centre(column, row));
                    (count >= least).then(|| Shape::line(Class::Won, from, to))
                })
        })
    }

    /// The lines between squares.
    fn inner_lines(self) -> Shape {
        let Point(width, height) = self.size();
        let mut steps = Vec::new();
        for column in 1..self.columns {
            let x = f64::from(column);
            steps.extend([Step::Move(Point(x, 0.0)), Step::Line(Point(x, height))]);
        }
        for row in 1..self.rows {
            let y = f64::from(row);
            steps.extend([Step::Move(Point(0.0, y)), Step::Line(Point(width, y))]);
        }
        Shape::path(Class::Grid, steps)
    }

    /// The lines through all points.
    pub fn lines(self) -> Shape {
        let (right, top) = (self.columns - 1, self.rows - 1);
        let mut steps = Vec::new();
        for column in 0..self.columns {
            steps.push(Step::Move(self.centre(column, 0)));
            steps.push(Step::Line(self.centre(column, top)));
        }
        for row in 0..self.rows {
            steps.push(Step::Move(self.centre(0, row)));
            steps.push(Step::Line(self.centre(right, row)));
        }
        Shape::path(Class::Grid, steps)
    }

    /// Names of the columns below the board and of the rows to its left, at a distance, in a font
    /// of this height.
    pub fn add_coordinates(self, picture: &mut Picture, distance: f64, height: f64) {
        let below = f64::from(self.rows) + distance;
        for column in 0..self.columns {
            let centre = Point(self.centre(column, 0).0, below);
            let name = letter(column).to_string();
            picture.add(Shape::text(Class::Coordinate, centre, height, name));
        }
        for row in 0..self.rows {
            let centre = Point(-distance, self.centre(0, row).1);
            let name = (u32::from(row) + 1).to_string();
            picture.add(Shape::text(Class::Coordinate, centre, height, name));
        }
    }
}

/// The height of coordinates on a board that is so many cells wide.
pub fn text_height(cells: f64) -> f64 {
    0.036 * cells + 0.03
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Form;

    #[test]
    fn a_row_is_found_in_every_direction() {
        let frame = Frame::square(5);
        let ends = |cells: &[(u8, u8)], least| {
            let row = frame.row(least, |column, row| cells.contains(&(column, row)))?;
            match row.form {
                Form::Line(from, to) => Some((from, to)),
                _ => None,
            }
        };
        let centre = |column, row| frame.centre(column, row);
        let rising = [(0, 0), (1, 1), (2, 2), (4, 4)];
        assert_eq!(ends(&rising, 3), Some((centre(0, 0), centre(2, 2))));
        assert_eq!(ends(&rising, 4), None);
        let falling = [(2, 2), (3, 1), (4, 0)];
        assert_eq!(ends(&falling, 3), Some((centre(4, 0), centre(2, 2))));
        let column = [(4, 2), (4, 3), (4, 4)];
        assert_eq!(ends(&column, 3), Some((centre(4, 2), centre(4, 4))));
    }

    #[test]
    fn stars_lie_as_on_printed_boards() {
        let stars = |size| Frame::square(size).stars().len();
        assert_eq!([9, 15, 19, 6, 5].map(stars), [5, 5, 9, 0, 1]);
        assert!(Frame::square(15).stars().contains(&(3, 11)));
    }
}

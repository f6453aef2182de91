//! Tables of edges and boxes, made once for each board shape.
//!
//! Edges are bits of a `u64`. Horizontal edges come first, line by line from the top, each line
//! from the left: bit `line · columns + segment`. The vertical ones follow, row by row from the
//! top: bit `columns · (rows + 1) + row · (columns + 1) + line`.
//!
//! A set of boxes is also a `u64`: *a box is two bits, those of its top and its left edge*.
//! Shifting the top bits by `columns` gives the bottom edges, shifting the left bits by one gives
//! the right edges, so five operations find all edges around a set of boxes (`around`). The number
//! of a box, row by row from the top left, is the bit of its top edge.

use std::sync::OnceLock;

use engine_core::mirrored;

/// The longest side of a board: a single row of 21 boxes has 64 edges.
pub const LONGEST: u8 = 21;

/// Number of the area outside the board, used like a box number.
pub(crate) const OUTSIDE: u8 = 31;

/// The tables of one board shape.
#[derive(Debug)]
pub struct Geometry {
    /// Boxes in a row.
    pub(crate) columns: u8,
    /// Boxes in a column.
    pub(crate) rows: u8,
    /// All edges.
    pub(crate) all: u64,
    /// The horizontal edges; in a set of boxes, these bits hold one bit per box.
    pub(crate) horizontal: u64,
    /// The one or two boxes of an edge, as a set.
    pub(crate) boxes: [u64; 64],
    /// The exclusive or of the numbers of an edge's two boxes: converts one to the other.
    pub(crate) across: [u8; 64],
    /// The four edges of a box, by its number.
    pub(crate) sides: [u64; 32],
    /// Its mirror images.
    pub(crate) symmetries: Vec<Symmetry>,
}

/// Boards of the same shape have the same tables.
impl PartialEq for Geometry {
    fn eq(&self, other: &Geometry) -> bool {
        (self.columns, self.rows) == (other.columns, other.rows)
    }
}

impl Eq for Geometry {}

const SHAPES: usize = (LONGEST as usize + 1) * (LONGEST as usize + 1);
static BOARDS: [OnceLock<Box<Geometry>>; SHAPES] = [const { OnceLock::new() }; SHAPES];

impl Geometry {
    /// The tables of a board of `columns` × `rows` boxes, or `None` if a side is 0 or its edges do
    /// not fit in 64 bits.
    pub fn of(columns: u8, rows: u8) -> Option<&'static Geometry> {
        if edge_count(columns, rows) > 64 || columns == 0 || rows == 0 {
            return None;
        }
        let shape = columns as usize * (LONGEST as usize + 1) + rows as usize;
        Some(BOARDS[shape].get_or_init(|| Box::new(Geometry::new(columns, rows))))
    }

    fn new(columns: u8, rows: u8) -> Geometry {
        let edges = edge_count(columns, rows);
        let mut board = Geometry {
            columns,
            rows,
            all: u64::MAX >> (64 - edges),
            horizontal: (1 << (columns as u32 * (rows as u32 + 1))) - 1,
            boxes: [0; 64],
            across: [0; 64],
            sides: [0; 32],
            symmetries: Vec::new(),
        };
        for edge in 0..edges as u8 {
            let (x, y) = board.point(edge);
            let (dx, dy) = if y % 2 == 0 { (0, 1) } else { (1, 0) };
            let before = board.box_at(x.wrapping_sub(dx), y.wrapping_sub(dy));
            let after = board.box_at(x + dx, y + dy);
            board.across[edge as usize] = before.unwrap_or(OUTSIDE) ^ after.unwrap_or(OUTSIDE);
            for number in [before, after].into_iter().flatten() {
                board.sides[number as usize] |= 1 << edge;
                board.boxes[edge as usize] |= board.set_of(number);
            }
        }
        board.symmetries = Symmetry::all(&board);
        board
    }

    /// A box as a set.
    pub(crate) fn set_of(&self, number: u8) -> u64 {
        let (x, y) = self.centre(number);
        let left = self.edge_at(x - 1, y).expect("every box has a left edge");
        1 << number | 1 << left
    }

    /// Number of boxes.
    pub(crate) fn box_count(&self) -> u32 {
        self.columns as u32 * self.rows as u32
    }

    /// All edges around a set of boxes.
    #[inline]
    pub(crate) fn around(&self, boxes: u64) -> u64 {
        let first = boxes & self.horizontal;
        boxes | first << self.columns | (boxes ^ first) << 1
    }

    /// The position of an edge on a lattice where dots have even coordinates, boxes odd ones, and
    /// edges one of each; (0, 0) is the top left dot.
    pub(crate) fn point(&self, edge: u8) -> (u8, u8) {
        let horizontal = self.columns * (self.rows + 1);
        if edge < horizontal {
            (2 * (edge % self.columns) + 1, 2 * (edge / self.columns))
        } else {
            let (row, line) = (
                (edge - horizontal) / (self.columns + 1),
                (edge - horizontal) % (self.columns + 1),
            );
            (2 * line, 2 * row + 1)
        }
    }

    /// The edge at a lattice point, if there is one.
    pub(crate) fn edge_at(&self, x: u8, y: u8) -> Option<u8> {
        if x > 2 * self.columns || y > 2 * self.rows {
            return None;
        }
        match (x % 2, y % 2) {
            (1, 0) => Some(y / 2 * self.columns + x / 2),
            (0, 1) => Some(self.columns * (self.rows + 1) + y / 2 * (self.columns + 1) + x / 2),
            _ => None,
        }
    }

    /// The lattice point of a box.
    pub(crate) fn centre(&self, number: u8) -> (u8, u8) {
        (
            2 * (number % self.columns) + 1,
            2 * (number / self.columns) + 1,
        )
    }

    /// The number of the box at a lattice point, if there is one.
    pub(crate) fn box_at(&self, x: u8, y: u8) -> Option<u8> {
        let on_board = x < 2 * self.columns && y < 2 * self.rows;
        (on_board && x % 2 == 1 && y % 2 == 1).then(|| y / 2 * self.columns + x / 2)
    }
}

/// The images of sets of edges under one symmetry, by four neighbouring edges at a time.
#[derive(Debug)]
pub(crate) struct Symmetry([[u64; 16]; 16]);

impl Symmetry {
    /// All symmetries of a board: a square has twice as many as another rectangle. They are numbered as in
    /// [`mirrored`].
    fn all(board: &Geometry) -> Vec<Symmetry> {
        let count = if board.columns == board.rows { 8 } else { 4 };
        (0..count)
            .map(|number| Symmetry::of(board, number))
            .collect()
    }

    fn of(board: &Geometry, number: u8) -> Symmetry {
        let mut images = [[0; 16]; 16];
        let last = (2 * board.columns, 2 * board.rows);
        for edge in 0..board.all.count_ones() as u8 {
            let (x, y) = mirrored(number, last, board.point(edge));
            let image = board.edge_at(x, y).expect("a symmetry keeps edges");
            let (four, bit) = (edge as usize / 4, 1 << (edge % 4));
            for set in (0..16).filter(|set| set & bit != 0) {
                images[four][set] |= 1 << image;
            }
        }
        Symmetry(images)
    }

    /// The image of a set of edges.
    #[inline]
    pub(crate) fn image(&self, edges: u64) -> u64 {
        let fours = self.0.iter().enumerate();
        fours.fold(0, |image, (at, images)| {
            image | images[(edges >> (4 * at)) as usize & 15]
        })
    }
}

fn edge_count(columns: u8, rows: u8) -> u32 {
    let (columns, rows) = (columns as u32, rows as u32);
    columns * (rows + 1) + (columns + 1) * rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> impl Iterator<Item = &'static Geometry> {
        (0..=255).flat_map(|columns| (0..=255).filter_map(move |rows| Geometry::of(columns, rows)))
    }

    #[test]
    fn every_shape_of_up_to_64_edges_is_there() {
        assert!(Geometry::of(5, 5).is_some() && Geometry::of(1, 21).is_some());
        assert!(Geometry::of(21, 1).is_some() && Geometry::of(3, 8).is_some());
        assert!(Geometry::of(5, 6).is_none() && Geometry::of(0, 3).is_none());
        assert!(Geometry::of(22, 1).is_none() && Geometry::of(255, 255).is_none());
    }

    #[test]
    fn points_and_edges_are_inverse() {
        for board in shapes() {
            for edge in 0..board.all.count_ones() as u8 {
                let (x, y) = board.point(edge);
                assert_eq!(board.edge_at(x, y), Some(edge));
                assert_eq!(board.box_at(x, y), None);
            }
        }
    }

    #[test]
    fn boxes_have_four_edges_and_edges_one_or_two_boxes() {
        for board in shapes() {
            for number in 0..board.box_count() as u8 {
                let set = board.set_of(number);
                assert_eq!(board.sides[number as usize].count_ones(), 4);
                assert_eq!(board.around(set), board.sides[number as usize]);
            }
            for edge in 0..board.all.count_ones() as usize {
                let boxes = (board.boxes[edge] & board.horizontal).count_ones();
                let rim = board
                    .sides
                    .iter()
                    .filter(|sides| *sides >> edge & 1 == 1)
                    .count();
                assert_eq!(boxes as usize, rim);
                assert!((1..=2).contains(&rim), "{board:?}");
            }
        }
    }
}

//! The tables of a board's shape that the solver needs: equivalent lines, and symmetries that respect
//! them.
//!
//! The lines of one box on the rim of the board are *twins*: each is the side of that box alone, so it
//! does not matter which of them is drawn. A corner box has two (Barker and Korf, *Solving
//! Dots-And-Boxes*, AAAI 2012), a box of a single row two or more. The solver draws twins in the order
//! of their numbers, and its symmetries map the first twin of a box to the first twin of the image.

use engine_core::mirrored;

use crate::geometry::Geometry;
use crate::moves::{Edge, Edges};

/// Symmetries of a square. Other boards have half as many; each is then listed twice.
pub(super) const IMAGES: usize = 8;

/// The solver's tables of one board shape.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) board: &'static Geometry,
    /// The twins of a line with smaller numbers.
    twins_before: [u64; 64],
    /// The lines that have some.
    later_twins: u64,
    /// The line's bit under each symmetry.
    images: [[u64; IMAGES]; 64],
}

impl Shape {
    pub(super) fn of(board: &'static Geometry) -> Shape {
        let mut shape = Shape {
            board,
            twins_before: [0; 64],
            later_twins: 0,
            images: [[0; IMAGES]; 64],
        };
        for edge in Edges(board.all) {
            shape.twins_before[edge.0 as usize] = twins(board, edge) & (edge.bit() - 1);
            if shape.twins_before[edge.0 as usize] != 0 {
                shape.later_twins |= edge.bit();
            }
            for symmetry in 0..IMAGES {
                shape.images[edge.0 as usize][symmetry] = image(board, edge, symmetry);
            }
        }
        shape
    }

    /// The images of a line under all symmetries.
    #[inline]
    pub(super) fn images(&self, edge: Edge) -> &[u64; IMAGES] {
        &self.images[edge.0 as usize]
    }

    /// The lines that have a twin with a smaller number.
    #[inline]
    pub(super) fn later_twins(&self) -> u64 {
        self.later_twins
    }

    /// Whether a twin with a smaller number is open: then this line need not be considered.
    #[inline]
    pub(super) fn has_open_twin(&self, drawn: u64, edge: Edge) -> bool {
        self.twins_before[edge.0 as usize] & !drawn != 0
    }

    /// The drawn lines, with the first twins drawn instead of others.
    pub(super) fn in_order(&self, drawn: u64) -> u64 {
        Edges(drawn).fold(0, |set, edge| set | self.first_open(set, edge).bit())
    }

    /// The first twin that is not drawn, or the line itself.
    fn first_open(&self, drawn: u64, edge: Edge) -> Edge {
        let open = self.twins_before[edge.0 as usize] & !drawn;
        Edges(open).next().unwrap_or(edge)
    }
}

/// The lines on the rim around the box of a line on the rim; only the line itself if it is an inner one.
fn twins(board: &Geometry, edge: Edge) -> u64 {
    if !is_on_rim(board, edge) {
        return edge.bit();
    }
    let around = board.around(board.boxes[edge.0 as usize]);
    Edges(around)
        .filter(|&other| is_on_rim(board, other))
        .fold(0, |set, other| set | other.bit())
}

fn is_on_rim(board: &Geometry, edge: Edge) -> bool {
    (board.boxes[edge.0 as usize] & board.horizontal).count_ones() == 1
}

/// The image of a line under a symmetry that keeps the order of twins.
fn image(board: &Geometry, edge: Edge, symmetry: usize) -> u64 {
    let last = (2 * board.columns, 2 * board.rows);
    let symmetry = symmetry % board.symmetries.len();
    let (x, y) = mirrored(symmetry as u8, last, board.point(edge.0));
    let mapped = Edge(board.edge_at(x, y).expect("a symmetry keeps edges"));
    let rank = (twins(board, edge) & (edge.bit() - 1)).count_ones();
    let nth = Edges(twins(board, mapped)).nth(rank as usize);
    nth.expect("a symmetry keeps the number of twins").bit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_single_rows_have_twins() {
        let count = |columns, rows| {
            let board = Geometry::of(columns, rows).expect("a board");
            let shape = Shape::of(board);
            shape.later_twins().count_ones()
        };
        assert_eq!(count(5, 5), 4);
        assert_eq!(count(1, 1), 3);
        // Two of each end, one of each inner box.
        assert_eq!(count(5, 1), 2 + 2 + 3);
    }

    #[test]
    fn images_of_ordered_sets_are_ordered_sets() {
        for (columns, rows) in [(5, 5), (3, 3), (2, 4), (4, 1), (1, 1)] {
            let board = Geometry::of(columns, rows).expect("a board");
            let shape = Shape::of(board);
            for seed in 0..100 {
                let drawn = shape.in_order(engine_core::zobrist::mix(seed) & board.all);
                for symmetry in 0..IMAGES {
                    let image =
                        Edges(drawn).fold(0, |set, edge| set | shape.images(edge)[symmetry]);
                    assert_eq!(image.count_ones(), drawn.count_ones());
                    assert_eq!(shape.in_order(image), image);
                }
            }
        }
    }
}

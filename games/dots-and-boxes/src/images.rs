//! One view of a position and of its mirror images, for an evaluation that draws lots by the position, and
//! that breaks ties by the order of edges.

use crate::board::Lines;
use crate::geometry::Geometry;
use crate::moves::Edges;

/// The image of a position whose drawn edges, read as a number, are the least.
pub(crate) fn least(board: &Geometry, drawn: u64) -> Lines {
    let images = board
        .symmetries
        .iter()
        .map(|symmetry| symmetry.image(drawn));
    let mut lines = Lines::default();
    for edge in Edges(images.min().unwrap_or(drawn)) {
        lines.draw(board, edge);
    }
    lines
}

#[cfg(test)]
mod tests {
    use engine_core::zobrist::mix;

    use super::*;

    #[test]
    fn images_have_one_view() {
        for (columns, rows) in [(1, 1), (5, 5), (2, 3), (1, 21), (8, 3)] {
            let board = Geometry::of(columns, rows).expect("a board");
            assert_eq!(board.symmetries.len(), if columns == rows { 8 } else { 4 });
            for seed in 0..50 {
                let drawn = mix(seed) & board.all;
                let view = least(board, drawn);
                let images: Vec<u64> = (board.symmetries.iter())
                    .map(|symmetry| symmetry.image(drawn))
                    .collect();
                assert!(images.contains(&drawn) && images.contains(&view.drawn));
                for image in images {
                    assert_eq!(image.count_ones(), drawn.count_ones());
                    assert_eq!(least(board, image), view);
                }
            }
        }
    }
}

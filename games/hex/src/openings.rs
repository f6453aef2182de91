//! First stones for games in which the other side may swap.
//!
//! A stone is fair if players of equal strength win as often after it as the others: then a swap gains
//! nothing. A search looks for the best first stone and so finds the opposite, one that is worth a
//! swap.

use crate::geometry::Cell;
use crate::notation;

/// By rows of the board, cells after which First wins about every second game; each stands for its half
/// turn, too. On boards of 9 and more rows First won 10 and 9 of 24 games of the engine against itself
/// (11 rows), 7 of 16 (13) and 6, 5 and 5 of 12 (9, 10 and 12), at 80 to 200 playouts a move. Searches
/// of 2 000 playouts give it 46 to 54 %. On 7 and 8 rows they give 46 and 51 %.
const FAIR: [(u8, &[&str]); 7] = [
    (7, &["d2"]),
    (8, &["b4"]),
    (9, &["a2"]),
    (10, &["a2"]),
    (11, &["a4", "a6"]),
    (12, &["l4"]),
    (13, &["c2"]),
];

/// A fair first stone of a board of `size` rows, chosen by the seed; `None` if none is known.
pub(crate) fn fair(size: u8, seed: u64) -> Option<Cell> {
    let (_, cells) = FAIR.iter().find(|(rows, _)| *rows == size)?;
    let choice = (seed % (2 * cells.len() as u64)) as usize;
    let cell = notation::parse_cell(cells[choice / 2], size).ok()?;
    Some(match choice % 2 {
        0 => cell,
        _ => cell.rotated(size),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cells_are_on_their_boards_and_each_has_its_seed() {
        for (size, cells) in FAIR {
            let mut chosen: Vec<String> = (0..2 * cells.len() as u64)
                .map(|seed| notation::write_cell(fair(size, seed).expect("a cell")))
                .collect();
            for cell in cells {
                assert!(chosen.contains(&(*cell).to_owned()), "{size}: {cell}");
            }
            chosen.sort();
            chosen.dedup();
            assert_eq!(chosen.len(), 2 * cells.len(), "{size}");
        }
        assert_eq!(fair(5, 0), None);
        assert!(fair(11, u64::MAX).is_some());
    }
}

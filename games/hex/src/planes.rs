//! What a network sees of a position: the stones, as red sees them. Blue's board is mirrored in the
//! main diagonal.

use engine_core::convolution::View;

use crate::board::{Colour, Hex};
use crate::geometry::Cell;
use crate::moves::Action;

/// The contents of a cell: a bit for each side. The ring belongs to the sides whose edges it is.
const OWN: u8 = 1;
const OTHER: u8 = 2;

/// The stones of both sides and their edges.
#[derive(Clone, Copy, Debug)]
pub struct Stones {
    size: usize,
}

impl View<Hex> for Stones {
    const NAME: &'static str = "stones-1";
    const PLANES: usize = 2;
    /// `training/hex` turns every other position.
    const HALF_TURNS: bool = true;

    fn of(position: &Hex) -> Stones {
        Stones {
            size: position.size().into(),
        }
    }

    fn side(&self) -> usize {
        self.size
    }

    fn see(&self, position: &Hex, contents: &mut [u8]) {
        let wide = self.size + 2;
        let is_rim = |at: usize| at == 0 || at == self.size + 1;
        for (row, cells) in contents.chunks_exact_mut(wide).enumerate() {
            for (column, content) in cells.iter_mut().enumerate() {
                *content = OWN * u8::from(is_rim(row)) + OTHER * u8::from(is_rim(column));
            }
        }
        let own = position.to_move();
        for (colour, content) in [(own, OWN), (own.other(), OTHER)] {
            position.stones(colour).each(position.size(), |cell| {
                let cell = seen_by(own, cell);
                contents[(cell.row as usize + 1) * wide + cell.column as usize + 1] = content;
            });
        }
    }

    fn cell(&self, position: &Hex, action: Action) -> Option<usize> {
        let Action::Place(cell) = action else {
            return None;
        };
        let cell = seen_by(position.to_move(), cell);
        Some(cell.row as usize * self.size + cell.column as usize)
    }
}

/// The cell as a colour sees it.
#[inline]
pub(crate) fn seen_by(colour: Colour, cell: Cell) -> Cell {
    match colour {
        Colour::Red => cell,
        Colour::Blue => cell.mirrored(),
    }
}

#[cfg(test)]
mod tests {
    use engine_core::{Playout, Position, Rng};

    use super::*;
    use crate::features::tests::exchanged;
    use crate::variant::Variant;

    fn contents(position: &Hex) -> Vec<u8> {
        let wide = position.size() as usize + 2;
        let mut contents = vec![9; wide * wide];
        Stones::of(position).see(position, &mut contents);
        contents
    }

    #[test]
    fn the_colours_see_the_same() {
        let mut rng = Rng::new(3);
        for size in [2, 5, 11, 19] {
            let mut position = Hex::empty_board(Variant {
                size,
                ..Variant::default()
            });
            while position.outcome().is_none() {
                let exchanged = exchanged(&position);
                assert_eq!(contents(&position), contents(&exchanged));
                let view = Stones::of(&position);
                for cell in position.empty_cells().cells() {
                    assert_eq!(
                        view.cell(&position, Action::Place(cell)),
                        view.cell(&exchanged, Action::Place(cell.mirrored()))
                    );
                }
                position.play(crate::Random::default().choose(&position, &mut rng));
            }
        }
    }

    #[test]
    fn red_sees_its_edges_above_and_below() {
        let mut position = Hex::empty_board(Variant {
            size: 2,
            ..Variant::default()
        });
        position.play(Action::Place(Cell::new(1, 0)));
        position.play(Action::Place(Cell::new(0, 1)));
        let expected = [[3, 1, 1, 3], [2, 0, 1, 2], [2, 2, 0, 2], [3, 1, 1, 3]];
        assert_eq!(contents(&position), expected.as_flattened());
    }
}

//! The symmetries of the board.
//!
//! The rules are symmetric under every mirror of the board: four symmetries on a rectangle, eight
//! on a square. They are numbered as in [`mirrored`].

use engine_core::{Checked, Position, Side, Symmetric, mirrored};

use crate::board::Amazons;
use crate::geometry::{Board, Square, squares};
use crate::moves::Action;

impl Amazons {
    fn mirror(&self, symmetry: u8, square: Square) -> Square {
        let last = (self.columns() - 1, self.rows() - 1);
        let (column, row) = mirrored(symmetry, last, (square.column(), square.row()));
        Square::new(column, row)
    }

    fn mirror_set(&self, symmetry: u8, set: Board) -> Board {
        squares(set).fold(0, |image, square| {
            image | self.mirror(symmetry, square).bit()
        })
    }
}

impl Checked for Amazons {
    fn key_from_scratch(&self) -> u64 {
        self.fresh_key()
    }
}

impl Symmetric for Amazons {
    fn symmetries(&self) -> u8 {
        if self.columns() == self.rows() { 8 } else { 4 }
    }

    fn transform(&self, symmetry: u8) -> Amazons {
        let image = |set| self.mirror_set(symmetry, set);
        Amazons::new(
            (self.columns(), self.rows()),
            Side::BOTH.map(|side| image(self.amazons(side))),
            image(self.arrows()),
            self.side(),
        )
    }

    fn transform_move(&self, symmetry: u8, action: Action) -> Action {
        let image = |square| self.mirror(symmetry, square);
        Action::new(
            image(action.from()),
            image(action.to()),
            image(action.arrow()),
        )
    }
}

//! The key from scratch, and positions under the symmetries of the board.

use engine_core::{Checked, Symmetric};

use crate::board::{Colour, Description, Gomoku};
use crate::geometry::Cell;
use crate::moves::Action;
use crate::state::stone_key;

impl Checked for Gomoku {
    fn key_from_scratch(&self) -> u64 {
        let stones = Colour::BOTH.into_iter().flat_map(|colour| {
            let cells = self.cells_of(colour);
            cells.cells().map(move |cell| stone_key(colour, cell))
        });
        stones.fold(self.state.own_key(), |key, part| key ^ part)
    }
}

impl Symmetric for Gomoku {
    fn symmetries(&self) -> u8 {
        8
    }

    /// As [`Cell::transformed`].
    fn transform(&self, symmetry: u8) -> Gomoku {
        let image = |cell: Cell| cell.transformed(symmetry, self.size());
        let of = |colour| {
            let cells = self.cells_of(colour);
            cells.cells().map(move |cell| (colour, image(cell)))
        };
        let described = Description {
            stones: Colour::BOTH.into_iter().flat_map(of).collect(),
            to_move: self.state.to_move,
            count: self.state.count,
            offers: self.offers().iter().copied().map(image).collect(),
            exchanged: self.state.exchanged,
            last: self.state.last,
        };
        Gomoku::set_up(self.variant(), described).expect("a position has at most one winner")
    }

    fn transform_move(&self, symmetry: u8, action: Action) -> Action {
        match action {
            Action::Cell(cell) => Action::Cell(cell.transformed(symmetry, self.size())),
            _ => action,
        }
    }
}

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

#[cfg(test)]
mod tests {
    use engine_core::{Canonical, Move, Notation, Position};
    use game::Game;

    use super::*;

    /// Opening books have these keys and bits, from the time when the largest board had 19 rows.
    #[test]
    fn keys_and_bits_stay_as_they_are_in_books() {
        let mut position = Gomoku::start(&Default::default()).unwrap();
        for (turn, bits, key) in [
            (
                "h8h9j10x3",
                &[232, 264, 298, 615][..],
                451_057_902_748_438_310,
            ),
            ("swap", &[609], 426_780_193_155_478_435),
            ("g7", &[199], 349_926_071_763_661_965),
            ("a1b1o15", &[1, 2, 463], 3_659_791_037_368_657_869),
            ("o15c1", &[463, 3], 930_979_072_370_574_662),
            ("pass", &[610], 2_220_890_380_823_232_433),
        ] {
            let actions = position.parse_turn(turn).unwrap();
            let found: Vec<u32> = actions.iter().map(|action| action.to_bits()).collect();
            assert_eq!(found, bits, "{turn}");
            for action in actions {
                position.play(action);
            }
            assert_eq!(Canonical::of(&position).key(), key, "{turn}");
        }
    }
}

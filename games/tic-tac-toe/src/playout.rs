//! Random playouts.

use engine_core::{Playout, Rng};

use crate::board::{TicTacToe, cells_of};
use crate::moves::Cell;

/// Uniformly random empty cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Playout<TicTacToe> for Random {
    fn choose(&mut self, position: &TicTacToe, rng: &mut Rng) -> Cell {
        let empty = position.empty();
        let rank = rng.below(empty.count_ones()) as usize;
        cells_of(empty)
            .nth(rank)
            .expect("an unfinished position has an empty cell")
    }
}

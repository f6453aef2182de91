//! Actions: a stone, or the swap.

use engine_core::Move;

use crate::geometry::{Cell, MAX_SIZE};

/// One action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A stone of the mover's colour on an empty cell.
    Place(Cell),
    /// The swap of the pie rule, of the kind that the variant defines.
    Swap,
}

/// Number of cell indices.
const CELLS: u32 = (MAX_SIZE * MAX_SIZE) as u32;

impl Action {
    /// Number of different actions.
    pub(crate) const COUNT: usize = CELLS as usize + 1;

    /// An index below [`Action::COUNT`]. The cell must be on the largest board.
    #[inline]
    pub(crate) fn index(self) -> usize {
        match self {
            Action::Place(cell) => cell.index(),
            Action::Swap => CELLS as usize,
        }
    }
}

impl Move for Action {
    fn to_bits(self) -> u32 {
        self.index() as u32 + 1
    }

    fn from_bits(bits: u32) -> Action {
        match bits.wrapping_sub(1) {
            index @ 0..CELLS => Action::Place(Cell::new(
                (index % MAX_SIZE as u32) as u8,
                (index / MAX_SIZE as u32) as u8,
            )),
            // A cell off the board is never legal.
            index if index != CELLS => Action::Place(Cell::new(MAX_SIZE as u8, MAX_SIZE as u8)),
            _ => Action::Swap,
        }
    }
}

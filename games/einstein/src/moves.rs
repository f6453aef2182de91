//! The actions of a player: a layout, or a step of a piece.

use engine_core::Move;

use crate::tables::{LAYOUTS, STEPS, layout_rank};

/// One action of a player. Rolls are not actions.
///
/// Squares are in the mover's frame: 0–24 row by row, 0 its own corner, 24 its goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Lays out all six pieces on the home squares; the value is the index of the permutation
    /// (0–719).
    Layout(u32),
    /// A piece moves to a neighbouring square.
    Step {
        /// The piece's number, 1–6.
        piece: u8,
        /// The target square.
        target: u8,
    },
}

impl Action {
    /// The layout with these numbers on the home squares, row by row in the mover's frame; `None`
    /// unless they are 1–6, each once.
    pub fn layout(numbers: [u8; 6]) -> Option<Action> {
        layout_rank(numbers).map(|rank| Action::Layout(rank as u32))
    }

    /// The numbers of a layout on the home squares, row by row in the mover's frame; `None` for a
    /// step.
    pub fn numbers(self) -> Option<[u8; 6]> {
        match self {
            Action::Layout(rank) => LAYOUTS.get(rank as usize).copied(),
            Action::Step { .. } => None,
        }
    }
}

/// Bits of the first layout. Steps are below: `piece * 32 + target`.
const LAYOUT_BITS: u32 = 256;

/// One more than the largest bits of a legal action.
pub(crate) const BITS_END: usize = LAYOUT_BITS as usize + LAYOUTS.len();

impl Move for Action {
    #[inline]
    fn to_bits(self) -> u32 {
        match self {
            Action::Layout(rank) => LAYOUT_BITS + rank,
            Action::Step { piece, target } => (piece as u32) << 5 | target as u32,
        }
    }

    #[inline]
    fn from_bits(bits: u32) -> Action {
        if bits >= LAYOUT_BITS {
            Action::Layout(bits - LAYOUT_BITS)
        } else {
            Action::Step {
                piece: (bits >> 5) as u8,
                target: bits as u8 & 31,
            }
        }
    }
}

/// The steps of `piece` (numbered from 0) from `square`.
pub(crate) fn steps(piece: u8, square: u8) -> impl Iterator<Item = Action> {
    let steps = &STEPS[square as usize & 31];
    steps.targets[..steps.count as usize]
        .iter()
        .map(move |&target| Action::Step {
            piece: piece + 1,
            target,
        })
}

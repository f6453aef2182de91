//! The moves of a quiet position, the best guess first.

use std::cmp::Reverse;

use super::search::{MOST_HISTORY, Searcher};
use super::settled::Component;
use super::state::{Captured, State};
use super::table::{Key, NO_MOVE};
use crate::moves::Edge;

/// Moves that open a chain off the board, by its length: numbers after those of the lines.
const OPENS_CHAIN: u8 = 64;
/// Moves that open a loop.
const OPENS_LOOP: u8 = 96;
const _: () = assert!(OPENS_LOOP + 25 < NO_MOVE);

/// Whether the number of a move is that of a line.
#[inline]
pub(super) fn is_line(number: u8) -> bool {
    number < OPENS_CHAIN
}

/// A quiet position with its place in the table, and what is captured on the way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) state: State,
    pub(super) captured: Captured,
    pub(super) key: Key,
    /// The symmetry that leads to the smallest image.
    pub(super) symmetry: usize,
    pub(super) bucket: usize,
}

/// A move of a quiet position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The line, or the component with its length.
    pub(super) number: u8,
    /// Larger is tried sooner.
    rank: i32,
    /// Where it leads.
    pub(super) place: Place,
}

impl Searcher {
    pub(super) fn place(&self, state: State, captured: Captured) -> Place {
        let (drawn, symmetry) = state.least();
        let settled = state.settled().code();
        let key = Key { drawn, settled };
        Place {
            state,
            captured,
            key,
            symmetry,
            bucket: self.table.bucket(key),
        }
    }

    /// Lists the moves of a position. `best` is the move in the table, in numbers of the smallest image.
    pub(super) fn list(&mut self, from: &Place, best: u8) {
        let mark = self.choices.len();
        let state = &from.state;
        for edge in state.safe(&self.shape) {
            let (next, captured) = state.after(&self.shape, edge);
            let rank = self.rank_of_safe(edge, &next);
            self.push(edge.0, rank, next, captured);
        }
        for edge in state.arms(&self.shape) {
            let (next, captured) = state.after(&self.shape, edge);
            self.push(edge.0, -captured.boxes(), next, captured);
        }
        for component in state.settled().to_open() {
            let (next, captured) = state.after_opening(component);
            let number = match component {
                Component::Chain(length) => OPENS_CHAIN + length,
                Component::Loop(length) => OPENS_LOOP + length,
            };
            self.push(number, -captured.boxes(), next, captured);
        }
        if best != NO_MOVE {
            for at in mark..self.choices.len() {
                if self.in_image(self.choices[at].number, from.symmetry) == best {
                    self.choices[at].rank = i32::MAX;
                }
            }
        }
        self.choices[mark..].sort_unstable_by_key(|choice| (Reverse(choice.rank), choice.number));
    }

    fn push(&mut self, number: u8, rank: i32, state: State, captured: Captured) {
        let place = self.place(state, captured);
        self.choices.push(Choice {
            number,
            rank,
            place,
        });
    }

    /// The rank of a safe line: the fewer lines and safe lines it leaves, the smaller is the search. Lines
    /// that proved bounds before are first among equals.
    #[inline]
    fn rank_of_safe(&self, edge: Edge, next: &State) -> i32 {
        const MOST_LEFT: i32 = 126;
        let left = next.open_and_safe(&self.shape) as i32;
        (MOST_LEFT - left) * MOST_HISTORY + self.history[self.side][edge.0 as usize]
    }

    /// The number of a move in the image under a symmetry.
    #[inline]
    pub(super) fn in_image(&self, number: u8, symmetry: usize) -> u8 {
        if !is_line(number) {
            return number;
        }
        self.shape.images(Edge(number))[symmetry].trailing_zeros() as u8
    }
}

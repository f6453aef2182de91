//! Killers and counter-moves: moves that caused cutoffs at other nodes.

use crate::ordering::HistoryKey;
use crate::position::{Move, Side};

/// Two killer moves for each ply and side (Akl and Newborn 1977). Stored by side, because in games
/// with extra turns either side may act at any ply.
#[derive(Clone, Debug)]
pub(crate) struct Killers<M> {
    slots: Vec<[[Option<M>; 2]; 2]>,
}

impl<M: Move> Killers<M> {
    pub(crate) fn new() -> Killers<M> {
        Killers { slots: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.clear();
    }

    #[inline]
    pub(crate) fn get(&self, ply: u32, side: Side) -> [Option<M>; 2] {
        self.slots
            .get(ply as usize)
            .map_or([None; 2], |sides| sides[side.index()])
    }

    pub(crate) fn add(&mut self, ply: u32, side: Side, mv: M) {
        let ply = ply as usize;
        if self.slots.len() <= ply {
            self.slots.resize(ply + 1, [[None; 2]; 2]);
        }
        let pair = &mut self.slots[ply][side.index()];
        if pair[0] != Some(mv) {
            *pair = [Some(mv), pair[0]];
        }
    }
}

/// Counter-moves (Uiterwijk 1992): the last move that caused a cutoff as the reply to an action.
#[derive(Debug)]
pub(crate) struct CounterMoves<M> {
    answers: Vec<Option<M>>,
}

impl<M: Move> CounterMoves<M> {
    /// An empty table for `len` history indices.
    pub(crate) fn new(len: usize) -> CounterMoves<M> {
        CounterMoves {
            answers: vec![None; 2 * len],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.answers.fill(None);
    }

    #[inline]
    pub(crate) fn get(&self, previous: HistoryKey) -> Option<M> {
        self.answers.get(previous.0 as usize).copied().flatten()
    }

    pub(crate) fn set(&mut self, previous: HistoryKey, mv: M) {
        if let Some(answer) = self.answers.get_mut(previous.0 as usize) {
            *answer = Some(mv);
        }
    }
}

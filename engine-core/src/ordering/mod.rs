//! Move ordering: killers, counter-moves and histories, and the picker that returns the moves of a
//! node in that order.

mod history;
mod picker;
mod refutations;

pub(crate) use history::{Continuation, HISTORY_LIMIT, History};
pub(crate) use picker::{MoveStack, Picker};
pub(crate) use refutations::{CounterMoves, Killers};

use crate::position::{Move, Position, Side};

/// Index of an action in the history tables: the side that played it and its
/// [`Position::history_index`]. `NONE` at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HistoryKey(u32);

impl HistoryKey {
    pub(crate) const NONE: HistoryKey = HistoryKey(u32::MAX);

    #[inline]
    pub(crate) fn new(side: Side, index: usize) -> HistoryKey {
        HistoryKey((index as u32) << 1 | side.index() as u32)
    }

    /// Different for every key.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.0.into()
    }

    #[inline]
    fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// The move-ordering tables of one thread.
#[derive(Debug)]
pub(crate) struct Ordering<M> {
    history: History,
    killers: Killers<M>,
    counter_moves: Option<CounterMoves<M>>,
    continuation: Option<Continuation>,
}

impl<M: Move> Ordering<M> {
    /// Tables for `len` history indices. Counter-moves and continuation history cost time and
    /// memory, and not every game gains from them.
    pub(crate) fn new(len: usize, counter_moves: bool, continuation: bool) -> Ordering<M> {
        Ordering {
            history: History::new(len),
            killers: Killers::new(),
            counter_moves: counter_moves.then(|| CounterMoves::new(len)),
            continuation: continuation.then(Continuation::new),
        }
    }

    /// Starts a new search. Clears the killers, because the same ply now means other positions.
    pub(crate) fn begin(&mut self) {
        self.killers.clear();
    }

    /// Clears all tables.
    pub(crate) fn forget(&mut self) {
        self.history.clear();
        self.killers.clear();
        self.counter_moves.iter_mut().for_each(CounterMoves::clear);
        self.continuation.iter_mut().for_each(Continuation::clear);
    }

    /// Moves to try before generation: the two killers of the ply, then the counter-move to the
    /// previous action.
    #[inline]
    pub(crate) fn refutations(&self, ply: u32, side: Side, previous: HistoryKey) -> [Option<M>; 3] {
        let [first, second] = self.killers.get(ply, side);
        let counter = self.counter_moves.as_ref();
        [first, second, counter.and_then(|moves| moves.get(previous))]
    }

    /// The history score of a move; higher is better.
    #[inline]
    pub(crate) fn rank(&self, side: Side, index: usize, previous: HistoryKey) -> i32 {
        let learnt = self.history.get(side, index);
        match &self.continuation {
            Some(continuation) => learnt + continuation.get(previous, HistoryKey::new(side, index)),
            None => learnt,
        }
    }

    /// Updates the tables after `mv` caused a cutoff at a node of this ply and depth. `searched`
    /// are all actions searched there; the others get a malus.
    pub(crate) fn learn<P: Position<Move = M>>(
        &mut self,
        position: &P,
        (ply, depth): (u32, u32),
        previous: HistoryKey,
        mv: M,
        searched: &[HistoryKey],
    ) {
        let side = position.side();
        let bonus = (depth * depth).min(HISTORY_LIMIT as u32 / 4) as i32;
        self.killers.add(ply, side, mv);
        if let Some(moves) = &mut self.counter_moves {
            moves.set(previous, mv);
        }
        let cutoff = HistoryKey::new(side, position.history_index(mv));
        self.add(side, cutoff, previous, bonus);
        for &other in searched.iter().filter(|&&other| other != cutoff) {
            self.add(side, other, previous, -bonus);
        }
    }

    fn add(&mut self, side: Side, played: HistoryKey, previous: HistoryKey, bonus: i32) {
        self.history.add(side, played.index(), bonus);
        if let Some(continuation) = &mut self.continuation {
            continuation.add(previous, played, bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::{Branch, Shape, Tree};

    /// Deferred and pruned moves were not searched before the cutoff, and get no malus.
    #[test]
    fn only_searched_moves_are_punished() {
        let shape = Shape {
            height: 3,
            width: 9,
            margins: false,
            ends: u64::MAX,
            merge: 0,
        };
        let tree = Tree::<true, false>::new(shape, 1);
        let mut ordering = Ordering::new(256, true, true);
        let played = |mv: u8| HistoryKey::new(Side::First, tree.history_index(Branch(mv)));
        let searched = [played(2), played(5)];
        ordering.learn(&tree, (0, 4), HistoryKey::NONE, Branch(5), &searched);
        let rank = |mv: u8| ordering.rank(Side::First, mv as usize, HistoryKey::NONE);
        assert!(rank(5) > 0 && rank(2) < 0);
        assert!([1, 3, 4, 6].iter().all(|&mv| rank(mv) == 0));
    }
}

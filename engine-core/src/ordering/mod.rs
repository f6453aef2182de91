//! Move ordering: what a search has learnt of which moves cut off, and the picker that hands a node's
//! moves out by it.

mod history;
mod picker;
mod refutations;

pub(crate) use history::{Continuation, HISTORY_LIMIT, History};
pub(crate) use picker::{MoveStack, Picker, Scored};
pub(crate) use refutations::{CounterMoves, Killers};

use crate::position::{Move, Position, Side};

/// An action as the orderings know it: the side that played it and its
/// [`Position::history_index`]; `NONE` at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Played(u32);

impl Played {
    pub(crate) const NONE: Played = Played(u32::MAX);

    #[inline]
    pub(crate) fn new(side: Side, index: usize) -> Played {
        Played((index as u32) << 1 | side.index() as u32)
    }
}

/// All that one thread has learnt of which moves are good.
#[derive(Debug)]
pub(crate) struct Ordering<M> {
    history: History,
    killers: Killers<M>,
    counter_moves: Option<CounterMoves<M>>,
    continuation: Option<Continuation>,
}

impl<M: Move> Ordering<M> {
    /// For a game with so many history indices; counter-moves and continuation history cost time and
    /// memory, and not every game gains by them.
    pub(crate) fn new(len: usize, counter_moves: bool, continuation: bool) -> Ordering<M> {
        Ordering {
            history: History::new(len),
            killers: Killers::new(),
            counter_moves: counter_moves.then(|| CounterMoves::new(len)),
            continuation: continuation.then(Continuation::new),
        }
    }

    /// A new search begins: plies mean other positions now.
    pub(crate) fn begin(&mut self) {
        self.killers.clear();
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.history.clear();
        self.killers.clear();
        self.counter_moves.iter_mut().for_each(CounterMoves::clear);
        self.continuation.iter_mut().for_each(Continuation::clear);
    }

    /// Moves to try before any is generated: the killers of the ply, then the answer to the last
    /// action.
    #[inline]
    pub(crate) fn refutations(&self, ply: u32, side: Side, before: Played) -> [Option<M>; 3] {
        let [first, second] = self.killers.get(ply, side);
        let counter = self.counter_moves.as_ref();
        [first, second, counter.and_then(|moves| moves.get(before))]
    }

    /// How promising a move is.
    #[inline]
    pub(crate) fn rank(&self, side: Side, index: usize, before: Played) -> i32 {
        let learnt = self.history.get(side, index);
        match &self.continuation {
            Some(continuation) => learnt + continuation.get(before, Played::new(side, index)),
            None => learnt,
        }
    }

    /// `mv` cut off at a node of this depth, and the `tried` moves before it did not.
    pub(crate) fn learn<P: Position<Move = M>>(
        &mut self,
        position: &P,
        (ply, depth): (u32, u32),
        before: Played,
        mv: M,
        tried: &[Scored<M>],
    ) {
        let side = position.side();
        let bonus = (depth * depth).min(HISTORY_LIMIT as u32 / 4) as i32;
        self.killers.add(ply, side, mv);
        if let Some(moves) = &mut self.counter_moves {
            moves.set(before, mv);
        }
        self.add(side, position.history_index(mv), before, bonus);
        for other in tried.iter().filter(|other| other.mv != mv) {
            self.add(side, position.history_index(other.mv), before, -bonus);
        }
    }

    fn add(&mut self, side: Side, index: usize, before: Played, bonus: i32) {
        self.history.add(side, index, bonus);
        if let Some(continuation) = &mut self.continuation {
            continuation.add(before, Played::new(side, index), bonus);
        }
    }
}

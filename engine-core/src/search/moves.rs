//! The moves of one node, as they are searched: the most promising first, and last those that other
//! threads are searching.

use crate::evaluate::Evaluator;
use crate::ordering::{Picker, Played};
use crate::position::Position;
use crate::search::node::Node;
use crate::search::underway::Mark;
use crate::search::worker::{Strategy, Worker};

/// The moves of a node.
pub(super) struct Moves<M> {
    pub(super) picker: Picker<M>,
    pub(super) before: Played,
    /// Whether there is one candidate only.
    pub(super) alone: bool,
    /// Whether these are candidates, and not all moves.
    pub(super) narrow: bool,
    /// Whether there may be moves that have not been looked at.
    pub(super) fresh: bool,
    /// Where its moves that were put off begin, and how many of them have been taken up again.
    pub(super) put_off: usize,
    resumed: usize,
}

/// A move to search, and its mark; `None` after the last.
pub(super) type Next<M> = Option<(M, Option<Mark>)>;

impl<P: Position, E: Evaluator<P>, S: Strategy> Worker<P, E, S> {
    /// Lists the candidates of a search of limited width; false if all moves are to be searched.
    pub(super) fn list_candidates(&mut self, position: &P) -> bool {
        let Some(limit) = self.width else {
            return false;
        };
        self.evaluator
            .candidates(position, limit, &mut self.candidates)
            && !self.candidates.is_empty()
    }

    /// A node's moves, ready to be picked, and whether they are all of them.
    pub(super) fn moves(
        &mut self,
        position: &P,
        node: Node,
        table_move: Option<P::Move>,
    ) -> Moves<P::Move> {
        let side = position.side();
        let before = self.before(node.ply);
        let narrow = self.list_candidates(position);
        let picker = if narrow {
            let ordering = &self.ordering;
            let rank = |mv| ordering.rank(side, position.history_index(mv), before);
            Picker::of_list(&mut self.stack, table_move, &self.candidates, rank)
        } else {
            let refutations = self.ordering.refutations(node.ply, side, before);
            Picker::new(&self.stack, table_move, refutations)
        };
        Moves {
            picker,
            before,
            alone: narrow && self.candidates.len() == 1,
            narrow,
            fresh: true,
            put_off: self.put_off.len(),
            resumed: 0,
        }
    }

    /// The next move of a node, the most promising first.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        moves: &mut Moves<P::Move>,
        position: &P,
    ) -> Option<P::Move> {
        let (ordering, side, before) = (&self.ordering, position.side(), moves.before);
        let rank = |mv| ordering.rank(side, position.history_index(mv), before);
        moves.picker.next(position, &mut self.stack, rank)
    }

    /// As [`Worker::next_shared`] where no other thread searches.
    #[inline(always)]
    pub(super) fn next_alone(
        &mut self,
        moves: &mut Moves<P::Move>,
        position: &P,
        _depth: u32,
        _first: bool,
    ) -> Next<P::Move> {
        Some((self.next_move(moves, position)?, None))
    }

    /// The next move of a node to search, and its mark: those that other threads are searching come
    /// last. The first all threads search, as its value makes the window of the others.
    #[inline]
    pub(super) fn next_shared(
        &mut self,
        moves: &mut Moves<P::Move>,
        position: &P,
        depth: u32,
        first: bool,
    ) -> Next<P::Move> {
        while moves.fresh {
            let Some(mv) = self.next_move(moves, position) else {
                moves.fresh = false;
                break;
            };
            let mark = self.mark(position, mv, depth, first);
            if !self.underway.has(mark) {
                return Some((mv, mark));
            }
            self.put_off.push(mv);
        }
        let mv = *self.put_off.get(moves.put_off + moves.resumed)?;
        moves.resumed += 1;
        Some((mv, None))
    }

    /// The mark of a move; `None` where there is no use for it.
    #[inline]
    pub(super) fn mark(&self, position: &P, mv: P::Move, depth: u32, first: bool) -> Option<Mark> {
        if first || !S::TABLE {
            return None;
        }
        let index = position.history_index(mv);
        self.underway.mark(position.key(), index, depth)
    }
}

//! The moves of one node in search order: the most promising first, moves that other threads are
//! searching last.

use crate::evaluate::{Candidates, Evaluator};
use crate::ordering::{HistoryKey, Picker};
use crate::position::Position;
use crate::search::abdada::Mark;
use crate::search::node::{Found, Node};
use crate::search::searcher::{Searcher, Strategy};
use crate::table::Grounds;

/// The moves of a node.
pub(super) struct Moves<M> {
    pub(super) picker: Picker<M>,
    pub(super) previous: HistoryKey,
    /// Whether the candidates are complete: all other moves are known to be worse.
    pub(super) forced: bool,
    /// The number of candidates, if they are complete or there is a single one; otherwise 0.
    pub(super) replies: u32,
    /// [`Grounds::Ends`] if no move that may be better is left out, [`Grounds::Candidates`] if the
    /// candidate list leaves some out, [`Grounds::Estimates`] if moves were pruned.
    pub(super) left_out: Grounds,
    /// Whether the picker may have more moves.
    pub(super) has_more: bool,
    /// Index of the node's first deferred move, and the number of deferred moves already taken.
    pub(super) deferred: usize,
    resumed: usize,
    /// Index of the node's first searched move.
    pub(super) searched: usize,
}

/// A move to search and its ABDADA mark; `None` after the last move.
pub(super) type Next<M> = Option<(M, Option<Mark>)>;

impl<P: Position, E: Evaluator<P>, S: Strategy> Searcher<P, E, S> {
    /// Lists the candidates of the evaluator, if their number is limited.
    pub(super) fn list_candidates(&mut self, position: &P) -> Candidates {
        match self.candidate_limit {
            Some(limit) => (self.evaluator).candidates(position, limit, &mut self.candidates),
            None => Candidates::All,
        }
    }

    /// The moves of a node, ready to be picked.
    pub(super) fn moves(
        &mut self,
        position: &P,
        node: Node,
        table_move: Option<P::Move>,
    ) -> Moves<P::Move> {
        let side = position.side();
        let previous = self.previous(node.ply);
        let candidates = self.list_candidates(position);
        let replies = match (candidates, self.candidates.len()) {
            (Candidates::Complete, listed) => listed as u32,
            (Candidates::Selected, 1) => 1,
            _ => 0,
        };
        let picker = if candidates == Candidates::All {
            let refutations = self.ordering.refutations(node.ply, side, previous);
            Picker::new(&self.stack, table_move, refutations)
        } else {
            let ordering = &self.ordering;
            let rank = |mv| ordering.rank(side, position.history_index(mv), previous);
            let listed = |mv: &P::Move| {
                S::widens(&self.settings, node.depth) || self.candidates.contains(mv)
            };
            let table_move = table_move.filter(listed);
            Picker::of_list(&mut self.stack, table_move, &self.candidates, rank)
        };
        Moves {
            picker,
            previous,
            forced: candidates == Candidates::Complete,
            replies,
            left_out: Grounds::of(candidates),
            has_more: true,
            deferred: self.deferred.len(),
            resumed: 0,
            searched: self.searched.len(),
        }
    }

    /// Adds the moves that the candidates of a node leave out, if all candidates lose and the method
    /// widens nodes of this depth. Returns whether it does.
    pub(super) fn widen(
        &mut self,
        position: &P,
        node: Node,
        moves: &mut Moves<P::Move>,
        found: &Found<P::Move>,
    ) -> bool {
        let left_out = moves.left_out == Grounds::Candidates;
        if !left_out || !found.is_lost() || !S::widens(&self.settings, node.depth) {
            return false;
        }
        self.list_all(position);
        let (ordering, side) = (&self.ordering, position.side());
        let rank = |mv| ordering.rank(side, position.history_index(mv), moves.previous);
        moves.picker.widen(&mut self.stack, &self.candidates, rank);
        (moves.left_out, moves.has_more) = (Grounds::Ends, true);
        true
    }

    /// Lists all legal moves, the candidates of the evaluator first.
    pub(super) fn list_all(&mut self, position: &P) {
        self.evaluator
            .candidates(position, usize::MAX, &mut self.candidates);
        let listed = self.candidates.len();
        for mv in position.legal_moves() {
            if !self.candidates[..listed].contains(&mv) {
                self.candidates.push(mv);
            }
        }
    }

    /// The next move of a node, the most promising first.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        moves: &mut Moves<P::Move>,
        position: &P,
    ) -> Option<P::Move> {
        let (ordering, side, previous) = (&self.ordering, position.side(), moves.previous);
        let rank = |mv| ordering.rank(side, position.history_index(mv), previous);
        moves.picker.next(position, &mut self.stack, rank)
    }

    /// As [`Searcher::next_shared`], without marks.
    #[inline(always)]
    pub(super) fn next_unshared(
        &mut self,
        moves: &mut Moves<P::Move>,
        position: &P,
        _depth: u32,
        _first: bool,
    ) -> Next<P::Move> {
        Some((self.next_move(moves, position)?, None))
    }

    /// The next move to search and its mark; moves that other threads are searching are deferred.
    /// All threads search the first move, because its value sets the window of the others.
    #[inline]
    pub(super) fn next_shared(
        &mut self,
        moves: &mut Moves<P::Move>,
        position: &P,
        depth: u32,
        first: bool,
    ) -> Next<P::Move> {
        while moves.has_more {
            let Some(mv) = self.next_move(moves, position) else {
                moves.has_more = false;
                break;
            };
            let mark = self.mark(position, mv, depth, first);
            if !self.abdada.is_searched(mark) {
                return Some((mv, mark));
            }
            self.deferred.push(mv);
        }
        let mv = *self.deferred.get(moves.deferred + moves.resumed)?;
        moves.resumed += 1;
        Some((mv, None))
    }

    /// The mark of a move; `None` for a move that needs none.
    #[inline]
    pub(super) fn mark(&self, position: &P, mv: P::Move, depth: u32, first: bool) -> Option<Mark> {
        if first {
            return None;
        }
        let index = position.history_index(mv);
        self.abdada.mark(position.key(), index, depth)
    }
}

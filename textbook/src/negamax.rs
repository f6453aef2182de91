//! Negamax: minimax by one function with a sign change (Knuth and Moore 1975). It visits every
//! node.

use crate::board::Board;
use crate::searcher::{Entered, Searcher};
use engine_core::score::Score;
use engine_core::search::parts::{Value, Window};

impl Searcher {
    /// The value of a node for its side to act.
    pub(super) fn negamax(&mut self, board: &mut dyn Board, depth: u32, ply: u32) -> Value {
        match self.enter(board, depth, ply)? {
            Entered::Value(score) => return Ok(score),
            Entered::Chance => {
                return self
                    .expectation(board, |searcher, board| searcher.negamax(board, depth, ply));
            }
            Entered::Moves => {}
        }
        let side = board.side();
        let mut best = -Score::INFINITY;
        let moves = self.list_moves(board);
        for place in moves.clone() {
            let value = self.visit(board, self.moves[place], |searcher, board| {
                searcher.seen_by(side, board, Window::OPEN, |searcher, board, _| {
                    searcher.negamax(board, depth.saturating_sub(1), ply + 1)
                })
            })?;
            best = best.max(value);
        }
        self.moves.truncate(moves.start);
        Ok(best)
    }
}

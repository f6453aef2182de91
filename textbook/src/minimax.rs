//! Minimax and expectiminimax: the reference for every other search. It visits every node, without
//! windows, table, ordering and sign changes: within it, values are from the view of `First`.

use crate::Textbook;
use crate::board::{Board, Evaluated};
use crate::searcher::{Entered, Searcher};
use engine_core::evaluate::Evaluator;
use engine_core::position::{Position, Side};
use engine_core::score::Score;
use engine_core::search::parts::Value;

/// The value of `position` for its side to move, searched `depth` actions deep (Shannon 1950;
/// chance nodes after Michie 1966).
///
/// Rolls do not count as depth. If the depth runs out within a turn ([`Position::mid_turn`]), the
/// search continues to the end of the turn.
pub fn minimax<P: Position>(position: &P, evaluator: &mut impl Evaluator<P>, depth: u32) -> Score {
    let board: &mut dyn Board = &mut Evaluated::new(position, evaluator);
    let mut searcher = Searcher::new(Textbook::MinimaxOne, None, 0);
    let value = searcher.minimax(board, depth, 0);
    value.expect("a search without limits is not stopped")
}

/// Converts between a value for `First` and a value for `side`.
fn relative(side: Side, value: Score) -> Score {
    match side {
        Side::First => value,
        Side::Second => -value,
    }
}

impl Searcher {
    /// The value of a node for its side to act.
    pub(super) fn minimax(&mut self, board: &mut dyn Board, depth: u32, ply: u32) -> Value {
        let value = self.value_of_first(board, depth, ply)?;
        Ok(relative(board.side(), value))
    }

    fn value_of_first(&mut self, board: &mut dyn Board, depth: u32, ply: u32) -> Value {
        match self.enter(board, depth, ply)? {
            Entered::Value(score) => Ok(relative(board.side(), score)),
            Entered::Chance => self.expectation(board, |searcher, board| {
                searcher.value_of_first(board, depth, ply)
            }),
            Entered::Moves => match (self.kind, board.side()) {
                (Textbook::Minimax, Side::First) => self.max_value(board, depth, ply),
                (Textbook::Minimax, Side::Second) => self.min_value(board, depth, ply),
                (_, side) => self.best_value(board, depth, ply, side),
            },
        }
    }

    fn max_value(&mut self, board: &mut dyn Board, depth: u32, ply: u32) -> Value {
        let mut max = -Score::INFINITY;
        let moves = self.list_moves(board);
        for place in moves.clone() {
            max = max.max(self.value_after(board, place, depth, ply)?);
        }
        self.moves.truncate(moves.start);
        Ok(max)
    }

    fn min_value(&mut self, board: &mut dyn Board, depth: u32, ply: u32) -> Value {
        let mut min = Score::INFINITY;
        let moves = self.list_moves(board);
        for place in moves.clone() {
            min = min.min(self.value_after(board, place, depth, ply)?);
        }
        self.moves.truncate(moves.start);
        Ok(min)
    }

    fn best_value(&mut self, board: &mut dyn Board, depth: u32, ply: u32, side: Side) -> Value {
        let mut best = None;
        let moves = self.list_moves(board);
        for place in moves.clone() {
            let value = self.value_after(board, place, depth, ply)?;
            let is_better = match side {
                Side::First => best.is_none_or(|best| value > best),
                Side::Second => best.is_none_or(|best| value < best),
            };
            if is_better {
                best = Some(value);
            }
        }
        self.moves.truncate(moves.start);
        Ok(best.expect("a position that is not over has a move"))
    }

    /// The value after the move at this place of `self.moves`.
    fn value_after(&mut self, board: &mut dyn Board, place: usize, depth: u32, ply: u32) -> Value {
        self.visit(board, self.moves[place], |searcher, board| {
            searcher.value_of_first(board, depth.saturating_sub(1), ply + 1)
        })
    }
}

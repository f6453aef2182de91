//! What the textbook searches share: nodes, moves, signs and rolls.

use std::ops::Range;

use crate::Textbook;
use crate::board::{Board, MoveBits, Status};
use engine_core::limits::Counters;
use engine_core::position::Side;
use engine_core::score::Score;
use engine_core::search::parts::{Lines, Node, NodeCounter, Stopped, Value, Window};
use engine_core::table::Table;

/// A textbook search, with its state between searches.
pub(super) struct Searcher {
    pub(super) kind: Textbook,
    /// The transposition table, if the search has one.
    pub(super) table: Option<Table>,
    /// Half the size of an aspiration window, points.
    pub(super) half_window: i32,
    pub(super) node_counter: NodeCounter,
    pub(super) counters: Counters,
    /// Maximum ply reached in this iteration.
    pub(super) seldepth: u32,
    /// Number of evaluations so far, direct ones and those within values of the table. A value
    /// that needed none is final.
    pub(super) estimates: u64,
    /// The moves of the nodes on the current path.
    pub(super) moves: Vec<MoveBits>,
    pub(super) lines: Lines<MoveBits>,
}

/// A node that has been entered.
pub(super) enum Entered {
    /// The end of the game, or a leaf: its value for the side to act.
    Value(Score),
    /// A chance node.
    Chance,
    /// A node with moves.
    Moves,
}

impl Searcher {
    pub(super) fn new(kind: Textbook, table: Option<Table>, half_window: i32) -> Searcher {
        Searcher {
            kind,
            table,
            half_window,
            node_counter: NodeCounter::default(),
            counters: Counters::default(),
            seldepth: 0,
            estimates: 0,
            moves: Vec::new(),
            lines: Lines::default(),
        }
    }

    /// The value of a node for its side to act. Searches without windows ignore `window`.
    pub(super) fn value(&mut self, board: &mut dyn Board, node: Node, window: Window) -> Value {
        let Node { depth, ply } = node;
        match self.kind {
            Textbook::Minimax | Textbook::MinimaxOne => self.minimax(board, depth, ply),
            Textbook::Negamax => self.negamax(board, depth, ply),
            _ => self.alpha_beta(board, node, window),
        }
    }

    /// Counts a node, and evaluates it if it is a leaf. Rolls do not count as depth. If the depth
    /// runs out within a turn, the search continues to the end of the turn.
    pub(super) fn enter(
        &mut self,
        board: &mut dyn Board,
        depth: u32,
        ply: u32,
    ) -> Result<Entered, Stopped> {
        self.node_counter.count()?;
        self.seldepth = self.seldepth.max(ply);
        let (node, mid_turn) = match board.status(ply) {
            Status::Over(score) => return Ok(Entered::Value(score)),
            Status::Roll { mid_turn } => (Entered::Chance, mid_turn),
            Status::Action { mid_turn } => (Entered::Moves, mid_turn),
        };
        if (depth == 0 && !mid_turn) || ply >= Score::MAX_PLY {
            self.estimates += 1;
            return Ok(Entered::Value(board.evaluate()));
        }
        Ok(node)
    }

    /// Lists the moves of a node; returns their places in `self.moves`.
    pub(super) fn list_moves(&mut self, board: &dyn Board) -> Range<usize> {
        let first = self.moves.len();
        board.list_moves(&mut self.moves);
        first..self.moves.len()
    }

    /// Plays a move, calls `search` on the child, and undoes the move.
    pub(super) fn visit<T>(
        &mut self,
        board: &mut dyn Board,
        mv: MoveBits,
        search: impl FnOnce(&mut Self, &mut dyn Board) -> T,
    ) -> T {
        board.play(mv);
        let value = search(self, board);
        board.undo();
        value
    }

    /// The value for `side` of a child, which `search` searches in the window of the side to act
    /// there. The only sign change of these searches.
    pub(super) fn seen_by(
        &mut self,
        side: Side,
        board: &mut dyn Board,
        window: Window,
        search: impl FnOnce(&mut Self, &mut dyn Board, Window) -> Value,
    ) -> Value {
        if board.side() == side {
            search(self, board, window)
        } else {
            search(self, board, -window).map(|score| -score)
        }
    }

    /// The mean over the rolls of a chance node, rounded toward zero: symmetric for both sides.
    /// `search` returns the value after a roll.
    pub(super) fn expectation(
        &mut self,
        board: &mut dyn Board,
        mut search: impl FnMut(&mut Self, &mut dyn Board) -> Value,
    ) -> Value {
        let (mut sum, mut total) = (0, 0);
        for (face, weight) in board.rolls() {
            board.play_roll(face);
            let value = search(self, board);
            board.undo_roll(face);
            sum += i64::from(value?.value()) * i64::from(weight);
            total += i64::from(weight);
        }
        Ok(Score::from_value((sum / total) as i32))
    }
}

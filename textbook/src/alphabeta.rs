//! Alpha-beta (Knuth and Moore 1975): every move is searched in the current window. With a table,
//! the move that was best last time is searched first. Fail-hard clamps values to the window;
//! fail-soft (Fishburn 1983) returns the tightest bound found.

use crate::Textbook;
use crate::board::{Board, MoveBits};
use crate::searcher::{Entered, Searcher};
use engine_core::score::Score;
use engine_core::search::parts::{Node, Stopped, Value, Window, table_cutoff};
use engine_core::table::{Bound, Entry, Grounds};

impl Searcher {
    /// The value of a node for its side to act: exact within the window, else a bound.
    pub(super) fn alpha_beta(
        &mut self,
        board: &mut dyn Board,
        node: Node,
        window: Window,
    ) -> Value {
        let entered = self.enter(board, node.depth, node.ply)?;
        if let Entered::Value(score) = entered {
            return Ok(self.clamp(score, window));
        }
        let is_chance = matches!(entered, Entered::Chance);
        let (known, table_move) = self.look_up(board, node, window, is_chance);
        if let Some(score) = known {
            return Ok(self.clamp(score, window));
        }
        if is_chance {
            return self.mean_of_rolls(board, node);
        }
        let estimates = self.estimates;
        let (best, best_move) = self.search_moves(board, node, window, table_move)?;
        self.store(board, node, window, (best, best_move, estimates));
        Ok(self.clamp(best, window))
    }

    /// Searches the moves of a node; returns its value and the move that raised it above alpha.
    ///
    /// A node whose value is within its window leaves its line in `self.lines`, and its parent takes
    /// it from there; all other lines are empty, so that leaves need not touch them.
    fn search_moves(
        &mut self,
        board: &mut dyn Board,
        node: Node,
        window: Window,
        table_move: Option<MoveBits>,
    ) -> Result<(Score, Option<MoveBits>), Stopped> {
        let child = Node {
            depth: node.depth.saturating_sub(1),
            ply: node.ply + 1,
        };
        let side = board.side();
        let (mut best, mut best_move, mut alpha) = (-Score::INFINITY, None, window.alpha);
        let moves = self.list_moves(board);
        if let Some(mv) = table_move {
            self.move_to_front(moves.start, mv);
        }
        for place in moves.clone() {
            let mv = self.moves[place];
            let left = Window::new(alpha, window.beta);
            let score = self.visit(board, mv, |searcher, board| {
                searcher.seen_by(side, board, left, |searcher, board, window| {
                    searcher.alpha_beta(board, child, window)
                })
            })?;
            best = best.max(score);
            if score <= alpha {
                continue;
            }
            (best_move, alpha) = (Some(mv), score);
            if score >= window.beta {
                self.counters.cutoffs += 1;
                self.counters.first_cutoffs += u64::from(place == moves.start);
                self.lines.clear(node.ply);
                break;
            }
            self.lines.extend(node.ply, mv);
            self.lines.clear(child.ply);
        }
        self.moves.truncate(moves.start);
        Ok((best, best_move))
    }

    /// The mean over the rolls. Every roll is searched in an open window; [`engine_core::search`] has
    /// windows through chance nodes (Star1).
    fn mean_of_rolls(&mut self, board: &mut dyn Board, node: Node) -> Value {
        let estimates = self.estimates;
        let mean = self.expectation(board, |searcher, board| {
            searcher.alpha_beta(board, node, Window::OPEN)
        })?;
        // The principal variation ends at the roll, whose result is unknown.
        self.lines.clear(node.ply);
        self.store(board, node, Window::OPEN, (mean, None, estimates));
        Ok(mean)
    }

    /// Fail-hard values are clamped to the window.
    fn clamp(&self, score: Score, window: Window) -> Score {
        match self.kind {
            Textbook::FailHard => score.clamp(window.alpha, window.beta),
            _ => score,
        }
    }

    /// The score of the table, if it causes a cutoff, and the table move.
    fn look_up(
        &mut self,
        board: &dyn Board,
        node: Node,
        window: Window,
        is_chance: bool,
    ) -> (Option<Score>, Option<MoveBits>) {
        let Some(table) = &self.table else {
            return (None, None);
        };
        self.counters.probes += 1;
        let Some(entry) = table.probe::<MoveBits>(board.key()) else {
            return (None, None);
        };
        self.counters.hits += 1;
        let score = table_cutoff(&entry, node, window, board.repeats());
        // A value within the window needs a principal variation, unless a roll ends it.
        let score = score.filter(|&score| is_chance || !window.holds(score));
        if score.is_some() && entry.grounds.may_change() {
            self.estimates += 1;
        }
        (score, entry.mv)
    }

    /// Moves `mv`, if it is among the moves from index `first` on, to that index.
    fn move_to_front(&mut self, first: usize, mv: MoveBits) {
        let moves = &mut self.moves[first..];
        if let Some(place) = moves.iter().position(|&known| known == mv) {
            moves[..=place].rotate_right(1);
        }
    }

    /// Stores a node: its value, its best move, and the number of estimates before its search.
    fn store(
        &self,
        board: &dyn Board,
        node: Node,
        window: Window,
        (best, mv, estimates): (Score, Option<MoveBits>, u64),
    ) {
        let Some(table) = &self.table else {
            return;
        };
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let grounds = if self.estimates == estimates && !board.repeats() {
            Grounds::Ends
        } else {
            Grounds::Estimates
        };
        let entry = Entry {
            mv,
            score: best.from_root(node.ply),
            depth: node.depth.min(255) as u8,
            bound,
            grounds,
        };
        table.store(board.key(), entry);
    }
}

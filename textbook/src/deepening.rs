//! Iterative deepening (Slate and Atkin 1977): search to depth 1, 2, 3, … until time is over, the
//! best move of an iteration first in the next.

use std::sync::Arc;

use crate::Textbook;
use crate::board::{Board, MoveBits, Status};
use crate::searcher::Searcher;
use crate::windows::{aspiration, bisection};
use engine_core::limits::{Counters, Limits, Report};
use engine_core::score::Score;
use engine_core::search::deepening::MAX_DEPTH;
use engine_core::search::parts::{Lines, Node, NodeCounter, Value, Window};

impl Searcher {
    /// Searches until a limit is reached, the value is final, or a timed search has only one move.
    /// Reports the result of each iteration; an iteration that is stopped does not count.
    pub(super) fn deepen(
        &mut self,
        board: &mut dyn Board,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<MoveBits>),
    ) -> Report<MoveBits> {
        let mut report = Report::empty(limits);
        if !matches!(board.status(0), Status::Action { .. }) {
            return report;
        }
        self.begin(limits);
        let mut root = Vec::new();
        board.list_moves(&mut root);
        report.pv = vec![root[0]];
        let limits = &limits.with_choices(root.len());
        self.node_counter.set_limits(limits);
        let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=last {
            let estimates = self.estimates;
            self.seldepth = 0;
            let mut line = Vec::new();
            let Ok(score) = self.iterate(board, &mut root, &mut line, (depth, report.score)) else {
                break;
            };
            report = Report {
                depth,
                seldepth: self.seldepth,
                score: Some(score),
                solved: self.estimates == estimates || score.is_proven_within(depth),
                pv: line,
                ..self.counts(limits)
            };
            progress(&report);
            if report.solved || limits.no_time_for_iteration() {
                break;
            }
        }
        Report {
            depth: report.depth,
            seldepth: report.seldepth,
            score: report.score,
            solved: report.solved,
            pv: report.pv,
            ..self.counts(limits)
        }
    }

    /// Forgets everything, and counts the nodes of a new search.
    fn begin(&mut self, limits: &Limits) {
        if let Some(table) = &self.table {
            table.clear();
        }
        self.node_counter = NodeCounter::new(limits, &Arc::default());
        self.counters = Counters::default();
        // A search that was stopped leaves these as they were.
        (self.moves, self.lines) = (Vec::new(), Lines::default());
    }

    /// A report of what the search has cost.
    fn counts(&self, limits: &Limits) -> Report<MoveBits> {
        Report {
            nodes: self.node_counter.nodes(),
            hashfull: self.table.as_ref().map_or(0, |table| table.fullness()),
            counters: self.counters,
            ..Report::empty(limits)
        }
    }

    /// The value of the root at this depth. Moves the best move to the front of `moves` and sets
    /// `line`. `guess` is the value of the last iteration.
    fn iterate(
        &mut self,
        board: &mut dyn Board,
        moves: &mut [MoveBits],
        line: &mut Vec<MoveBits>,
        (depth, guess): (u32, Option<Score>),
    ) -> Value {
        let (kind, half) = (self.kind, self.half_window);
        let mut search = |window| self.search_root(board, moves, line, depth, window);
        match (kind, guess) {
            (Textbook::Aspiration, Some(guess)) => aspiration(guess, half, &mut search),
            (Textbook::Bisection, _) => bisection(&mut search),
            _ => search(Window::OPEN),
        }
    }

    /// Searches the moves of the root in a window.
    fn search_root(
        &mut self,
        board: &mut dyn Board,
        moves: &mut [MoveBits],
        line: &mut Vec<MoveBits>,
        depth: u32,
        window: Window,
    ) -> Value {
        let child = Node {
            depth: depth - 1,
            ply: 1,
        };
        let side = board.side();
        let (mut best, mut alpha) = (-Score::INFINITY, window.alpha);
        for i in 0..moves.len() {
            let left = Window::new(alpha, window.beta);
            let score = self.visit(board, moves[i], |searcher, board| {
                searcher.seen_by(side, board, left, |searcher, board, window| {
                    searcher.value(board, child, window)
                })
            })?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                line.clear();
                line.push(moves[i]);
                line.extend_from_slice(self.lines.from(child.ply));
                self.lines.clear(child.ply);
                moves[..=i].rotate_right(1);
            }
            if score >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}

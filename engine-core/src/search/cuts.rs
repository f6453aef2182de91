//! Nodes that a selective search ends before it has searched their moves: reverse futility,
//! razoring, null move and ProbCut.

use crate::evaluate::Evaluator;
use crate::ordering::HistoryKey;
use crate::position::Position;
use crate::score::Score;
use crate::search::counter::{Stopped, Value};
use crate::search::node::{Node, Window};
use crate::search::searcher::Searcher;
use crate::search::selective::{FUTILITY_DEPTH, Selective};
use crate::table::Grounds;

/// Maximum remaining depth for razoring, plies.
const RAZOR_DEPTH: u32 = 2;

/// The search of ProbCut is so many plies shallower: an even number, since evaluations of the same
/// side to move differ less.
const PROBCUT_REDUCTION: u32 = 4;

/// Minimum remaining depth for ProbCut, plies.
const PROBCUT_DEPTH: u32 = 5;

/// A value that ends a node, if there is one.
type Cut = Result<Option<Score>, Stopped>;

impl<P: Position, E: Evaluator<P>> Searcher<P, E, Selective> {
    /// The static evaluation of a node, if a cut or a reduction needs it. A value that causes reverse
    /// futility may be a lower bound.
    pub(super) fn static_value(
        &mut self,
        position: &P,
        node: Node,
        window: Window,
    ) -> Option<Score> {
        let settings = &self.settings.selectivity;
        let null_move = settings.null_move > 0 && node.depth > settings.null_move;
        let futility = settings.futility > 0 && node.depth <= FUTILITY_DEPTH;
        let always =
            settings.reverse_futility > 0 || settings.razoring > 0 || settings.correction > 0.0;
        let wanted = (null_move || futility || always)
            && !window.is_open()
            && !position.mid_turn()
            && self.evaluator.is_quiet(position);
        let enough = match settings.reverse_futility {
            0 => Score::INFINITY,
            margin => window.beta + margin * node.depth as i32,
        };
        let value = wanted.then(|| self.corrected(position, node.ply, enough));
        self.trail.set_value(node.ply, value);
        value
    }

    /// The value of a node that is ended.
    pub(super) fn cut(
        &mut self,
        position: &mut P,
        (node, window): (Node, Window),
        evaluation: Option<Score>,
    ) -> Cut {
        if let Some(score) = self.far_outside(node, window, evaluation) {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(position, (node, window), evaluation)? {
            return Ok(Some(score));
        }
        self.probcut(position, (node, window))
    }

    /// Reverse futility and razoring: the value of a node whose evaluation is far outside the window.
    fn far_outside(
        &mut self,
        node: Node,
        window: Window,
        evaluation: Option<Score>,
    ) -> Option<Score> {
        let score = evaluation?;
        let settings = &self.settings.selectivity;
        let margin = |points: i32| points * node.depth as i32;
        let reverse = settings.reverse_futility;
        let high = reverse > 0 && score - margin(reverse) >= window.beta;
        let razor = settings.razoring;
        let low = razor > 0 && node.depth <= RAZOR_DEPTH && score + margin(razor) <= window.alpha;
        self.grounds = Grounds::Estimates;
        (high || low).then_some(score)
    }

    /// Null move (Beal 1989; Donninger 1993): if the side to act is still at or above beta after
    /// passing, a move would be too. Never twice in a row.
    fn null_move(
        &mut self,
        position: &mut P,
        (node, window): (Node, Window),
        evaluation: Option<Score>,
    ) -> Cut {
        let reduction = self.settings.selectivity.null_move;
        let promising = evaluation.is_some_and(|score| score >= window.beta);
        if reduction == 0
            || node.depth <= reduction
            || !promising
            || window.beta.is_proven()
            || self.previous(node.ply) == HistoryKey::NONE
        {
            return Ok(None);
        }
        let depth = node.depth - 1 - reduction;
        let value = self.visit_pass(position, node.ply, |child| {
            child.expect_cutoff(false);
            child.search(depth, Window::above(window.beta - 1))
        });
        self.grounds = Grounds::Estimates;
        Ok(match value {
            // A win after a pass is not proven.
            Some(value) => Some(value?.min(Score::MAX_EVAL)).filter(|&score| score >= window.beta),
            None => None,
        })
    }

    /// ProbCut (Buro 1995): if a shallower search is above beta by a margin, a full one probably is above
    /// beta, too.
    fn probcut(&mut self, position: &mut P, (node, window): (Node, Window)) -> Cut {
        let margin = self.settings.selectivity.probcut;
        let threshold = window.beta + margin;
        if margin == 0
            || node.depth < PROBCUT_DEPTH
            || window.is_open()
            || position.mid_turn()
            || threshold.value().abs() >= Score::MAX_EVAL.value()
        {
            return Ok(None);
        }
        let shallow = Node {
            depth: node.depth - PROBCUT_REDUCTION,
            ply: node.ply,
        };
        let value: Value = self.value(position, shallow, Window::above(threshold - 1));
        let score = value?;
        let won = score.is_proven();
        if !won {
            self.grounds = Grounds::Estimates;
        }
        let value = if won { score } else { window.beta };
        Ok((score >= threshold).then_some(value))
    }
}

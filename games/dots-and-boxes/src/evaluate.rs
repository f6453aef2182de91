//! The evaluation: the score so far, the boxes that can be captured now, and an estimate of the
//! remaining game.
//!
//! Without safe edges, [`crate::chains`] gives the value of the endgame. Before that, the value
//! depends on who draws the last safe edge and on the chains formed by then. Both are found by
//! drawing the safe edges in a random order; the estimate is the mean over several orders. It
//! becomes more accurate as safe edges run out, because the orders then lead to the same endgame.

use engine_core::real::logistic;
use engine_core::zobrist::mix;
use engine_core::{Candidates, Evaluator, Score};

use crate::board::{BOX, DotsAndBoxes, Lines};
use crate::candidates;
use crate::chains::{endgame, harvest};
use crate::geometry::Geometry;
use crate::images::least;
use crate::moves::Edge;

/// Number of safe edges up to which more orders are tried: on 5×5 the endgame is then some eight
/// turns away.
const FEW_SAFE: u32 = 16;

/// Number of orders with few safe edges.
const ORDERS: u32 = 4;

/// Number of orders with many safe edges: each order then takes longer and says less.
const EARLY_ORDERS: u32 = 2;

/// Divisor of the estimate with many safe edges. It then says next to nothing about the result, and
/// boxes already won should count for more.
const EARLY_DOUBT: i32 = 4;

/// Evaluation points that raise the odds of winning by a factor of e. Fitted to self-play games of
/// a shallow search with few safe edges left.
const POINTS_PER_LOGIT: f32 = 400.0;

/// The same without safe edges.
const SETTLED_POINTS_PER_LOGIT: f32 = 60.0;

/// Evaluation by chains and the parity of safe edges, in points of [`BOX`] per box: the expected
/// final margin of the side to move. It has no state.
#[derive(Clone, Copy, Default, Debug)]
pub struct Chains;

impl Evaluator<DotsAndBoxes> for Chains {
    fn evaluate(&mut self, position: &DotsAndBoxes) -> Score {
        Score::points(BOX * position.margin() + to_come(position.geometry, position.lines.drawn))
    }

    /// Ignores the limit: none of these edges is known to be worse.
    fn candidates(&mut self, position: &DotsAndBoxes, _: usize, out: &mut Vec<Edge>) -> Candidates {
        candidates::list(position, out)
    }

    fn probability(&self, score: Score) -> f32 {
        logistic(score.value() as f32 / POINTS_PER_LOGIT)
    }

    /// Nobody gets more boxes than are left.
    fn possible(&self, position: &DotsAndBoxes, score: Score) -> Score {
        let [margin, left] = [position.margin(), position.boxes_left() as i32];
        let boxes = BOX * (margin - left)..=BOX * (margin + left);
        Score::points(score.value().clamp(*boxes.start(), *boxes.end()))
    }
}

impl Chains {
    /// As [`Evaluator::probability`], for positions without safe edges, where the evaluation is
    /// nearly exact.
    pub(crate) fn settled_probability(score: Score) -> f32 {
        logistic(score.value() as f32 / SETTLED_POINTS_PER_LOGIT)
    }
}

/// Points still to come for the side to move: the same for mirror images.
fn to_come(board: &Geometry, drawn: u64) -> i32 {
    let mut lines = least(board, drawn);
    let taken = harvest(board, &mut lines);
    let rest = if lines.safe(board) == 0 {
        BOX * endgame(board, &lines).value()
    } else {
        unsettled(board, lines)
    };
    taken.value(rest)
}

/// Points to come for the side that does not move, if nothing can be captured: the mean over orders
/// of the safe edges.
fn unsettled(board: &Geometry, lines: Lines) -> i32 {
    let few = lines.safe(board).count_ones() <= FEW_SAFE;
    let (orders, doubt) = if few {
        (ORDERS, 1)
    } else {
        (EARLY_ORDERS, EARLY_DOUBT)
    };
    let mut sum = 0;
    let mut random = lines.drawn;
    for _ in 0..orders {
        random = mix(random);
        sum += after_safe_edges(board, lines, random);
    }
    BOX * sum / (orders as i32 * doubt)
}

/// Net boxes to come for the side that does not move, after all safe edges are drawn in an order
/// given by `random`.
fn after_safe_edges(board: &Geometry, mut lines: Lines, mut random: u64) -> i32 {
    let mut sign = 1;
    loop {
        let safe = lines.safe(board);
        if safe == 0 {
            return sign * endgame(board, &lines).value();
        }
        lines.draw(board, from_rotation(safe, random as u32));
        random = random.rotate_right(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sign = -sign;
    }
}

/// The first edge of a set from a position given by the low bits of `random`, cyclically. Faster
/// than a uniform choice; every edge has a chance.
#[inline]
pub(crate) fn from_rotation(edges: u64, random: u32) -> Edge {
    let start = random & 63;
    let ahead = edges.rotate_right(start).trailing_zeros();
    Edge(((start + ahead) & 63) as u8)
}

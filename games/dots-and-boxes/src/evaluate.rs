//! Judging a position: the score so far, what can be taken now, and how the rest will go.
//!
//! Once no safe edge is left the rest is worth what [`crate::chains`] says. Before, what matters is
//! who will draw the last safe edge, and which chains there will be then. Both are found by drawing
//! safe edges in some order until none is left; the mean over several orders is the judgement. It
//! grows sharper by itself as safe edges run out, since then the orders lead to the same end.

use engine_core::real::logistic;
use engine_core::zobrist::mix;
use engine_core::{Evaluator, Score};

use crate::board::{BOX, DotsAndBoxes, Lines};
use crate::candidates;
use crate::chains::{endgame, harvest};
use crate::geometry::Geometry;
use crate::moves::Edge;

/// As many safe edges as allow a closer look: on 5×5 the end is then some eight turns away.
const FEW_SAFE: u32 = 16;

/// How many orders of the safe edges are tried when there are few of them.
const ORDERS: u32 = 4;

/// The same when there are many: each order takes longer then, and tells less.
const EARLY_ORDERS: u32 = 2;

/// What the judgement of the rest is divided by when there are many safe edges. It says next to
/// nothing about the result then, and boxes already won should count for more.
const EARLY_DOUBT: i32 = 4;

/// Points, on the evaluation's scale, that raise the odds of winning by a factor e. Fitted to games of
/// a shallow search against itself, with few safe edges left.
const POINTS_PER_LOGIT: f32 = 400.0;

/// The same once no safe edge is left.
const SETTLED_POINTS_PER_LOGIT: f32 = 60.0;

/// Evaluation by chains and the parity of safe edges, in points of [`BOX`] a box: the expected margin
/// at the end of the game for the side to move. It keeps no state.
#[derive(Clone, Copy, Default, Debug)]
pub struct Chains;

impl Evaluator<DotsAndBoxes> for Chains {
    fn evaluate(&mut self, position: &DotsAndBoxes) -> Score {
        Score::points(BOX * position.margin() + to_come(position.geometry, position.lines))
    }

    /// The same number of them whatever the limit: no edge among them is known to be worse.
    fn candidates(&mut self, position: &DotsAndBoxes, _: usize, out: &mut Vec<Edge>) -> bool {
        candidates::list(position, out);
        true
    }

    fn probability(&self, score: Score) -> f32 {
        logistic(score.value() as f32 / POINTS_PER_LOGIT)
    }
}

impl Chains {
    /// As [`Evaluator::probability`], for positions without safe edges, where the evaluation is all
    /// but exact.
    pub(crate) fn settled_probability(score: Score) -> f32 {
        logistic(score.value() as f32 / SETTLED_POINTS_PER_LOGIT)
    }
}

/// Points still to come for the side to move.
fn to_come(board: &Geometry, mut lines: Lines) -> i32 {
    let taken = harvest(board, &mut lines);
    let rest = if lines.safe(board) == 0 {
        BOX * endgame(board, &lines).value()
    } else {
        unsettled(board, lines)
    };
    taken.value(rest)
}

/// Points to come for the side that does not move, in a position where nothing can be taken: the
/// mean over orders of the safe edges.
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

/// Net boxes to come for the side that does not move, if safe edges are drawn, in an order that
/// `random` gives, until none is left.
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

/// The first edge of a set after a place that the low bits of `random` give: quicker than a uniform
/// choice, and every edge has its chance.
#[inline]
pub(crate) fn from_rotation(edges: u64, random: u32) -> Edge {
    let start = random & 63;
    let ahead = edges.rotate_right(start).trailing_zeros();
    Edge(((start + ahead) & 63) as u8)
}

//! Correction history (Stockfish and others since 2023): how much searches differed from static
//! evaluations after the same action.

use std::cmp::Ordering;

use crate::evaluate::Evaluator;
use crate::ordering::HistoryKey;
use crate::position::Position;
use crate::score::Score;
use crate::search::node::{Found, Node, Window};
use crate::search::searcher::Searcher;
use crate::search::selective::Selective;
use crate::zobrist::mix;

/// Number of slots, a power of two; actions share them by hash.
const PLACES: usize = 1 << 14;

/// Parts of a point in a slot.
const UNIT: i32 = 64;

/// Largest difference that is learned, points.
const LARGEST: i32 = 1000;

/// A difference from a node of depth `d` weighs `d` of so many parts, at most a quarter.
const INERTIA: i32 = 128;

/// The mean differences by the last action.
pub(super) struct Correction {
    values: Vec<i32>,
}

impl Correction {
    /// No differences. If they are not `wanted`, it takes no memory and must not be used.
    pub(super) fn new(wanted: bool) -> Correction {
        Correction {
            values: vec![0; if wanted { PLACES } else { 0 }],
        }
    }

    pub(super) fn forget(&mut self) {
        self.values.fill(0);
    }

    /// What is added to an evaluation after this action, points.
    #[inline]
    pub(super) fn after(&self, previous: HistoryKey) -> i32 {
        self.values[place(previous)] / UNIT
    }

    /// Learns that a search to `depth` found `score` where the evaluation was `evaluation`.
    pub(super) fn learn(
        &mut self,
        previous: HistoryKey,
        depth: u32,
        score: Score,
        evaluation: Score,
    ) {
        if score.is_proven() {
            return;
        }
        let difference = (score.value() - evaluation.value()).clamp(-LARGEST, LARGEST) * UNIT;
        let weight = (depth as i32).min(INERTIA / 4);
        let value = &mut self.values[place(previous)];
        *value += (difference - *value) * weight / INERTIA;
    }
}

impl<P: Position, E: Evaluator<P>> Searcher<P, E, Selective> {
    /// The corrected static evaluation of the position of a node, or a lower bound of it that is at least
    /// `enough`.
    pub(super) fn corrected(&mut self, position: &P, ply: u32, enough: Score) -> Score {
        if !self.corrects() {
            return self.evaluate_to(position, enough);
        }
        let value = self.evaluate(position) + self.expected_error(ply);
        value.clamp(-Score::MAX_EVAL, Score::MAX_EVAL)
    }

    fn corrects(&self) -> bool {
        self.settings.selectivity.correction > 0.0
    }

    /// By how much evaluations at this ply are corrected, points.
    fn expected_error(&self, ply: u32) -> i32 {
        let error = self.correction.after(self.previous(ply));
        (self.settings.selectivity.correction * error as f32) as i32
    }

    /// Learns from the result of a node, unless it is a bound on the side of the evaluation.
    pub(super) fn learn_error(
        &mut self,
        node: Node,
        window: Window,
        evaluation: Option<Score>,
        found: &Found<P::Move>,
    ) {
        let Some(evaluation) = evaluation.filter(|_| self.corrects()) else {
            return;
        };
        let is_lower = found.best >= window.beta;
        let is_upper = found.mv.is_none();
        let says_more = match found.best.cmp(&evaluation) {
            Ordering::Less => !is_lower,
            Ordering::Greater => !is_upper,
            Ordering::Equal => true,
        };
        if says_more {
            let uncorrected = evaluation - self.expected_error(node.ply);
            let previous = self.previous(node.ply);
            (self.correction).learn(previous, node.depth, found.best, uncorrected);
        }
    }
}

fn place(previous: HistoryKey) -> usize {
    mix(previous.bits()) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Side;

    #[test]
    fn it_learns_the_mean_difference_after_an_action() {
        let [a, b] = [1, 2].map(|index| HistoryKey::new(Side::First, index));
        let mut correction = Correction::new(true);
        for _ in 0..200 {
            correction.learn(a, 8, Score::points(130), Score::points(100));
            correction.learn(a, 8, Score::points(90), Score::points(100));
        }
        assert!(
            (5..=15).contains(&correction.after(a)),
            "{}",
            correction.after(a)
        );
        assert_eq!(correction.after(b), 0);
        correction.learn(b, 8, Score::win_in(3), Score::points(0));
        assert_eq!(
            correction.after(b),
            0,
            "a win says nothing about evaluations"
        );
        correction.forget();
        assert_eq!(correction.after(a), 0);
    }
}

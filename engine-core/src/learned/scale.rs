//! From log odds, in which models compute, to the points of a game, in which its searches do.

use super::model::UNIT;
use crate::evaluate::Evaluator;
use crate::position::Position;
use crate::real::{ln, logistic};
use crate::score::Score;

/// Steps of the table per [`UNIT`].
const STEPS: i32 = 16;
/// The table covers log odds from −6 to 6; beyond, points go on as they went in the last step.
const REACH: i32 = 6 * STEPS;
/// Probabilities nearer to 0 or 1 are taken as certain.
const LEAST: f32 = 1e-4;

/// The points of a game by log odds.
pub(super) struct Scale {
    points: Vec<i32>,
    most: i32,
}

impl Scale {
    pub(super) fn new<P: Position>(evaluator: &impl Evaluator<P>) -> Scale {
        let at = |step: i32| {
            let chance = logistic(step as f32 / STEPS as f32);
            evaluator.score_of(chance).value()
        };
        Scale {
            points: (-REACH..=REACH).map(at).collect(),
            most: P::MAX_SCORE.value().min(Score::MAX_EVAL.value()),
        }
    }

    /// The points of log odds, which are in 1/[`UNIT`].
    #[inline]
    pub(super) fn points(&self, odds: i32) -> Score {
        const STEP: i32 = UNIT / STEPS;
        let below = odds.div_euclid(STEP).clamp(-REACH, REACH - 1);
        let index = (below + REACH) as usize;
        let (low, high) = (self.points[index], self.points[index + 1]);
        let beyond = i64::from(odds) - i64::from(below * STEP);
        let points = i64::from(low) + i64::from(high - low) * beyond / i64::from(STEP);
        let most = i64::from(self.most);
        Score::points(points.clamp(-most, most) as i32)
    }
}

/// The log odds of the value of an evaluator; `None` where it is nearly certain, as after a forced
/// win: there is nothing to learn there.
#[inline]
pub fn log_odds<P: Position>(evaluator: &mut impl Evaluator<P>, position: &P) -> Option<f32> {
    let score = evaluator.evaluate(position);
    odds_of(evaluator.probability(score))
}

/// The log odds of a probability, unless it is nearly certain.
#[inline]
pub(super) fn odds_of(chance: f32) -> Option<f32> {
    let is_open = (LEAST..=1.0 - LEAST).contains(&chance);
    is_open.then(|| ln(chance / (1.0 - chance)))
}

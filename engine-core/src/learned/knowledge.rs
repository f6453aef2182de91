//! An evaluator that is made by hand, learned, or both.

use std::sync::Arc;

use super::features::{MoveFeatures, NoFeatures};
use super::inputs::Inputs;
use super::model::UNIT;
use super::policy::Policy;
use super::scale::{Scale, odds_of};
use super::sums::Sums;
use super::weights::Weights;
use crate::evaluate::{Candidates, Evaluator};
use crate::position::Position;
use crate::score::Score;

/// The evaluator of a player: the one made by hand, or learned weights beside it.
///
/// Learned weights replace its value or are added to it. A learned policy chooses among its
/// candidates, and gives moves their priors. Quiet positions and the scale of points are always those made by hand.
pub struct Knowledge<E, I, F = NoFeatures> {
    made: E,
    learned: Option<Learned<I>>,
    policy: Option<Policy<F>>,
}

struct Learned<I> {
    sums: Sums<I>,
    scale: Scale,
}

impl<E, I, F> Knowledge<E, I, F> {
    /// An evaluator for positions of the same variant as `position`. Weights for other inputs, or
    /// for another number of inputs, which belong to another variant, are left out.
    pub fn new<P: Position>(
        made: E,
        position: &P,
        weights: Option<&Arc<Weights>>,
    ) -> Knowledge<E, I, F>
    where
        E: Evaluator<P>,
        I: Inputs<P>,
    {
        let inputs = I::of(position);
        let fit = |weights: &&Arc<Weights>| {
            weights.inputs == I::NAME && weights.model.shape().inputs == inputs.count()
        };
        let learned = weights.filter(fit).cloned().map(|weights| Learned {
            scale: Scale::new(&made),
            sums: Sums::new(weights, inputs),
        });
        Knowledge {
            made,
            learned,
            policy: None,
        }
    }

    /// The same with a policy for positions of the same variant as `position`. One that is learned
    /// for other features is left out.
    pub fn with_policy<P: Position>(self, position: &P, weights: Option<&Arc<Weights>>) -> Self
    where
        F: MoveFeatures<P>,
    {
        let policy = weights.and_then(|weights| Policy::new(position, weights));
        Knowledge { policy, ..self }
    }

    /// The evaluator made by hand.
    pub fn made(&mut self) -> &mut E {
        &mut self.made
    }

    /// Whether learned weights are used.
    pub fn is_learned(&self) -> bool {
        self.learned.is_some()
    }
}

impl<P, E, I, F> Evaluator<P> for Knowledge<E, I, F>
where
    P: Position,
    E: Evaluator<P>,
    I: Inputs<P>,
    F: MoveFeatures<P>,
{
    fn reset(&mut self, root: &P) {
        self.made.reset(root);
        if let Some(learned) = &mut self.learned {
            learned.sums.reset(root);
        }
    }

    #[inline]
    fn push(&mut self, before: &P, mv: P::Move) {
        self.made.push(before, mv);
        if let Some(learned) = &mut self.learned {
            learned.sums.push(before, mv);
        }
    }

    #[inline]
    fn pop(&mut self) {
        self.made.pop();
        if let Some(learned) = &mut self.learned {
            learned.sums.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &P) -> Score {
        let Some(learned) = &mut self.learned else {
            return self.made.evaluate(position);
        };
        let mut odds = 0;
        if learned.sums.weights().corrects {
            let made = self.made.evaluate(position);
            // What is certain, such as a forced win, needs no correction.
            let Some(log_odds) = odds_of(self.made.probability(made)) else {
                return made;
            };
            odds = (log_odds * UNIT as f32) as i32;
        }
        learned.scale.points(odds + learned.sums.value(position))
    }

    #[inline]
    fn lower_bound(&mut self, position: &P, enough: Score) -> Option<Score> {
        match self.learned {
            None => self.made.lower_bound(position, enough),
            Some(_) => None,
        }
    }

    #[inline]
    fn is_quiet(&mut self, position: &P) -> bool {
        self.made.is_quiet(position)
    }

    #[inline]
    fn candidates(&mut self, position: &P, limit: usize, out: &mut Vec<P::Move>) -> Candidates {
        match &mut self.policy {
            Some(policy) => policy.candidates(&mut self.made, position, limit, out),
            None => self.made.candidates(position, limit, out),
        }
    }

    fn priors(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<f32>) -> bool {
        match &mut self.policy {
            Some(policy) => {
                policy.priors(position, moves, out);
                true
            }
            None => self.made.priors(position, moves, out),
        }
    }

    #[inline]
    fn probability(&self, score: Score) -> f32 {
        self.made.probability(score)
    }

    fn score_of(&self, probability: f32) -> Score {
        self.made.score_of(probability)
    }
}

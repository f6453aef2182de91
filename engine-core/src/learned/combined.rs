//! An evaluator that is made by hand, learned, or both.

use std::sync::Arc;

use super::features::MoveFeatures;
use super::inputs::Inputs;
use super::model::UNIT;
use super::policy::Policy;
use super::scale::{Scale, odds_of};
use super::sums::Sums;
use super::weights::Weights;
use crate::convolution::{Network, NetworkInference, View};
use crate::evaluate::{Candidates, Evaluator};
use crate::limits::Limits;
use crate::position::Position;
use crate::score::Score;

/// The evaluator of a player: the one made by hand, or learned weights beside it.
///
/// Learned weights replace its value or are added to it. A learned policy chooses among its
/// candidates, and gives moves their priors. A network gives both the value and the priors. Exact
/// values, quiet positions and the scale of points are always those made by hand.
pub struct CombinedEvaluator<E, I, F = (), V = ()> {
    made: E,
    learned: Option<Learned<I>>,
    policy: Option<Policy<F>>,
    network: Option<Seeing<V>>,
}

struct Seeing<V> {
    inference: NetworkInference<V>,
    scale: Scale,
}

struct Learned<I> {
    sums: Sums<I>,
    scale: Scale,
}

impl<E, I, F, V> CombinedEvaluator<E, I, F, V> {
    /// An evaluator for positions of the same variant as `position`. Weights for other inputs, or
    /// for another number of inputs, which belong to another variant, are left out.
    pub fn new<P: Position>(
        made: E,
        position: &P,
        weights: Option<&Arc<Weights>>,
    ) -> CombinedEvaluator<E, I, F, V>
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
        CombinedEvaluator {
            made,
            learned,
            policy: None,
            network: None,
        }
    }

    /// The same with a policy for positions of the same variant as `position`. One that is learned
    /// for other features is left out.
    pub fn with_policy<P: Position>(self, position: &P, weights: Option<&Arc<Weights>>) -> Self
    where
        F: MoveFeatures<P>,
    {
        let policy = weights.and_then(|weights| Policy::new(position, weights));
        CombinedEvaluator { policy, ..self }
    }

    /// The same with a network for positions of the same variant as `position`. One that does not fit
    /// is left out, as by [`NetworkInference::new`].
    pub fn with_network<P: Position>(self, position: &P, network: Option<&Arc<Network>>) -> Self
    where
        E: Evaluator<P>,
        V: View<P>,
    {
        let inference = network.and_then(|network| NetworkInference::new(position, network));
        let network = inference.map(|inference| Seeing {
            inference,
            scale: Scale::new(&self.made),
        });
        CombinedEvaluator { network, ..self }
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

impl<P, E, I, F, V> Evaluator<P> for CombinedEvaluator<E, I, F, V>
where
    P: Position,
    E: Evaluator<P>,
    I: Inputs<P>,
    F: MoveFeatures<P>,
    V: View<P>,
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
    fn exact(&self, position: &P) -> Option<Score> {
        self.made.exact(position)
    }

    #[inline]
    fn evaluate(&mut self, position: &P) -> Score {
        if let Some(score) = self.made.exact(position) {
            return score;
        }
        if let Some(Seeing { inference, scale }) = &mut self.network {
            return scale.points((inference.value(position) * UNIT as f32) as i32);
        }
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
        match (&self.learned, &self.network) {
            (None, None) => self.made.lower_bound(position, enough),
            _ => None,
        }
    }

    #[inline]
    fn is_quiet(&mut self, position: &P) -> bool {
        self.made.is_quiet(position)
    }

    fn forget(&mut self) {
        self.made.forget();
    }

    fn win(&mut self, position: &P, nodes: u64, limits: &Limits, spent: &mut u64) -> Option<u32> {
        self.made.win(position, nodes, limits, spent)
    }

    #[inline]
    fn candidates(&mut self, position: &P, limit: usize, out: &mut Vec<P::Move>) -> Candidates {
        match &mut self.policy {
            Some(policy) => policy.candidates(&mut self.made, position, limit, out),
            None => self.made.candidates(position, limit, out),
        }
    }

    fn priors(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<f32>) -> bool {
        if let Some(Seeing { inference, .. }) = &mut self.network {
            inference.priors(position, moves, out);
            return true;
        }
        match &mut self.policy {
            Some(policy) => {
                policy.priors(position, moves, out);
                true
            }
            None => self.made.priors(position, moves, out),
        }
    }

    fn replaces_playouts(&self) -> bool {
        self.network.is_some()
    }

    #[inline]
    fn probability(&self, score: Score) -> f32 {
        self.made.probability(score)
    }

    fn score_of(&self, probability: f32) -> Score {
        self.made.score_of(probability)
    }

    fn possible(&self, position: &P, score: Score) -> Score {
        self.made.possible(position, score)
    }
}

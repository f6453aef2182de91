//! A learned policy: which moves of a position are worth a search.

use std::cmp::Reverse;
use std::sync::Arc;

use super::chosen::Chosen;
use super::features::MoveFeatures;
use super::model::{Model, UNIT};
use super::weights::Weights;
use crate::evaluate::{Candidates, Evaluator};
use crate::position::{Move, Position};
use crate::real::exp;

/// A policy chooses among so many times as many moves as are asked for, if the evaluator made by
/// hand selects them.
const WIDER: usize = 4;

/// Writes the moves among which a policy chooses at most `limit` to `out`: all, or the best that
/// `made` selects. If `made` lists candidates that are complete, there is nothing to choose.
pub fn offered<P: Position>(
    made: &mut impl Evaluator<P>,
    position: &P,
    limit: usize,
    out: &mut Vec<P::Move>,
) -> Candidates {
    let listed = made.candidates(position, limit.saturating_mul(WIDER), out);
    if listed == Candidates::All {
        out.clear();
        (0..P::STAGES).for_each(|stage| position.generate(stage, out));
    }
    listed
}

/// Learned strengths of features, and the moves that they make strongest.
pub struct Policy<F> {
    weights: Arc<Weights>,
    features: F,
    /// Moves by strength, then by place, with their bits.
    ranked: Vec<(Reverse<i32>, u32, u32)>,
    chosen: Chosen,
}

impl<F> Policy<F> {
    /// A policy for positions of the same variant as `position`; `None` if the weights are for
    /// other features, or no sum.
    pub fn new<P: Position>(position: &P, weights: &Arc<Weights>) -> Option<Policy<F>>
    where
        F: MoveFeatures<P>,
    {
        let features = F::of(position);
        let count: u32 = features.groups().iter().sum();
        let shape = weights.model.shape();
        let fits = weights.inputs == F::NAME && (shape.inputs, shape.hidden) == (count as usize, 0);
        fits.then(|| Policy {
            weights: weights.clone(),
            features,
            ranked: Vec::new(),
            chosen: Chosen::default(),
        })
    }

    /// As [`Evaluator::candidates`]: the strongest of all moves, or of those that `made` selects. A
    /// list that `made` knows to be complete stays as it is.
    pub fn candidates<P: Position>(
        &mut self,
        made: &mut impl Evaluator<P>,
        position: &P,
        limit: usize,
        out: &mut Vec<P::Move>,
    ) -> Candidates
    where
        F: MoveFeatures<P>,
    {
        let limit = limit.max(1);
        if let Some(bits) = self.chosen.get(position.key(), limit) {
            out.clear();
            out.extend(bits.iter().map(|&bits| P::Move::from_bits(bits)));
            return Candidates::Selected;
        }
        let listed = offered(made, position, limit, out);
        if listed == Candidates::Complete {
            return listed;
        }
        let narrows = out.len() > limit || listed == Candidates::Selected;
        self.sort(position, limit, out);
        if !narrows {
            return Candidates::Complete;
        }
        let bits = out.iter().map(|mv| mv.to_bits());
        self.chosen.set(position.key(), limit, bits);
        Candidates::Selected
    }

    /// As [`Evaluator::priors`]: the chances of the moves by Bradley and Terry's model, in which a
    /// move wins in proportion to e to the power of its strength.
    pub fn priors<P: Position>(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<f32>)
    where
        F: MoveFeatures<P>,
    {
        self.rank(position, moves);
        let strongest = self.ranked.iter().map(|&(Reverse(strength), ..)| strength);
        let strongest = strongest.max().unwrap_or_default();
        out.clear();
        out.extend(
            (self.ranked.iter())
                .map(|&(Reverse(strength), ..)| exp((strength - strongest) as f32 / UNIT as f32)),
        );
        let sum: f32 = out.iter().sum();
        out.iter_mut().for_each(|chance| *chance /= sum);
    }

    /// Writes the strengths of these moves to `ranked`, in their order.
    fn rank<P: Position>(&mut self, position: &P, moves: &[P::Move])
    where
        F: MoveFeatures<P>,
    {
        let Model::Sum { weights, .. } = &self.weights.model else {
            return;
        };
        self.features.see(position);
        self.ranked.clear();
        for (place, mv) in (0..).zip(moves) {
            let mut strength = 0;
            (self.features).each(position, *mv, |feature| {
                strength += i32::from(weights[feature as usize]);
            });
            self.ranked.push((Reverse(strength), place, mv.to_bits()));
        }
    }

    /// Sorts the strongest `limit` moves, strongest first, and drops the others. Moves of equal
    /// strength keep their order.
    fn sort<P: Position>(&mut self, position: &P, limit: usize, moves: &mut Vec<P::Move>)
    where
        F: MoveFeatures<P>,
    {
        self.rank(position, moves);
        let mut best = &mut self.ranked[..];
        if best.len() > limit {
            best = best.select_nth_unstable(limit).0;
        }
        best.sort_unstable();
        moves.clear();
        moves.extend(best.iter().map(|&(_, _, bits)| P::Move::from_bits(bits)));
    }
}

//! The covariance of all parameters where the likelihood is greatest: entry by entry, as no table
//! shows the n² entries of n players.
//!
//! Strengths are relative to the mean of their group. The factors are those of the curvature in which
//! one player of each group is fixed at 0; with K, the covariance relative to these players, that of
//! strengths relative to means is P·K·P, where P subtracts the mean.
//!
//! With pairs, K = M + M·B·M (see `cluster`). This is how the inverse M of the curvature changes with
//! the curvature in the direction -B, so it is as sparse to compute as M itself.

use std::sync::Arc;

use nalgebra::DVector;

use super::likelihood::{Likelihood, Maximum};
use super::sparse::{Change, Factor, Inverse, Matrix, Order, Pattern};
use super::{Pairing, cluster};

/// The covariance matrix of the parameters.
#[derive(Clone, Debug)]
pub(super) struct Covariance {
    pattern: Pattern,
    factor: Factor,
    /// K at the places of the factors.
    known: Inverse,
    /// B; `None` without pairs.
    excess: Option<Matrix>,
    /// The variance of each strength relative to the mean of its group.
    strengths: Vec<f64>,
    advantage: usize,
}

impl Covariance {
    /// The covariance at the maximum of a likelihood; `None` if there is no maximum, or if a variance
    /// of independent games is above `most`.
    pub(super) fn of(
        likelihood: &Likelihood,
        Maximum {
            values,
            derivatives,
        }: &Maximum,
        pairs: &[Pairing],
        with_advantage: bool,
        most: f64,
    ) -> Option<Covariance> {
        let pattern = pattern(likelihood, pairs);
        let fixed = likelihood.fixed();
        let order = Arc::new(Order::new(&pattern, &fixed));
        let curvature = derivatives.curvature.within(&likelihood.pattern, &pattern);
        let factor = Factor::of(&order, &curvature)?;
        let mut covariance = Covariance {
            known: Inverse::of(&factor),
            pattern,
            factor,
            excess: None,
            strengths: Vec::new(),
            advantage: likelihood.advantage(),
        };
        covariance.strengths = covariance.relative_to_means(&likelihood.groups);
        if covariance.greatest(likelihood) > most {
            return None;
        }
        let unused = || likelihood.extras(with_advantage);
        let free = likelihood.size() - unused().count() - likelihood.groups.len();
        let excess = cluster::excess(likelihood, &covariance.pattern, values, pairs, free);
        if let Some(mut excess) = excess {
            unused().for_each(|extra| excess.clear(extra, 0.0));
            covariance.add(excess);
            covariance.strengths = covariance.relative_to_means(&likelihood.groups);
        }
        Some(covariance)
    }

    /// Adds M·B·M.
    fn add(&mut self, excess: Matrix) {
        // M·B·M is the change of the inverse against that of the matrix.
        let change = Change::of(&self.factor, &excess.negative());
        let moved = self.known.change(&self.factor, &change);
        self.known = self.known.clone().plus(&moved);
        self.excess = Some(excess);
    }

    /// The greatest variance of a parameter, as if the mean of a group had one observation.
    fn greatest(&self, likelihood: &Likelihood) -> f64 {
        let extras = likelihood.players..likelihood.size();
        let extras = extras.map(|extra| self.known.entry(extra, extra).unwrap_or(0.0));
        let strengths = likelihood.groups.iter().flat_map(|group| {
            let mean = 1.0 / (group.len() * group.len()) as f64;
            group
                .iter()
                .map(move |&player| self.strengths[player] + mean)
        });
        extras.chain(strengths).fold(0.0, f64::max)
    }

    /// The variances of all strengths relative to the means of their groups.
    fn relative_to_means(&self, groups: &[Vec<usize>]) -> Vec<f64> {
        let mut variances = vec![0.0; self.advantage];
        for group in groups.iter().filter(|group| group.len() > 1) {
            let mut mean = DVector::zeros(self.pattern.size());
            let share = 1.0 / group.len() as f64;
            group.iter().for_each(|&player| mean[player] = share);
            let with_mean = self.times(&mean);
            let of_mean = mean.dot(&with_mean);
            for &player in group {
                let own = self.known.entry(player, player).unwrap_or(0.0);
                variances[player] = own - 2.0 * with_mean[player] + of_mean;
            }
        }
        variances
    }

    /// The product of K with a vector.
    fn times(&self, vector: &DVector<f64>) -> DVector<f64> {
        let product = self.factor.solve(vector);
        match &self.excess {
            Some(excess) => {
                let moved = excess.times(&self.pattern, &product);
                product + self.factor.solve(&moved)
            }
            None => product,
        }
    }

    /// The variance of a strength relative to the mean of its group.
    pub(super) fn strength(&self, player: usize) -> f64 {
        self.strengths[player].max(0.0)
    }

    /// The variance of the difference of two strengths.
    pub(super) fn difference(&self, one: usize, other: usize) -> f64 {
        let entry = |one, other| self.known.entry(one, other);
        let entries = [entry(one, one), entry(other, other), entry(one, other)];
        let variance = match entries {
            [Some(one), Some(other), Some(both)] => one + other - 2.0 * both,
            _ => {
                let mut difference = DVector::zeros(self.pattern.size());
                difference[one] += 1.0;
                difference[other] -= 1.0;
                difference.dot(&self.times(&difference))
            }
        };
        variance.max(0.0)
    }

    /// The variance of the first-side advantage.
    pub(super) fn advantage(&self) -> f64 {
        let entry = self.known.entry(self.advantage, self.advantage);
        entry.unwrap_or(0.0).max(0.0)
    }
}

/// The players whose covariance is wanted: those who have met, and neighbours in a table.
fn pattern(likelihood: &Likelihood, pairs: &[Pairing]) -> Pattern {
    let met = likelihood.pattern.links.iter().copied();
    let paired = (pairs.iter()).map(|pair| likelihood.strengths([pair.first, pair.second]));
    let neighbours = likelihood.groups.iter().flat_map(|group| {
        let next = group.windows(2).map(|pair| [pair[0], pair[1]]);
        next.filter(|[one, other]| one + 1 == *other)
    });
    Pattern::new(likelihood.players, met.chain(paired).chain(neighbours))
}

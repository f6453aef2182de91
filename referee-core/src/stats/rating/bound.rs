//! One-sided bounds of what has no finite maximum-likelihood estimate, by profile likelihood.
//!
//! If one group of players won every game against another, the likelihood rises for ever with the
//! difference of their strengths: the data are separated (Albert and Anderson 1984). The difference
//! may be any large one, but not a small one: it is at least the one at which the likelihood,
//! maximized over all other parameters, has fallen to [`LIKELIHOOD_AT_BOUND`] of its supremum.

use std::cell::OnceCell;

use nalgebra::DVector;

use super::likelihood::{Likelihood, Maximum};
use crate::stats::LIKELIHOOD_AT_BOUND;

/// A bound on a linear combination of parameters, in log strengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    Above(f64),
    Below(f64),
}

/// The profile likelihood of all games.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    likelihood: Likelihood,
    /// Whether the model has a first-side advantage.
    advantage: bool,
    /// Where it is greatest, without and with advantage.
    greatest: [OnceCell<Option<Greatest>>; 2],
}

/// The greatest likelihood.
#[derive(Clone, Debug)]
struct Greatest {
    values: DVector<f64>,
    /// The negative log-likelihood.
    value: f64,
}

/// Where the search for a bound begins, in log strengths from 0: most bounds are nearer than the
/// first, and what has none nearer than the last has none.
const FAR: [f64; 2] = [6.0, 40.0];

impl Profile {
    pub(super) fn new(likelihood: Likelihood, advantage: bool) -> Profile {
        Profile {
            likelihood: likelihood.bounded(),
            advantage,
            greatest: Default::default(),
        }
    }

    /// The bound on the first-side advantage.
    pub(super) fn advantage(&self) -> Option<Bound> {
        let mut direction = DVector::zeros(self.likelihood.size());
        direction[self.likelihood.advantage()] = 1.0;
        self.with(self.advantage, &direction)
            .filter(|_| self.advantage)
    }

    /// The bound on the sum of strengths with these coefficients, which add up to 0.
    ///
    /// If the advantage may be any, the games may say nothing: whoever won may have done so as the
    /// first side. Then there is no advantage, as in the estimates.
    pub(super) fn strengths(&self, coefficients: impl Fn(usize) -> f64) -> Option<Bound> {
        let mut direction = DVector::zeros(self.likelihood.size());
        (0..self.likelihood.players).for_each(|player| direction[player] = coefficients(player));
        (self.with(self.advantage, &direction))
            .or_else(|| self.with(false, &direction).filter(|_| self.advantage))
    }

    fn with(&self, advantage: bool, direction: &DVector<f64>) -> Option<Bound> {
        let Greatest { values, value } = self.greatest[usize::from(advantage)]
            .get_or_init(|| {
                let start = DVector::zeros(self.likelihood.size());
                let found = self.likelihood.maximize(start, advantage, None)?;
                Some(Greatest {
                    values: found.values,
                    value: found.derivatives.value,
                })
            })
            .as_ref()?;
        let line = Line {
            likelihood: &self.likelihood,
            advantage,
            direction,
            values,
            limit: value - LIKELIHOOD_AT_BOUND.ln(),
        };
        let above = || line.bound(-1.0).map(Bound::Above);
        let below = || line.bound(1.0).map(Bound::Below);
        // Where the likelihood is greatest, a combination without upper bound is far above 0: this
        // only saves a search.
        match direction.dot(values) > 0.0 {
            true => above().or_else(below),
            false => below().or_else(above),
        }
    }
}

/// The profile likelihood of one combination of parameters.
struct Line<'p> {
    likelihood: &'p Likelihood,
    advantage: bool,
    direction: &'p DVector<f64>,
    /// Where the likelihood is greatest.
    values: &'p DVector<f64>,
    /// The negative log-likelihood at a bound.
    limit: f64,
}

impl Line<'_> {
    /// The bound below 0, if `side` is -1, or above it. `None` if the likelihood is still too great far
    /// away.
    ///
    /// The profile of a concave function is concave, so that Newton's method comes from outside,
    /// never passes the bound, and ends there.
    fn bound(&self, side: f64) -> Option<f64> {
        const STEPS: usize = 100;
        const TOLERANCE: f64 = 1e-6;
        // At a maximum, the gradient is a multiple of the direction.
        let slope = |found: &Maximum| {
            self.direction.dot(&found.derivatives.gradient) / self.direction.norm_squared()
        };
        let outside =
            |found: &Maximum| found.derivatives.value > self.limit && side * slope(found) > 0.0;
        let mut starts = FAR.into_iter().map(|far| side * far);
        let (mut at, mut found) = starts.find_map(|at| {
            let found = self.greatest_at(self.values, at)?;
            outside(&found).then_some((at, found))
        })?;
        for _ in 0..STEPS {
            let step = (found.derivatives.value - self.limit) / slope(&found);
            at -= step;
            if step.abs() < TOLERANCE {
                break;
            }
            found = self.greatest_at(&found.values, at)?;
        }
        at.is_finite().then_some(at)
    }

    /// The greatest likelihood where the combination has this value.
    fn greatest_at(&self, near: &DVector<f64>, at: f64) -> Option<Maximum> {
        let missing = at - self.direction.dot(near);
        let start = near + self.direction * (missing / self.direction.norm_squared());
        (self.likelihood).maximize(start, self.advantage, Some(self.direction))
    }
}

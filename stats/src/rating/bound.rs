//! One-sided bounds of what has no finite maximum-likelihood estimate, by profile likelihood.
//!
//! If one group of players won every game against another, the likelihood rises for ever with the
//! difference of their strengths: the data are separated (Albert and Anderson 1984). The difference
//! may be any large one, but not a small one: it is at least the one at which the likelihood,
//! maximized over all other parameters, has fallen to [`LIKELIHOOD_AT_BOUND`] of its supremum.
//!
//! `interval` finds most bounds. The method here takes all games at once; it is for leagues whose groups
//! leave the advantage open.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use nalgebra::DVector;

use super::interval::Anchored;
use super::likelihood::{Likelihood, Maximum};
use super::reach::Reach;
use crate::LIKELIHOOD_AT_BOUND;

/// A bound on a linear combination of parameters, in log strengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    Above(f64),
    Below(f64),
}

impl Bound {
    /// The bound on the combination with all signs changed.
    fn reversed(self) -> Bound {
        match self {
            Bound::Above(value) => Bound::Below(-value),
            Bound::Below(value) => Bound::Above(-value),
        }
    }
}

/// On which side of a combination a bound is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

impl Side {
    /// The sign of values beyond the bound.
    pub(super) fn sign(self) -> f64 {
        match self {
            Side::Above => -1.0,
            Side::Below => 1.0,
        }
    }

    fn bound(self, value: f64) -> Bound {
        match self {
            Side::Above => Bound::Above(value),
            Side::Below => Bound::Below(value),
        }
    }
}

/// The profile likelihood of all games.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    likelihood: Likelihood,
    /// Whether the model has a first-side advantage.
    advantage: bool,
    /// Who is above whom.
    reach: Reach,
    /// The games within groups, if they tell the advantage from strength.
    anchored: Option<Anchored>,
    /// Where it is greatest, without and with advantage.
    greatest: [OnceCell<Option<Greatest>>; 2],
    /// The bounds on differences of two players that have been found, the smaller index first.
    differences: RefCell<HashMap<[usize; 2], Option<Bound>>>,
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
    /// The profile of all games; `groups` are those of the players, in which differences are finite.
    pub(super) fn new(likelihood: Likelihood, advantage: bool) -> Profile {
        let groups = &likelihood.groups;
        Profile {
            reach: Reach::new(groups, &likelihood),
            anchored: Anchored::new(&likelihood, advantage),
            likelihood: likelihood.bounded(),
            advantage,
            greatest: Default::default(),
            differences: RefCell::default(),
        }
    }

    /// The same by a slower method, which takes all games at once.
    #[cfg(test)]
    pub(super) fn of_all_games(&self) -> Profile {
        Profile {
            anchored: None,
            differences: RefCell::default(),
            ..self.clone()
        }
    }

    /// The bound on the first-side advantage.
    pub(super) fn advantage(&self) -> Option<Bound> {
        let mut direction = DVector::zeros(self.likelihood.size());
        direction[self.likelihood.advantage()] = 1.0;
        let bound = |side| self.with(self.advantage, &direction, side);
        let found = bound(Side::Above).or_else(|| bound(Side::Below));
        found.filter(|_| self.advantage)
    }

    /// The bound on the difference of two players of different groups.
    pub(super) fn difference(&self, one: usize, other: usize) -> Option<Bound> {
        if one > other {
            return self.difference(other, one).map(Bound::reversed);
        }
        let known = self.differences.borrow().get(&[one, other]).copied();
        known.unwrap_or_else(|| {
            let found = self.above_mean(one, &[other]);
            self.differences.borrow_mut().insert([one, other], found);
            found
        })
    }

    /// The bound on the difference between a player and the mean of others.
    ///
    /// If the advantage may be any, the games may say nothing: whoever won may have done so as the
    /// first side. Then there is no advantage, as in the estimates.
    pub(super) fn above_mean(&self, player: usize, others: &[usize]) -> Option<Bound> {
        let side = self.reach.side(player, others)?;
        let mut direction = DVector::zeros(self.likelihood.size());
        let share = 1.0 / others.len() as f64;
        others.iter().for_each(|&other| direction[other] -= share);
        direction[player] += 1.0;
        if let (Some(anchored), Some(between)) =
            (&self.anchored, self.reach.between(player, others))
            && let Some(bound) = anchored.bound(player, &direction, &between, side.sign())
        {
            return Some(side.bound(bound));
        }
        (self.with(self.advantage, &direction, side)).or_else(|| {
            self.with(false, &direction, side)
                .filter(|_| self.advantage)
        })
    }

    fn with(&self, advantage: bool, direction: &DVector<f64>, side: Side) -> Option<Bound> {
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
        line.bound(side.sign()).map(|value| side.bound(value))
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

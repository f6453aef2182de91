//! Bounds on players who are above or below a group, where the games within groups tell the advantage
//! from strength.
//!
//! Then only the groups between the two count (see `reach`): all others may be so far away that their
//! games are certain. What is left has a finite maximum once the difference is given, so that Newton's
//! method finds the bound from far outside. Every step solves linear equations that differ from those
//! of the groups alone by a few games: preconditioned with the factors of the groups, conjugate
//! gradients need a few iterations (Hestenes and Stiefel 1952).

use nalgebra::DVector;

use super::likelihood::{Derivatives, Likelihood};
use super::reach::Between;
use super::sparse::Factor;
use super::{MAX_DEVIATION, MAX_LOG_RATIO, group_of};
use crate::LIKELIHOOD_AT_BOUND;

/// The games within groups, at their maximum, and those between groups.
#[derive(Clone, Debug)]
pub(super) struct Anchored {
    within: Likelihood,
    between: Likelihood,
    group_of: Vec<usize>,
    advantage: bool,
    /// Where the likelihood of the games within groups is greatest.
    values: DVector<f64>,
    /// The negative log-likelihood there.
    value: f64,
    /// The factors of its curvature.
    factor: Factor,
}

/// Where the search for a bound begins, in log strengths from 0: at the first of these that is beyond
/// it. Far beyond it all results are so unlikely that the second derivatives say little.
const START: [f64; 5] = [6.0, 10.0, 16.0, 25.0, 40.0];

/// How accurate solutions of linear equations are far away, and in the end.
const ROUGH: f64 = 1e-3;
const FINE: f64 = 1e-7;

/// A step of Newton's method goes no farther in any parameter.
const LONGEST: f64 = 4.0;

impl Anchored {
    /// `None` if the games within groups leave the advantage or the draw parameter open.
    pub(super) fn new(likelihood: &Likelihood, advantage: bool) -> Option<Anchored> {
        let group_of = group_of(likelihood.players, &likelihood.groups);
        let is_within = |[one, other]: [usize; 2]| group_of[one] == group_of[other];
        let within = likelihood.only(is_within);
        let between = likelihood.only(|players| !is_within(players));
        let start = DVector::zeros(likelihood.size());
        let found = within.maximize(start, advantage, None)?;
        let factor = within.factor(&found.derivatives.curvature)?;
        for extra in likelihood.players..likelihood.size() {
            let mut unit = DVector::zeros(likelihood.size());
            unit[extra] = 1.0;
            let deviation = factor.solve(&unit)[extra].sqrt();
            let value = found.values[extra].abs();
            if !(value <= MAX_LOG_RATIO && deviation <= MAX_DEVIATION) {
                return None;
            }
        }
        Some(Anchored {
            within,
            between,
            group_of,
            advantage,
            value: found.derivatives.value,
            values: found.values,
            factor,
        })
    }

    /// The value of a combination of strengths of the groups in between at its bound: below its
    /// estimate, if `side` is -1, or above it. `player` is the one outside of the group. `None` if the
    /// search fails.
    pub(super) fn bound(
        &self,
        player: usize,
        direction: &DVector<f64>,
        between: &Between,
        side: f64,
    ) -> Option<f64> {
        let counts = |players: [usize; 2]| {
            players
                .iter()
                .all(|&player| between.groups[self.group_of[player]])
        };
        let search = Search {
            all: self,
            between: self.between.only(counts),
            groups: (0..self.within.groups.len())
                .filter(|&group| between.groups[group])
                .collect(),
            direction,
            limit: self.value - LIKELIHOOD_AT_BOUND.ln(),
        };
        let group = self.group_of[player];
        START.iter().find_map(|far| {
            let mut start = self.values.clone();
            let missing = side * far - direction.dot(&start);
            let group = &self.within.groups[group];
            group.iter().for_each(|&player| start[player] += missing);
            search.bound(start, side)
        })
    }
}

/// The search for one bound.
struct Search<'a> {
    all: &'a Anchored,
    /// The games between the groups that count.
    between: Likelihood,
    /// These groups.
    groups: Vec<usize>,
    direction: &'a DVector<f64>,
    /// The negative log-likelihood at the bound.
    limit: f64,
}

/// A point of the search, with the derivatives of both parts of the games.
struct Point {
    values: DVector<f64>,
    value: f64,
    gradient: DVector<f64>,
    within: Derivatives,
    between: Derivatives,
    /// The information that the games between groups have of each of `Search::groups`.
    weights: Vec<f64>,
}

/// What Newton's method says at a point.
struct Newton {
    /// How all parameters move with the combination.
    along: DVector<f64>,
    /// The step to the maximum where the combination stays as it is, to be subtracted.
    step: DVector<f64>,
    /// The slope of the profile, and the inverse of its second derivative.
    slope: f64,
    stretch: f64,
}

impl Newton {
    /// How far the combination is beyond the bound if the profile is `gap` above the limit: by a
    /// parabola if it reaches the limit, or else by the tangent.
    fn distance(&self, gap: f64) -> f64 {
        let root = self.slope.powi(2) - 2.0 * gap / self.stretch;
        if root > 0.0 {
            2.0 * gap / (self.slope + root.sqrt().copysign(self.slope))
        } else {
            gap / self.slope
        }
    }
}

impl Search<'_> {
    /// The value of the combination at its bound, from a point outside. `None` if the start is not
    /// outside, or if there is no end.
    ///
    /// For each value of the combination, Newton's method improves the other parameters. As soon as
    /// what is left to gain is small, the value moves by Newton's method, too. The profile is convex,
    /// so that this comes from outside.
    fn bound(&self, start: DVector<f64>, side: f64) -> Option<f64> {
        const STEPS: usize = 200;
        const TOLERANCE: f64 = 1e-7;
        /// What may be left to gain, as a share of the distance from the limit.
        const SHARE: f64 = 0.1;
        /// Rounding hides what is less, as a share of the log-likelihood.
        const LEAST: f64 = 1e-12;
        let mut newton = Newton {
            along: DVector::zeros(start.len()),
            step: DVector::zeros(start.len()),
            slope: 0.0,
            stretch: 0.0,
        };
        let mut point = self.at(start);
        let (mut is_outside, mut accuracy) = (false, ROUGH);
        for _ in 0..STEPS {
            newton = self.newton(&point, newton, accuracy)?;
            let gain = point.gradient.dot(&newton.step);
            let gap = point.value - gain / 2.0 - self.limit;
            if gain > SHARE * gap.abs() && gain > LEAST * (1.0 + point.value) {
                point = self.improved(point, &newton.step);
                continue;
            }
            is_outside |= gap > 0.0 && side * newton.slope > 0.0;
            if !is_outside {
                return None;
            }
            let distance = newton.distance(gap);
            if distance.abs() < TOLERANCE {
                let at = self.direction.dot(&point.values) - distance;
                return at.is_finite().then_some(at);
            }
            accuracy = (ROUGH * distance.abs()).clamp(FINE, ROUGH);
            let moved = &newton.along * (distance / newton.stretch);
            let share = (LONGEST / moved.amax()).min(1.0);
            point = self.at(&point.values - &newton.step - moved * share);
        }
        None
    }

    /// Newton's method at a point, from what it was at the point before.
    fn newton(&self, point: &Point, before: Newton, accuracy: f64) -> Option<Newton> {
        let direction = self.direction;
        let unit = direction.dot(&self.precondition(point, direction));
        let along = self.solve(point, direction, before.along, accuracy.powi(2) * unit)?;
        let rest = &point.gradient - direction * before.slope;
        let size = rest.dot(&self.precondition(point, &rest));
        let enough = (accuracy.powi(2) * size).max(unit * (FINE * before.slope).powi(2));
        let step = self.solve(point, &rest, DVector::zeros(rest.len()), enough)?;
        let stretch = direction.dot(&along);
        let correction = direction.dot(&step) / stretch;
        Some(Newton {
            step: step - &along * correction,
            slope: before.slope + correction,
            stretch,
            along,
        })
    }

    /// The point after a step that keeps the value of the combination, or after a part of it.
    fn improved(&self, point: Point, step: &DVector<f64>) -> Point {
        const SMALLEST: f64 = 1e-10;
        let mut share = (LONGEST / step.amax()).min(1.0);
        loop {
            let next = self.at(&point.values - step * share);
            if next.value <= point.value || share < SMALLEST {
                return next;
            }
            share /= 2.0;
        }
    }

    fn at(&self, values: DVector<f64>) -> Point {
        let within = self.all.within.derivatives(&values, self.all.advantage);
        let between = self.between.derivatives(&values, self.all.advantage);
        let mut gradient = &within.gradient + &between.gradient;
        // Unused parameters stay as they are.
        for extra in self.all.within.extras(self.all.advantage) {
            gradient[self.all.within.players + extra] = 0.0;
        }
        let links = self.between.pattern.links.iter();
        let mut of_group = vec![0.0; self.all.within.groups.len()];
        for (players, value) in links.zip(&between.curvature.links) {
            players
                .iter()
                .for_each(|&player| of_group[self.all.group_of[player]] -= value);
        }
        Point {
            value: within.value + between.value,
            weights: self.groups.iter().map(|&group| of_group[group]).collect(),
            gradient,
            within,
            between,
            values,
        }
    }

    /// The product of the curvature at a point with a vector.
    fn times(&self, point: &Point, vector: &DVector<f64>) -> DVector<f64> {
        let within = (point.within.curvature).times(&self.all.within.pattern, vector);
        within + point.between.curvature.times(&self.between.pattern, vector)
    }

    /// About the solution: that of the groups alone, and how far each of them moves as a whole.
    fn precondition(&self, point: &Point, right: &DVector<f64>) -> DVector<f64> {
        let mut solution = self.all.within.solve_roughly(&self.all.factor, right);
        for (&group, weight) in self.groups.iter().zip(&point.weights) {
            let group = &self.all.within.groups[group];
            let sum: f64 = group.iter().map(|&player| right[player]).sum();
            group
                .iter()
                .for_each(|&player| solution[player] += sum / weight);
        }
        solution
    }

    /// Solves linear equations with the curvature at a point, by conjugate gradients from `start`, until
    /// the square of what is left, in the norm of the preconditioner, is `enough`.
    fn solve(
        &self,
        point: &Point,
        right: &DVector<f64>,
        start: DVector<f64>,
        enough: f64,
    ) -> Option<DVector<f64>> {
        const ITERATIONS: usize = 500;
        let mut solution = start;
        let mut rest = right - self.times(point, &solution);
        let mut better = self.precondition(point, &rest);
        let mut direction = better.clone();
        let mut size = rest.dot(&better);
        for _ in 0..ITERATIONS {
            if size <= enough {
                return Some(solution);
            }
            let product = self.times(point, &direction);
            let share = size / direction.dot(&product);
            solution += &direction * share;
            rest -= &product * share;
            better = self.precondition(point, &rest);
            let before = std::mem::replace(&mut size, rest.dot(&better));
            direction = &better + &direction * (size / before);
        }
        None
    }
}

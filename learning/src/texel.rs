//! Texel's tuning method (Österlund, 2014): logistic regression of the weights of an evaluation on
//! the results of games.
//!
//! The evaluation of a position, in log odds, is linear in the weights near those that it has:
//! `base + gradient · (weights − start)`. Times a scale, it is the log odds of winning. The scale is
//! fitted first, then the weights, by Newton's method on the cross-entropy with a penalty for
//! leaving the start.

use std::fmt;

use nalgebra::{DMatrix, DVector};

/// Positions with the results of their games.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The number of weights.
    weights: usize,
    /// The log odds of winning for the side to move, by the evaluation.
    base: Vec<f32>,
    /// By how much they change with one unit of each weight.
    gradients: Vec<f32>,
    /// The result for the side to move: 0, ½ or 1.
    results: Vec<f32>,
}

impl Samples {
    /// No positions, for this number of weights.
    pub fn new(weights: usize) -> Samples {
        Samples {
            weights,
            ..Samples::default()
        }
    }

    /// Adds a position: the log odds of winning for the side to move, their change with one unit of
    /// each weight, and the side's result, 0 to 1.
    ///
    /// # Panics
    /// If the gradient has another length than the weights.
    pub fn add(&mut self, base: f32, gradient: &[f32], result: f32) {
        assert_eq!(gradient.len(), self.weights, "one number for each weight");
        self.base.push(base);
        self.gradients.extend(gradient);
        self.results.push(result);
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.base.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty()
    }

    /// The gradient of a position.
    fn gradient(&self, index: usize) -> &[f32] {
        &self.gradients[index * self.weights..][..self.weights]
    }

    /// The mean cross-entropy of the results with the evaluation times `scale`, in nats, after
    /// `moves` of the weights.
    pub fn loss(&self, scale: f64, moves: &[f64]) -> f64 {
        let sum: f64 = (0..self.len())
            .map(|index| {
                let odds = scale * self.odds(index, moves);
                cross_entropy(odds, f64::from(self.results[index]))
            })
            .sum();
        sum / self.len() as f64
    }

    /// The log odds of a position after `moves` of the weights.
    fn odds(&self, index: usize, moves: &[f64]) -> f64 {
        let moved = self.gradient(index).iter().zip(moves);
        let change: f64 = moved.map(|(&slope, step)| f64::from(slope) * step).sum();
        f64::from(self.base[index]) + change
    }

    /// The scale at which the evaluation predicts the results best, from 1/1000 to 1000.
    ///
    /// # Errors
    /// There is no best one: no positions, or the results are not predicted at all or without a
    /// fault.
    pub fn scale(&self) -> Result<f64, TexelError> {
        let mut scale: f64 = 1.0;
        for _ in 0..MAX_STEPS {
            let (mut slope, mut curvature) = (0.0, 0.0);
            for (&base, &result) in self.base.iter().zip(&self.results) {
                let base = f64::from(base);
                let chance = logistic(scale * base);
                slope += (chance - f64::from(result)) * base;
                curvature += chance * (1.0 - chance) * base * base;
            }
            // Newton's step, at most a factor of 2.
            let next = (scale - slope / curvature).clamp(scale / 2.0, scale * 2.0);
            if next.is_nan() || !(1e-3..=1e3).contains(&next) {
                return Err(TexelError::Scale);
            }
            let done = (next - scale).abs() <= 1e-9 * scale;
            scale = next;
            if done {
                return Ok(scale);
            }
        }
        Ok(scale)
    }
}

/// Most steps of Newton's method; it needs about ten.
const MAX_STEPS: usize = 100;

/// The cross-entropy of a result with log odds, in nats.
fn cross_entropy(odds: f64, result: f64) -> f64 {
    // ln(1 + e^odds) − result · odds, without overflow.
    odds.max(0.0) + libm::log1p(libm::exp(-odds.abs())) - result * odds
}

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

/// Why weights cannot be fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TexelError {
    /// The evaluation has no scale that predicts the results best.
    Scale,
}

impl fmt::Display for TexelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TexelError::Scale => f.write_str(
                "the results say nothing about the scale of the evaluation, expected more games \
                 with wins of both sides",
            ),
        }
    }
}

impl std::error::Error for TexelError {}

/// The range of a weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// The weight at the start.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
}

/// Fits the weights: minimises the loss plus `penalty` times the sum of the squares of their moves,
/// each in units of its range. Weights stay in their ranges.
///
/// Returns the moves from the start.
pub fn fit(samples: &Samples, scale: f64, bounds: &[Bounds], penalty: f64) -> Vec<f64> {
    let goal = |moves: &[f64]| samples.loss(scale, moves) + penalty * distance(bounds, moves);
    let mut moves = vec![0.0; bounds.len()];
    let mut value = goal(&moves);
    for _ in 0..MAX_STEPS {
        let Some(step) = newton(samples, scale, bounds, penalty, &moves) else {
            return moves;
        };
        let mut better = None;
        let mut length = 1.0;
        while length > 1e-6 && better.is_none() {
            let tried = moved(bounds, &moves, &step, length);
            let tried_value = goal(&tried);
            better = (tried_value < value).then_some((tried, tried_value));
            length /= 2.0;
        }
        let Some((next, next_value)) = better else {
            return moves;
        };
        let gained = value - next_value;
        (moves, value) = (next, next_value);
        if gained < 1e-12 {
            return moves;
        }
    }
    moves
}

/// Half the squared distance from the start, in units of the ranges.
fn distance(bounds: &[Bounds], moves: &[f64]) -> f64 {
    let squares = bounds.iter().zip(moves).map(|(bounds, step)| {
        let share = step / (bounds.max - bounds.min);
        0.5 * share * share
    });
    squares.sum()
}

/// The moves after a step of this length, within the ranges.
fn moved(bounds: &[Bounds], moves: &[f64], step: &[f64], length: f64) -> Vec<f64> {
    let each = bounds.iter().zip(moves).zip(step);
    each.map(|((bounds, before), step)| {
        let value = bounds.start + before + length * step;
        value.clamp(bounds.min, bounds.max) - bounds.start
    })
    .collect()
}

/// Newton's step; weights that would leave their range stay. `None` if no weight can move.
fn newton(
    samples: &Samples,
    scale: f64,
    bounds: &[Bounds],
    penalty: f64,
    moves: &[f64],
) -> Option<Vec<f64>> {
    let count = bounds.len();
    let mut slope = DVector::zeros(count);
    let mut curvature = DMatrix::zeros(count, count);
    let weight = scale / samples.len() as f64;
    for index in 0..samples.len() {
        let chance = logistic(scale * samples.odds(index, moves));
        let error = weight * (chance - f64::from(samples.results[index]));
        let bend = weight * scale * chance * (1.0 - chance);
        let gradient = samples.gradient(index);
        for (row, &down) in gradient.iter().enumerate() {
            slope[row] += error * f64::from(down);
            let bend = bend * f64::from(down);
            for (column, &across) in gradient[..=row].iter().enumerate() {
                curvature[(row, column)] += bend * f64::from(across);
            }
        }
    }
    for row in 0..count {
        let range = bounds[row].max - bounds[row].min;
        let stiffness = penalty / (range * range);
        slope[row] += stiffness * moves[row];
        // A weight that no position depends on stays.
        curvature[(row, row)] += stiffness + 1e-12;
        for column in 0..row {
            curvature[(column, row)] = curvature[(row, column)];
        }
    }
    for row in 0..count {
        let value = bounds[row].start + moves[row];
        let stuck = (value <= bounds[row].min && slope[row] > 0.0)
            || (value >= bounds[row].max && slope[row] < 0.0);
        if stuck {
            slope[row] = 0.0;
            curvature.row_mut(row).fill(0.0);
            curvature.column_mut(row).fill(0.0);
            curvature[(row, row)] = 1.0;
        }
    }
    let step = curvature.cholesky()?.solve(&-slope);
    Some(step.iter().copied().collect())
}

//! Whether a part of the games, such as those of one host, fits the others: a score test (Rao 1948).
//!
//! At the parameters that fit all games best, the log-likelihood of a part has the gradient g. If the
//! part follows the same parameters, g is about normal with mean 0 and covariance
//! C = I − I · A⁻¹ · I, where I is the information of the part and A that of all games: the second
//! term is what the part itself has moved the fit. Then gᵀ · C⁻¹ · g follows χ². Only directions in
//! which the part says something count; their number is the degrees of freedom.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::likelihood::Likelihood;
use super::scale::Scale;
use super::{Encounter, Fit, group_of, groups};

/// The information that a direction needs: about that of eight even games of two players. With
/// less, g is not near a normal distribution.
const LEAST: f64 = 4.0;

/// A sum of squares of independent standard normal variables, if nothing but chance is at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ChiSquare {
    /// The sum.
    pub value: f64,
    /// The number of variables: the degrees of freedom.
    pub freedom: usize,
}

impl ChiSquare {
    /// The probability that chance alone makes it so large; `None` without degrees of freedom.
    pub fn probability(self) -> Option<f64> {
        let law = ChiSquared::new(self.freedom as f64).ok()?;
        Some(law.sf(self.value))
    }

    /// The sum of two independent ones.
    pub fn and(self, other: ChiSquare) -> ChiSquare {
        ChiSquare {
            value: self.value + other.value,
            freedom: self.freedom + other.freedom,
        }
    }
}

/// How well each part of the games of `players` players fits all parts together.
pub fn residuals(players: usize, parts: &[Vec<Encounter>]) -> Vec<ChiSquare> {
    let all = parts.concat();
    let scale = Arc::new(Scale::new(players, &[]));
    let groups = groups(&scale, &all);
    let group_of = group_of(players, &groups);
    // Games between two groups say only which group is stronger.
    let counts =
        |met: &&Encounter| met.first != met.second && group_of[met.first] == group_of[met.second];
    let games = |part: &[Encounter]| {
        let part: Vec<Encounter> = part.iter().filter(counts).copied().collect();
        Likelihood::new(&scale, &groups, &part)
    };
    // A part that is everything fits itself.
    if parts.len() < 2 {
        return vec![ChiSquare::default(); parts.len()];
    }
    let Some(fit) = Fit::of(&games(&all), &[], true) else {
        return vec![ChiSquare::default(); parts.len()];
    };
    let score = |part: &Vec<Encounter>| {
        let part = games(part).with_draws(fit.has_draws);
        part.score(&fit.values, fit.has_advantage)
    };
    let scores: Vec<Score> = parts.iter().map(score).collect();
    let size = fit.values.len();
    let information = (scores.iter()).fold(DMatrix::zeros(size, size), |sum, score| {
        sum + &score.information
    });
    let inverse = Inverse::of(information, 0.0).matrix;
    let residuals = scores.iter().map(|score| score.residual(&inverse));
    residuals.collect()
}

/// Gradient and information of a part at the parameters that fit all games.
pub(super) struct Score {
    pub(super) gradient: DVector<f64>,
    pub(super) information: DMatrix<f64>,
}

impl Score {
    /// The test; `inverse` is the inverse of the information of all games.
    fn residual(&self, inverse: &DMatrix<f64>) -> ChiSquare {
        let covariance = &self.information - &self.information * inverse * &self.information;
        let inverse = Inverse::of(covariance, LEAST);
        ChiSquare {
            value: (self.gradient.transpose() * inverse.matrix * &self.gradient)[0].max(0.0),
            freedom: inverse.rank,
        }
    }
}

/// The pseudo-inverse of a matrix of information.
struct Inverse {
    matrix: DMatrix<f64>,
    /// The number of directions in it.
    rank: usize,
}

impl Inverse {
    /// In the directions with more than `least` information.
    fn of(matrix: DMatrix<f64>, least: f64) -> Inverse {
        /// Rounding, as a share of the largest eigenvalue.
        const NOTHING: f64 = 1e-9;
        let size = matrix.nrows();
        let parts = SymmetricEigen::new(matrix);
        let least = least.max(NOTHING * parts.eigenvalues.amax());
        let mut inverse = Inverse {
            matrix: DMatrix::zeros(size, size),
            rank: 0,
        };
        for (vector, &value) in parts.eigenvectors.column_iter().zip(&parts.eigenvalues) {
            if value > least {
                inverse.matrix += vector * vector.transpose() / value;
                inverse.rank += 1;
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use engine_core::Rng;

    use super::*;

    /// Games of players with these log strengths, an advantage and draws, each pair `games` times with
    /// each of its players first.
    fn played(rng: &mut Rng, strengths: &[f64], games: usize) -> Vec<Encounter> {
        let mut part = Vec::new();
        for first in 0..strengths.len() {
            for second in (0..strengths.len()).filter(|&second| second != first) {
                let [one, other] = [strengths[first] + 0.3, strengths[second]];
                let weights = [one, (one + other) / 2.0 - 0.5, other].map(f64::exp);
                let mut results = [0; 3];
                for _ in 0..games {
                    let mut lot = f64::from(rng.unit()) * weights.iter().sum::<f64>();
                    let outcome = weights.iter().position(|weight| {
                        lot -= weight;
                        lot < 0.0
                    });
                    results[outcome.unwrap_or(2)] += 1;
                }
                part.push(Encounter {
                    first,
                    second,
                    results,
                });
            }
        }
        part
    }

    /// Of 400 leagues of equal hosts, how often chance makes a residual that it makes in 5 % and in
    /// 1 % of all cases; the mean of χ², and its degrees of freedom.
    fn alarms(strengths: &[f64], games: [usize; 3]) -> ([f64; 2], f64, f64) {
        let mut rng = Rng::new(1);
        let (mut alarms, mut sum, mut freedom, mut count) = ([0.0; 2], 0.0, 0.0, 0.0);
        for _ in 0..400 {
            let parts = games.map(|games| played(&mut rng, strengths, games));
            for residual in residuals(strengths.len(), &parts) {
                let Some(probability) = residual.probability() else {
                    continue;
                };
                count += 1.0;
                sum += residual.value;
                freedom += residual.freedom as f64;
                for (alarm, level) in alarms.iter_mut().zip([0.05, 0.01]) {
                    *alarm += f64::from(probability < level);
                }
            }
        }
        (
            alarms.map(|alarm| alarm / count),
            sum / count,
            freedom / count,
        )
    }

    #[test]
    fn equal_hosts_are_named_as_rarely_as_chance_says() {
        for (strengths, games) in [
            (&[0.0, 0.0][..], [5, 50, 500]),
            (&[0.0, 1.0], [10, 20, 30]),
            (&[1.5, 0.5, 0.0, -2.0], [3, 20, 40]),
            (&[0.0; 8], [2, 4, 50]),
        ] {
            let ([twentieth, hundredth], mean, freedom) = alarms(strengths, games);
            eprintln!(
                "{strengths:?} {games:?}: {twentieth:.3} {hundredth:.3} {mean:.2} {freedom:.2}"
            );
            assert!(
                twentieth < 0.08 && hundredth < 0.025,
                "{twentieth} {hundredth}"
            );
            assert!((mean / freedom - 1.0).abs() < 0.1, "{mean} {freedom}");
        }
    }
}

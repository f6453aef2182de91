//! Statistics of results: strength, error bars, and stopping rules.
//!
//! | file | what it is |
//! |---|---|
//! | `sample` | counts of results, in games or pairs |
//! | `strength` | the score of a match: Elo, normalized Elo, LOS |
//! | `sprt` | the sequential probability ratio test |
//! | `sprt/walk` | a test that ends where it first decides |
//! | `sprt/estimate` | the Elo difference after a test has decided |
//! | `sign` | the exact sign test over pairs that somebody wins |
//! | `rating` | ratings of many players by maximum likelihood |
//! | `rating/cluster` | error bars where two games of a pair are one observation |
//! | `rating/covariance` | the error bars that tables show, without the table of all pairs |
//! | `rating/sparse` | linear algebra for players of whom most never met |
//! | `rating/likelihood` | the likelihood of all games, and where it is greatest |
//! | `rating/parts` | whether the games of one host fit those of the others |
//! | `rating/bound` | one-sided bounds of what has no finite estimate |
//! | `rating/reach` | who is above whom, so that there is a bound |
//! | `rating/interval` | bounds by the games between two players and those within groups |
//!
//! This module knows nothing of games or logs.

pub mod rating;
pub mod sample;
pub mod sign;
pub mod sprt;
pub mod strength;

use statrs::distribution::{ContinuousCDF, Normal};

/// Half-width of a 95 % confidence interval, in standard errors.
pub const Z: f64 = 1.959_963_984_540_054;

/// Elo points per logistic unit: a difference d of log strengths is d · 400 / ln 10 Elo.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The probability that a normal variable is above 0. If the deviation is 0, this is 1, ½ or 0 by
/// the sign of the mean.
pub fn above_zero(mean: f64, deviation: f64) -> f64 {
    match Normal::new(mean, deviation) {
        Ok(normal) if deviation > 0.0 => normal.sf(0.0),
        _ if mean == 0.0 => 0.5,
        _ => (mean > 0.0) as u8 as f64,
    }
}

/// The logarithm of the probability that a standard normal variable is below `z`.
fn ln_normal(z: f64) -> f64 {
    if z > -20.0 {
        return Normal::standard().cdf(z).ln();
    }
    // The asymptotic series of Mills' ratio; the next term is below 1e-8.
    let square = z * z;
    let series = 1.0 - 1.0 / square + 3.0 / square.powi(2) - 15.0 / square.powi(3);
    series.ln() - square / 2.0 - (-z).ln() - 0.5 * (2.0 * std::f64::consts::PI).ln()
}

/// An estimate with its error bar, both in the same unit.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// Half-width of the 95 % confidence interval.
    pub error: f64,
}

/// What results say of a figure.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// There is no finite estimate, and no upper bound; a one-sided 95 % confidence bound.
    Above(f64),
    /// There is no finite estimate, and no lower bound; a one-sided 95 % confidence bound.
    Below(f64),
    /// A finite estimate.
    #[serde(untagged)]
    Estimate(Estimate),
}

impl Figure {
    /// The estimate, if it is finite.
    pub fn estimate(self) -> Option<Estimate> {
        match self {
            Figure::Estimate(estimate) => Some(estimate),
            Figure::Above(_) | Figure::Below(_) => None,
        }
    }

    /// The same of a figure that is greater by a known number.
    pub fn plus(self, more: f64) -> Figure {
        match self {
            Figure::Above(bound) => Figure::Above(bound + more),
            Figure::Below(bound) => Figure::Below(bound + more),
            Figure::Estimate(Estimate { value, error }) => Figure::Estimate(Estimate {
                value: value + more,
                error,
            }),
        }
    }

    /// Whether it is a bound beyond 0, which does not even say who is ahead: there are too few games.
    pub fn is_vague(self) -> bool {
        match self {
            Figure::Above(bound) => bound <= 0.0,
            Figure::Below(bound) => bound >= 0.0,
            Figure::Estimate(_) => false,
        }
    }
}

/// The likelihood at a one-sided bound, relative to its supremum.
///
/// Where all of n games are won, their likelihood is the probability of such a result, so that this
/// bound is the exact one: the probability of winning is at least 0.05^(1/n) (Clopper and Pearson
/// 1934; about 1 - 3/n, the rule of three of Hanley and Lippman-Hand 1983). The usual χ² threshold
/// presumes a maximum inside the parameter space; here it would fail in 26 % of all cases.
pub const LIKELIHOOD_AT_BOUND: f64 = 0.05;

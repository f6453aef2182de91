//! Statistics of results: how strong, how sure, and when to stop.
//!
//! | file | what it is |
//! |---|---|
//! | `sample` | the score of a match, in games or pairs: Elo, normalized Elo, likelihood of superiority |
//! | `sprt` | the sequential probability ratio test |
//! | `rating` | ratings of many players by maximum likelihood |
//!
//! Nothing here knows of games or logs.

pub mod rating;
pub mod sample;
pub mod sprt;

use statrs::distribution::{ContinuousCDF, Normal};

/// An error bar holds the truth in 95 of 100 cases: it is so many standard errors long each way.
pub const Z: f64 = 1.959_963_984_540_054;

/// Elo points of a logistic unit: a difference d of log strengths is d · 400 / ln 10.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The probability that a normal variable with mean `mean` and standard deviation `deviation` is above
/// 0; where there is no deviation, 1, ½ or 0 by the sign of the mean.
pub fn above_zero(mean: f64, deviation: f64) -> f64 {
    match Normal::new(mean, deviation) {
        Ok(normal) if deviation > 0.0 => normal.sf(0.0),
        _ if mean == 0.0 => 0.5,
        _ => (mean > 0.0) as u8 as f64,
    }
}

/// A figure with its error bar, both in the same unit.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Half the length of its 95 % error bar.
    pub error: f64,
}

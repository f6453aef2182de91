//! The Elo difference after a test has decided.
//!
//! A test ends early when chance has helped, so that the score at its end is too high after H1 and too low
//! after H0. Here the test is a Brownian motion between two bounds: an outcome is better than another if it
//! has accepted H1 rather than H0, or H1 sooner, or H0 later. At the estimated difference, half of all tests
//! have a better outcome than the observed one. At the ends of the interval 97.5 % and 2.5 % of them have one.
//! The method is Siegmund's (*Sequential Analysis*, 1985, chapter 3), as fishtest uses it. It presumes small
//! differences; large ones are rough figures.

use super::{Model, Test, Verdict};
use crate::sample::{Sample, elo, moment, score_of};
use crate::{ELO, ln_normal};

/// A median-unbiased estimate, Elo.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Unbiased {
    /// The estimate.
    pub elo: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The estimate after a test that has decided with these observations; `None` before, or if they are too few
/// or too uneven for it.
pub fn after<const N: usize>(
    test: &Test,
    sample: &Sample<N>,
    verdict: Verdict,
) -> Option<Unbiased> {
    let motion = Motion::of(test, sample, verdict)?;
    let rising = verdict == Verdict::H1;
    // The probability to accept this hypothesis so soon rises or falls with the score.
    let score = |probability: f64| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if (motion.accepted(middle) < probability) == rising {
                low = middle;
            } else {
                high = middle;
            }
        }
        elo((low + high) / 2.0)
    };
    let [one, other] = [0.025, 0.975].map(score);
    let found = Unbiased {
        elo: score(0.5),
        low: one.min(other),
        high: one.max(other),
    };
    [found.low, found.elo, found.high]
        .iter()
        .all(|value| value.is_finite())
        .then_some(found)
}

/// The log-likelihood ratio as a Brownian motion that has reached a bound.
struct Motion {
    /// The scores under both hypotheses.
    scores: [f64; 2],
    /// Variance of the score of an observation.
    variance: f64,
    /// The bound that was reached, and the other one.
    bounds: [f64; 2],
    /// When, in observations.
    time: f64,
}

impl Motion {
    fn of<const N: usize>(test: &Test, sample: &Sample<N>, verdict: Verdict) -> Option<Motion> {
        let counts = sample.counts(1e-3);
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let mean = moment(&seen, |worth| worth);
        let variance = moment(&seen, |worth| (worth - mean).powi(2));
        let scores = [test.elo0, test.elo1].map(|elo| match test.model {
            Model::Logistic => score_of(elo),
            Model::Normalized => {
                let games = (N - 1) / 2;
                0.5 + elo / (2.0 * ELO) * (games as f64 * variance).sqrt()
            }
        });
        let (low, high) = test.bounds();
        let bounds = match verdict {
            Verdict::Open => return None,
            Verdict::H1 => [high, low],
            Verdict::H0 => [low, high],
        };
        let mut motion = Motion {
            scores,
            variance,
            bounds,
            time: 0.0,
        };
        // The steps that went beyond the bound, or the correction for them, are taken out.
        motion.time = bounds[0] / motion.drift(mean);
        (motion.time > 0.0 && motion.time.is_finite()).then_some(motion)
    }

    /// The mean step of the ratio at a true score.
    fn drift(&self, score: f64) -> f64 {
        let [s0, s1] = self.scores;
        (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * self.variance)
    }

    /// The probability to reach the observed bound at the observed time or sooner.
    fn accepted(&self, score: f64) -> f64 {
        let [s0, s1] = self.scores;
        let [reached, other] = self.bounds;
        let spread = (s1 - s0).powi(2) / self.variance;
        let drift = self.drift(score) * reached.signum();
        exit(
            reached.abs(),
            reached.abs() + other.abs(),
            drift / spread,
            spread * self.time,
        )
    }
}

/// The most terms of a sum in each direction.
const TERMS: i32 = 200;

/// The probability that a Brownian motion of variance 1 reaches a bound at the distance `near` by `time`,
/// and before the bound on the other side, `width` away from it. `drift` is positive towards the bound.
///
/// By the method of images: the density at time t is exp(drift · near − drift² t / 2) times the sum over
/// all integers k of d / √(2 π t³) · exp(−d² / 2 t) with d = near + 2 k · width; each term is a density of
/// the inverse Gaussian, with a known integral.
fn exit(near: f64, width: f64, drift: f64, time: f64) -> f64 {
    let root = time.sqrt();
    let pull = drift.abs();
    let term = |k: i32| {
        let place = near + 2.0 * f64::from(k) * width;
        let distance = place.abs();
        let straight = drift * near - pull * distance + ln_normal((pull * time - distance) / root);
        let reflected =
            drift * near + pull * distance + ln_normal(-(pull * time + distance) / root);
        place.signum() * (straight.exp() + reflected.exp())
    };
    let mut sum = term(0);
    for k in 1..TERMS {
        let both = term(k) + term(-k);
        sum += both;
        if both.abs() < 1e-14 {
            break;
        }
    }
    sum.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    /// Far in time, the probability of the gambler's ruin.
    #[test]
    fn in_the_end_a_bound_is_reached_as_in_the_gambler_s_ruin() {
        for drift in [-2.0f64, -0.3, 0.0, 0.3, 2.0] {
            for near in [0.5, 1.0, 2.5] {
                let width = 3.0;
                let expected = if drift == 0.0 {
                    (width - near) / width
                } else {
                    let (far, all) = (2.0 * drift * (width - near), 2.0 * drift * width);
                    (1.0 - (far).exp()) / (1.0 - all.exp()) * (2.0 * drift * near).exp()
                };
                let found = exit(near, width, drift, 60.0);
                assert!(
                    (found - expected).abs() < 1e-6,
                    "{drift} {near}: {found} {expected}"
                );
            }
        }
    }

    /// Before the other bound matters, the inverse Gaussian distribution of one bound.
    #[test]
    fn probabilities_rise_from_nothing_with_time() {
        let times = [0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0];
        for drift in [-3.0, 0.0, 3.0] {
            let found = times.map(|time| exit(1.0, 2.0, drift, time));
            assert!(found.is_sorted(), "{found:?}");
            assert!(found[0] < 1e-9, "{found:?}");
            // Both bounds share what there is.
            let other = exit(1.0, 2.0, -drift, 100.0);
            assert!((found[6] + other - 1.0).abs() < 1e-9);
        }
        assert!((exit(1.0, 1e3, 0.0, 1.0) - 2.0 * ln_normal(-1.0).exp()).abs() < 1e-12);
    }

    fn near<const N: usize>(
        (model, elo0, elo1): (Model, f64, f64),
        counts: [u64; N],
        verdict: Verdict,
        expected: [f64; 3],
    ) {
        let test = Test {
            model,
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        };
        let found = after(&test, &Sample(counts), verdict).expect("an estimate");
        let found = [found.elo, found.low, found.high];
        for (found, expected) in found.into_iter().zip(expected) {
            let error = (found - expected).abs();
            assert!(
                error < 1e-3 + 1e-4 * expected.abs(),
                "{counts:?}: {found}, {expected}"
            );
        }
    }

    /// Figures of fishtest at b8eecff2.
    #[test]
    fn estimates_are_those_of_fishtest() {
        use Model::{Logistic, Normalized};
        use Verdict::{H0, H1};
        let pairs = [30, 120, 300, 180, 70];
        near(
            (Normalized, 0.0, 10.0),
            pairs,
            H1,
            [33.6804, 16.5865, 50.8811],
        );
        let pairs = [223, 9863, 21279, 10337, 346];
        near((Logistic, 0.0, 5.0), pairs, H1, [2.5265, -0.6105, 5.6124]);
        let pairs = [400, 2000, 4300, 2400, 560];
        near((Logistic, 0.0, 10.0), pairs, H1, [11.3026, 0.3856, 21.8618]);
        let pairs = [700, 4300, 9000, 4200, 640];
        near(
            (Normalized, 0.0, 5.0),
            pairs,
            H0,
            [-1.5242, -5.3639, 2.3978],
        );
        let pairs = [12, 60, 150, 110, 40];
        near(
            (Normalized, 0.0, 30.0),
            pairs,
            H1,
            [46.3361, 12.7619, 80.4218],
        );
        near(
            (Logistic, 0.0, 10.0),
            [140, 0, 300],
            H1,
            [130.4493, 86.4511, 178.8352],
        );
    }

    #[test]
    fn there_is_no_estimate_without_a_decision() {
        let test = Test {
            model: Model::Normalized,
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let pairs = Sample([1, 2, 3, 4, 5]);
        assert_eq!(after(&test, &pairs, Verdict::Open), None);
        // A verdict that these counts contradict.
        assert_eq!(after(&test, &pairs, Verdict::H0), None);
    }
}

//! The sequential probability ratio test (SPRT, Wald 1945): games are played until the results
//! decide between two hypotheses about the difference in strength. This is the generalized form
//! (GSPRT) of Van den Bergh, *GSPRT approximation* and *Normalized Elo (practical)*.

pub mod estimate;
pub mod walk;

use super::ELO;
use super::sample::{Sample, moment, score_of};

/// Unit of the hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the expected number of games does not depend on the draw rate.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
}

impl Model {
    /// All of them.
    pub const ALL: [Model; 2] = [Model::Normalized, Model::Logistic];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
        }
    }

    /// The unit of its hypotheses.
    pub const fn unit(self) -> &'static str {
        match self {
            Model::Normalized => "normalized Elo",
            Model::Logistic => "Elo",
        }
    }

    /// What it is, for a list of them.
    pub const fn about(self) -> &'static str {
        match self {
            Model::Normalized => {
                "Normalized Elo: the expected number of games does not depend on the draw rate"
            }
            Model::Logistic => "Logistic Elo",
        }
    }
}

/// The parameters of a test.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Test {
    /// The unit of `elo0` and `elo1`.
    pub model: Model,
    /// H0: the difference is `elo0`.
    pub elo0: f64,
    /// H1: the difference is `elo1`, which is greater than `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 if H0 is true, 0 to ½.
    pub alpha: f64,
    /// Probability of accepting H0 if H1 is true, 0 to ½.
    pub beta: f64,
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Undecided.
    Open,
    /// H1 accepted: the difference is at least `elo1`, rather than at most `elo0`.
    H1,
    /// H0 accepted: the difference is at most `elo0`, rather than at least `elo1`.
    H0,
}

impl Default for Test {
    /// Whether there is a gain: 0 against 5 normalized Elo, each error in one of twenty tests.
    fn default() -> Test {
        Test {
            model: Model::default(),
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
        }
    }
}

impl Test {
    /// Maximum absolute value of `elo0` and `elo1`, in either unit: beyond it the
    /// maximum-likelihood distributions cannot be computed.
    pub const MAX_ELO: f64 = 200.0;

    /// Checks the parameters.
    ///
    /// # Errors
    /// What was found and what was expected.
    pub fn check(&self) -> Result<(), String> {
        let Test { elo0, elo1, .. } = *self;
        let near = -Test::MAX_ELO..=Test::MAX_ELO;
        if !(near.contains(&elo0) && near.contains(&elo1) && elo0 < elo1) {
            return Err(format!(
                "elo0 {elo0}, elo1 {elo1}: expected elo0 below elo1, both within ±{}",
                Test::MAX_ELO
            ));
        }
        for (name, chance) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(chance > 0.0 && chance < 0.5) {
                return Err(format!(
                    "{name} {chance}: expected a probability above 0 and below 0.5"
                ));
            }
        }
        Ok(())
    }

    /// Bounds of the log-likelihood ratio: H0 is accepted at the lower one, H1 at the upper one.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of H1 over H0; 0 without games.
    pub fn llr<const N: usize>(&self, sample: &Sample<N>) -> f64 {
        if sample.count() == 0 {
            return 0.0;
        }
        // Outcomes that were not seen are rare, not impossible.
        let counts = sample.counts(1e-3);
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => with_mean(&seen, score_of(elo)),
            Model::Normalized => {
                let games = (N - 1) / 2;
                with_t_value(&seen, elo / (2.0 * ELO) * (games as f64).sqrt())
            }
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        let terms = (0..N).map(|i| seen[i] * (p1[i] / p0[i]).ln());
        total * terms.sum::<f64>()
    }

    /// The verdict at a log-likelihood ratio.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (low, high) = self.bounds();
        if llr >= high {
            Verdict::H1
        } else if llr <= low {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }
}

/// The maximum-likelihood distribution with mean score `mean`, given the observed frequencies
/// `seen`.
fn with_mean<const N: usize>(seen: &[f64; N], mean: f64) -> [f64; N] {
    tilted(seen, std::array::from_fn(|i| Sample::<N>::worth(i) - mean))
}

/// The maximum-likelihood distribution whose mean is `t` standard deviations above ½. The
/// constraint is linearized repeatedly.
fn with_t_value<const N: usize>(seen: &[f64; N], t: f64) -> [f64; N] {
    const STEPS: usize = 200;
    const TOLERANCE: f64 = 1e-12;
    let mut likeliest = [1.0 / N as f64; N];
    for _ in 0..STEPS {
        let mean = moment(&likeliest, |worth| worth);
        let deviation = moment(&likeliest, |worth| (worth - mean).powi(2)).sqrt();
        let slope = std::array::from_fn(|i| {
            let worth = Sample::<N>::worth(i);
            let distance = (worth - mean) / deviation;
            worth - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        });
        let next = tilted(seen, slope);
        let moved = (0..N).map(|i| (next[i] - likeliest[i]).abs());
        let change = moved.fold(0.0, f64::max);
        likeliest = next;
        if change < TOLERANCE {
            break;
        }
    }
    likeliest
}

/// Maximizes the likelihood of `seen` under Σ p · slope = 0: p = `seen` / (1 + θ · slope), with the
/// one θ for which Σ p = 1 (Owen's empirical likelihood).
fn tilted<const N: usize>(seen: &[f64; N], slope: [f64; N]) -> [f64; N] {
    let most = slope.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = slope.iter().copied().fold(f64::INFINITY, f64::min);
    if least >= 0.0 || most <= 0.0 {
        // Only degenerate distributions satisfy the constraint.
        return *seen;
    }
    // The sum falls from +∞ to −∞ between these bounds.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let theta = (low + high) / 2.0;
        let sum: f64 = (0..N)
            .map(|i| seen[i] * slope[i] / (1.0 + theta * slope[i]))
            .sum();
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + theta * slope[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(model: Model, elo0: f64, elo1: f64) -> Test {
        Test {
            model,
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        }
    }

    #[test]
    fn ratios_agree_with_published_figures() {
        let six = |ratio: f64| format!("{ratio:.6}");
        let normalized = test(Model::Normalized, 0.0, 2.0);
        let logistic = test(Model::Logistic, 0.5, 2.5);
        let ratio = normalized.llr(&Sample([36027, 68692, 36433]));
        assert_eq!(six(ratio), "0.923293");
        let ratio = logistic.llr(&Sample([21184, 40708, 21404]));
        assert_eq!(six(ratio), "-1.571889");
        let ratio = normalized.llr(&Sample([365, 16618, 36229, 16974, 390]));
        assert_eq!(six(ratio), "2.250368");
        let ratio = logistic.llr(&Sample([223, 9863, 21279, 10037, 246]));
        assert_eq!(six(ratio), "-3.074126");
        let few = Sample([3, 12, 30, 18, 7]);
        assert_eq!(
            six(test(Model::Normalized, 0.0, 10.0).llr(&few)),
            "0.512911"
        );
        assert_eq!(six(test(Model::Logistic, 0.0, 10.0).llr(&few)), "0.696067");
    }

    #[test]
    fn a_test_ends_at_its_bounds() {
        let test = test(Model::Normalized, 0.0, 5.0);
        let (low, high) = test.bounds();
        assert_eq!(format!("{low:.6} {high:.6}"), "-2.944439 2.944439");
        assert_eq!(test.verdict(low), Verdict::H0);
        assert_eq!(test.verdict(0.0), Verdict::Open);
        assert_eq!(test.verdict(high), Verdict::H1);
    }

    #[test]
    fn maximum_likelihood_distributions_satisfy_their_constraint() {
        for seen in [
            [0.001, 0.001, 0.001, 0.001, 9.0],
            [3.0, 12.0, 30.0, 18.0, 7.0],
            [5.0; 5],
        ] {
            let sum: f64 = seen.iter().sum();
            for elo in [-Test::MAX_ELO, -10.0, 0.0, 3.0, Test::MAX_ELO] {
                let t = elo / (2.0 * ELO) * 2f64.sqrt();
                let likeliest = with_t_value(&seen.map(|count| count / sum), t);
                let mean = moment(&likeliest, |worth| worth);
                let variance = moment(&likeliest, |worth| (worth - mean).powi(2));
                assert!((likeliest.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(
                    (mean - 0.5 - t * variance.sqrt()).abs() < 1e-9,
                    "{elo} {seen:?}"
                );
            }
        }
    }

    #[test]
    fn any_sample_has_a_finite_ratio() {
        for model in [Model::Normalized, Model::Logistic] {
            let test = test(model, 0.0, 10.0);
            assert_eq!(test.llr(&Sample([0; 5])), 0.0);
            for sample in [
                [0, 0, 0, 0, 1],
                [9, 0, 0, 0, 0],
                [0, 0, 7, 0, 0],
                [5, 0, 0, 0, 5],
            ] {
                assert!(test.llr(&Sample(sample)).is_finite(), "{sample:?}");
            }
            assert!(test.llr(&Sample([0, 0, 0, 0, 900])) > 0.0);
            assert!(test.llr(&Sample([900, 0, 0, 0, 0])) < 0.0);
        }
    }
}

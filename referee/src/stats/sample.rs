//! Scores of one player against another, and what they say about strength.
//!
//! Two games with sides exchanged from the same opening are correlated. Counted as one pair with
//! five outcomes (pentanomial), they give narrower and more accurate error bars than as games with
//! three outcomes (Van den Bergh, *The statistics of fishtest*).

use serde::Serialize;

use super::{ELO, Estimate, Figure, LIKELIHOOD_AT_BOUND, Z, above_zero};

/// Counts of each outcome, from worst to best. The scores of the outcomes are equally spaced from 0
/// to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample<const N: usize>(pub [u64; N]);

/// Games: losses, draws, wins.
pub type Games = Sample<3>;

/// Pairs of games by points: 0, ½, 1, 1½, 2.
pub type Pairs = Sample<5>;

impl<const N: usize> Default for Sample<N> {
    fn default() -> Self {
        Sample([0; N])
    }
}

impl<const N: usize> Sample<N> {
    /// The score of an outcome, 0 to 1.
    pub fn worth(outcome: usize) -> f64 {
        outcome as f64 / (N - 1) as f64
    }

    /// Number of games or pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Number of games per outcome: 1 or 2.
    const GAMES: usize = (N - 1) / 2;

    fn mean_of(&self, what: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 = (self.0.iter().enumerate())
            .map(|(outcome, &count)| count as f64 * what(Self::worth(outcome)))
            .sum();
        sum / self.count() as f64
    }

    /// The mean score, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.mean_of(|worth| worth))
    }

    /// The variance of an outcome's score; `None` without games.
    pub fn variance(&self) -> Option<f64> {
        let score = self.score()?;
        Some(self.mean_of(|worth| (worth - score).powi(2)))
    }

    /// The standard error of the score; `None` without games.
    pub fn standard_error(&self) -> Option<f64> {
        Some((self.variance()? / self.count() as f64).sqrt())
    }

    /// The Elo difference; `None` without games, a bound with only wins or only losses.
    pub fn elo(&self) -> Option<Figure> {
        let (score, error) = (self.score()?, Z * self.standard_error()?);
        if let Some(bound) = self.bound(elo) {
            return Some(bound);
        }
        let bar = (elo(score + error) - elo(score - error)) / 2.0;
        // Where the bar reaches beyond a score of 0 or 1: by the slope of `elo`.
        let slope = ELO / (score * (1.0 - score));
        Some(Figure::Estimate(Estimate {
            value: elo(score),
            error: if bar.is_finite() { bar } else { error * slope },
        }))
    }

    /// Normalized Elo, which does not depend on the draw rate (Van den Bergh, *Normalized Elo*); a
    /// bound with only wins or only losses, `None` if all outcomes are the same otherwise.
    pub fn normalized_elo(&self) -> Option<Figure> {
        let scale = 2.0 * ELO;
        // Least if those that were not seen are the worst.
        let least =
            |won: f64| (won - 0.5) / (won * (1.0 - won) * Self::GAMES as f64).sqrt() * scale;
        if let Some(bound) = self.bound(least) {
            return Some(bound);
        }
        let deviation = (self.variance()? * Self::GAMES as f64).sqrt();
        (deviation > 0.0).then(|| {
            Figure::Estimate(Estimate {
                value: (self.mean_of(|worth| worth) - 0.5) / deviation * scale,
                error: Z * scale / ((Self::GAMES as u64 * self.count()) as f64).sqrt(),
            })
        })
    }

    /// The bound on a figure if all outcomes are wins, or all are losses. `figure` is its least value
    /// if a win has this probability.
    fn bound(&self, figure: impl Fn(f64) -> f64) -> Option<Figure> {
        let count = self.count();
        // The n-th root.
        let least = figure(LIKELIHOOD_AT_BOUND.powf(1.0 / count as f64));
        match (self.0[N - 1] == count, self.0[0] == count) {
            _ if count == 0 => None,
            (true, _) => Some(Figure::Above(least)),
            (_, true) => Some(Figure::Below(-least)),
            _ => None,
        }
    }

    /// All estimates from this sample.
    pub fn strength(&self) -> Strength {
        Strength {
            elo: self.elo(),
            normalized_elo: self.normalized_elo(),
            superiority: self.superiority(),
        }
    }

    /// LOS, the likelihood of superiority: the probability that the player is the stronger one; ½
    /// without games.
    ///
    /// Outcomes that were not seen are rare, not impossible. The sequential test counts each as seen
    /// a thousandth of a time, which here would still make a single win certain proof; so each counts
    /// half a time.
    pub fn superiority(&self) -> f64 {
        const UNSEEN: f64 = 0.5;
        let counts = self.counts(UNSEEN);
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let score = moment(&shares, |worth| worth);
        let variance = moment(&shares, |worth| (worth - score).powi(2));
        above_zero(score - 0.5, (variance / total).sqrt())
    }

    /// How often each outcome was seen; `unseen` for those that were not.
    pub(super) fn counts(&self, unseen: f64) -> [f64; N] {
        self.0
            .map(|count| if count == 0 { unseen } else { count as f64 })
    }
}

/// The expectation of a function of the score, given the probabilities of the outcomes.
pub(super) fn moment<const N: usize>(probabilities: &[f64; N], what: impl Fn(f64) -> f64) -> f64 {
    let terms = (0..N).map(|i| probabilities[i] * what(Sample::<N>::worth(i)));
    terms.sum()
}

/// Estimates of a player's strength from a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// [`Sample::elo`].
    pub elo: Option<Figure>,
    /// [`Sample::normalized_elo`].
    pub normalized_elo: Option<Figure>,
    /// [`Sample::superiority`].
    pub superiority: f64,
}

/// The Elo difference that corresponds to a score; NaN outside 0 to 1.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score at an Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn six(value: f64) -> String {
        format!("{value:.6}")
    }

    fn check<const N: usize>(
        sample: Sample<N>,
        score: &str,
        elo: [&str; 2],
        normalized: [&str; 2],
        superiority: &str,
    ) {
        let both = |figure: Figure| {
            let estimate = figure.estimate().expect("a finite estimate");
            [six(estimate.value), six(estimate.error)]
        };
        assert_eq!(six(sample.score().unwrap()), score);
        assert_eq!(both(sample.elo().unwrap()), elo);
        assert_eq!(both(sample.normalized_elo().unwrap()), normalized);
        assert_eq!(six(sample.superiority()), superiority);
    }

    #[test]
    fn samples_agree_with_published_figures() {
        check(
            Sample([89, 123, 76]),
            "0.477431",
            ["-15.693521", "30.458001"],
            ["-20.756450", "40.126026"],
            "0.155326",
        );
        check(
            Sample([356, 0, 34]),
            "0.087179",
            ["-407.988432", "63.164515"],
            ["-508.435325", "34.481812"],
            "0.000000",
        );
        // LL, LD, WL and DD, WD, WW.
        check(
            Sample([34, 54, 31 + 32, 64, 75]),
            "0.579310",
            ["55.579780", "27.653430"],
            ["57.935600", "28.275376"],
            "0.999970",
        );
    }

    #[test]
    fn samples_without_estimates() {
        let none = Games::default();
        assert_eq!(
            (none.score(), none.elo(), none.superiority()),
            (None, None, 0.5)
        );
        let won = Sample([0, 0, 5]);
        assert_eq!(won.score(), Some(1.0));
        assert!((0.99..1.0).contains(&won.superiority()));
        let drawn = Sample([0, 5, 0]);
        let value = drawn.elo().and_then(Figure::estimate).map(|elo| elo.value);
        assert_eq!(value, Some(0.0));
        assert_eq!((drawn.normalized_elo(), drawn.superiority()), (None, 0.5));
    }

    /// A bar that reaches beyond a score of 1 is that of the logit, 1 / √(n p (1 − p)).
    #[test]
    fn one_loss_in_ten_games_has_a_finite_bar() {
        let estimate = Sample([1, 0, 9]).elo().and_then(Figure::estimate);
        let estimate = estimate.expect("a finite estimate");
        let expected = Estimate {
            value: elo(0.9),
            error: Z * ELO / (10.0f64 * 0.9 * 0.1).sqrt(),
        };
        assert_eq!(six(estimate.value), six(expected.value));
        assert_eq!(six(estimate.error), six(expected.error));
    }

    /// The bounds of Clopper and Pearson: the probability of winning all n is 5 %.
    #[test]
    fn only_wins_or_only_losses_give_the_exact_bound() {
        for n in [1, 2, 5, 10, 100u64] {
            let probability = 0.05f64.powf(1.0 / n as f64);
            let bound = six(-400.0 * (1.0 / probability - 1.0).log10());
            let below = six(400.0 * (1.0 / probability - 1.0).log10());
            for won in [Sample([0, 0, n]).elo(), Sample([0, 0, 0, 0, n]).elo()] {
                assert!(matches!(won, Some(Figure::Above(found)) if six(found) == bound));
            }
            for lost in [Sample([n, 0, 0]).elo(), Sample([n, 0, 0, 0, 0]).elo()] {
                assert!(matches!(lost, Some(Figure::Below(found)) if six(found) == below));
            }
        }
    }

    /// No distribution in which a win is as probable as at the bound has a smaller normalized Elo.
    #[test]
    fn the_bound_of_normalized_elo_is_the_least() {
        for n in [1, 3, 20u64] {
            let Some(Figure::Above(bound)) = Sample([0, 0, 0, 0, n]).normalized_elo() else {
                panic!("{n} pairs won")
            };
            let won = 0.05f64.powf(1.0 / n as f64);
            let mut least = f64::INFINITY;
            let steps = 12;
            for at in 0..(steps + 1u32).pow(3) {
                let share = |place: u32| f64::from(at / (steps + 1).pow(place) % (steps + 1));
                let shares = [share(0), share(1), share(2)].map(|share| share / f64::from(steps));
                let sum: f64 = shares.iter().sum();
                if sum <= 1.0 {
                    let [a, b, c] = shares.map(|share| share * (1.0 - won));
                    let pairs = [(1.0 - sum) * (1.0 - won), a, b, c, won];
                    let mean = moment(&pairs, |worth| worth);
                    let variance = moment(&pairs, |worth| (worth - mean).powi(2));
                    least = least.min((mean - 0.5) / (2.0 * variance).sqrt() * 2.0 * ELO);
                }
            }
            assert_eq!(six(bound), six(least), "{n} pairs won");
        }
    }

    /// More of the same makes superiority more likely, and never certain.
    #[test]
    fn few_games_prove_little() {
        let pairs = [1, 2, 4, 8, 16].map(|won| Sample([0, 0, 0, 0, won]).superiority());
        assert!(pairs.is_sorted(), "{pairs:?}");
        assert!((0.6..0.7).contains(&pairs[0]), "one pair won: {}", pairs[0]);
        assert!(pairs[2] > 0.9 && pairs[3] < 1.0, "{pairs:?}");
        let lost = Sample([4, 0, 0, 0, 0]).superiority();
        assert!((lost - (1.0 - pairs[2])).abs() < 1e-9);
        let game = Sample([0, 0, 1]).superiority();
        assert!((0.6..0.8).contains(&game), "{game}");
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for points in [-400.0, -3.5, 0.0, 120.0] {
            assert!((elo(score_of(points)) - points).abs() < 1e-9);
        }
        assert_eq!(six(score_of(400.0)), "0.909091");
    }
}

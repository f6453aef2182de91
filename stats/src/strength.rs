//! What results say about the strength of one player against another.
//!
//! Two games with sides exchanged from the same opening are correlated. Counted as one pair with
//! five outcomes (pentanomial), they give more accurate error bars than as games with three outcomes
//! (Van den Bergh, *The statistics of fishtest*). Games without a partner count beside the pairs:
//! the score is a ratio, points per game, with pairs and single games as its observations (Cochran,
//! *Sampling Techniques*, 1977, chapter 6).

use serde::Serialize;

use super::sample::{Games, PairTable, Pairs, Sample, elo};
use super::{ELO, Estimate, Figure, LIKELIHOOD_AT_BOUND, Z, above_zero};

/// Results of one player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Pairs of games with sides exchanged.
    pub pairs: Pairs,
    /// Games without a partner.
    pub single: Games,
}

/// Estimates of a player's strength from [`Results`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// [`Results::elo`].
    pub elo: Option<Figure>,
    /// [`Results::normalized_elo`].
    pub normalized_elo: Option<Figure>,
    /// [`Results::superiority`].
    pub superiority: f64,
}

impl From<Games> for Results {
    fn from(single: Games) -> Results {
        Results {
            single,
            ..Results::default()
        }
    }
}

impl From<Pairs> for Results {
    fn from(pairs: Pairs) -> Results {
        Results {
            pairs,
            ..Results::default()
        }
    }
}

/// The mean and the variance of the score.
struct Moments {
    /// Number of games.
    games: f64,
    /// The mean score, 0 to 1.
    score: f64,
    /// The variance of a game's score; of the pairs', per game.
    variance: f64,
}

impl Moments {
    fn standard_error(&self) -> f64 {
        (self.variance / self.games).sqrt()
    }
}

/// How often an outcome counts that was not seen, where that would otherwise be certain never to
/// happen. The sequential test counts it as seen a thousandth of a time, which would still make a
/// single win certain proof; half a time is the prior of Jeffreys.
const UNSEEN: f64 = 0.5;

impl Results {
    /// Results of all games, some of which are in pairs.
    pub fn new(all: Games, pairs: &PairTable) -> Results {
        let paired = pairs.games().0;
        Results {
            pairs: pairs.by_points(),
            single: Sample(std::array::from_fn(|result| all.0[result] - paired[result])),
        }
    }

    /// Number of observations: pairs and single games.
    pub fn count(&self) -> u64 {
        self.pairs.count() + self.single.count()
    }

    /// Games, points and count of each outcome; `unseen` is the count of those that were not seen.
    fn outcomes(&self, unseen: f64) -> impl Iterator<Item = (f64, f64, f64)> + Clone {
        fn of<const N: usize>(
            sample: &Sample<N>,
            unseen: f64,
        ) -> impl Iterator<Item = (f64, f64, f64)> + Clone + use<N> {
            let games = (N - 1) as f64 / 2.0;
            let seen = if sample.count() > 0 { unseen } else { 0.0 };
            let counts = sample.counts(seen).into_iter().enumerate();
            counts.map(move |(outcome, count)| (games, outcome as f64 / 2.0, count))
        }
        of(&self.pairs, unseen).chain(of(&self.single, unseen))
    }

    /// `None` without games.
    fn moments(&self, unseen: f64) -> Option<Moments> {
        let sum = |what: &dyn Fn(f64, f64) -> f64| -> f64 {
            let outcomes = self.outcomes(unseen);
            outcomes
                .map(|(games, points, count)| count * what(games, points))
                .sum()
        };
        let games = sum(&|games, _| games);
        let score = sum(&|_, points| points) / games;
        (games > 0.0).then(|| Moments {
            games,
            score,
            variance: sum(&|games, points| (points - games * score).powi(2)) / games,
        })
    }

    /// The mean score, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        Some(self.moments(0.0)?.score)
    }

    /// The standard error of the score; `None` without games. If all outcomes are the same, others
    /// are still possible, and count half a time.
    pub fn standard_error(&self) -> Option<f64> {
        let seen = self.moments(0.0)?;
        if seen.variance > 0.0 {
            Some(seen.standard_error())
        } else {
            Some(self.moments(UNSEEN)?.standard_error())
        }
    }

    /// The Elo difference; `None` without games, a bound with only wins or only losses.
    pub fn elo(&self) -> Option<Figure> {
        if let Some(bound) = self.bound(elo) {
            return Some(bound);
        }
        let (score, error) = (self.score()?, Z * self.standard_error()?);
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
        let Moments {
            games,
            score,
            variance,
        } = self.moments(0.0)?;
        let squares = self
            .outcomes(0.0)
            .map(|(games, _, count)| count * games * games);
        let observed = squares.sum::<f64>() / games;
        // Least if those that were not seen are the worst.
        let least = |won: f64| (won - 0.5) / (won * (1.0 - won) * observed).sqrt() * scale;
        let estimate = || {
            Figure::Estimate(Estimate {
                value: (score - 0.5) / variance.sqrt() * scale,
                error: Z * scale / games.sqrt(),
            })
        };
        self.bound(least)
            .or_else(|| (variance > 0.0).then(estimate))
    }

    /// The bound on a figure if all outcomes are wins, or all are losses. `figure` is its least value
    /// if a win has this probability.
    fn bound(&self, figure: impl Fn(f64) -> f64) -> Option<Figure> {
        let score = self.score()?;
        // The n-th root.
        let least = || figure(LIKELIHOOD_AT_BOUND.powf(1.0 / self.count() as f64));
        match (score >= 1.0, score <= 0.0) {
            (true, _) => Some(Figure::Above(least())),
            (_, true) => Some(Figure::Below(-least())),
            _ => None,
        }
    }

    /// All estimates from these results.
    pub fn strength(&self) -> Strength {
        Strength {
            elo: self.elo(),
            normalized_elo: self.normalized_elo(),
            superiority: self.superiority(),
        }
    }

    /// LOS, the likelihood of superiority: the probability that the player is the stronger one; ½
    /// without games. Outcomes that were not seen are rare, not impossible: each counts half a time.
    pub fn superiority(&self) -> f64 {
        self.moments(UNSEEN).map_or(0.5, |moments| {
            above_zero(moments.score - 0.5, moments.standard_error())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, moment};

    fn six(value: f64) -> String {
        format!("{value:.6}")
    }

    fn check(
        results: impl Into<Results>,
        score: &str,
        elo: [&str; 2],
        normalized: [&str; 2],
        superiority: &str,
    ) {
        let both = |figure: Figure| {
            let estimate = figure.estimate().expect("a finite estimate");
            [six(estimate.value), six(estimate.error)]
        };
        let results = results.into();
        assert_eq!(six(results.score().unwrap()), score);
        assert_eq!(both(results.elo().unwrap()), elo);
        assert_eq!(both(results.normalized_elo().unwrap()), normalized);
        assert_eq!(six(results.superiority()), superiority);
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
        let none = Results::default();
        assert_eq!(
            (none.score(), none.elo(), none.superiority()),
            (None, None, 0.5)
        );
        let won = Results::from(Sample([0, 0, 5]));
        assert_eq!(won.score(), Some(1.0));
        assert!((0.99..1.0).contains(&won.superiority()));
        let drawn = Results::from(Sample([0, 5, 0]));
        let value = drawn.elo().and_then(Figure::estimate).map(|elo| elo.value);
        assert_eq!(value, Some(0.0));
        assert_eq!((drawn.normalized_elo(), drawn.superiority()), (None, 0.5));
    }

    /// A bar that reaches beyond a score of 1 is that of the logit, 1 / √(n p (1 − p)).
    #[test]
    fn one_loss_in_ten_games_has_a_finite_bar() {
        let estimate = Results::from(Sample([1, 0, 9]))
            .elo()
            .and_then(Figure::estimate);
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
            for won in [
                Results::from(Sample([0, 0, n])).elo(),
                Results::from(Sample([0, 0, 0, 0, n])).elo(),
            ] {
                assert!(matches!(won, Some(Figure::Above(found)) if six(found) == bound));
            }
            for lost in [
                Results::from(Sample([n, 0, 0])).elo(),
                Results::from(Sample([n, 0, 0, 0, 0])).elo(),
            ] {
                assert!(matches!(lost, Some(Figure::Below(found)) if six(found) == below));
            }
        }
    }

    /// No distribution in which a win is as probable as at the bound has a smaller normalized Elo.
    #[test]
    fn the_bound_of_normalized_elo_is_the_least() {
        for n in [1, 3, 20u64] {
            let Some(Figure::Above(bound)) =
                Results::from(Sample([0, 0, 0, 0, n])).normalized_elo()
            else {
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
        let pairs =
            [1, 2, 4, 8, 16].map(|won| Results::from(Sample([0, 0, 0, 0, won])).superiority());
        assert!(pairs.is_sorted(), "{pairs:?}");
        assert!((0.6..0.7).contains(&pairs[0]), "one pair won: {}", pairs[0]);
        assert!(pairs[2] > 0.9 && pairs[3] < 1.0, "{pairs:?}");
        let lost = Results::from(Sample([4, 0, 0, 0, 0])).superiority();
        assert!((lost - (1.0 - pairs[2])).abs() < 1e-9);
        let game = Results::from(Sample([0, 0, 1])).superiority();
        assert!((0.6..0.8).contains(&game), "{game}");
    }

    /// Two games of a pair with the same winner are one observation, and two that are shared say
    /// that both players are equally strong.
    #[test]
    fn pairs_widen_and_narrow_bars() {
        let bar = |results: Results| results.elo().and_then(Figure::estimate).unwrap().error;
        let games = bar(Sample([100, 0, 100]).into());
        let same = bar(Sample([50, 0, 0, 0, 50]).into());
        assert!((same / games - 2f64.sqrt()).abs() < 0.05, "{same} {games}");
        let split = bar(Sample([0, 0, 100, 0, 0]).into());
        assert!(split > 0.0 && split < games / 4.0, "{split} {games}");
        let few = bar(Sample([0, 0, 5, 0, 0]).into());
        assert!(few > 3.0 * split, "{few} {split}");
    }

    /// The variance of a ratio, in a second way: each game's residual, summed by observation.
    #[test]
    fn single_games_count_beside_pairs() {
        let pairs = PairTable([[2, 0, 3], [0, 1, 0], [1, 0, 4]]);
        let all = Sample([9 + 2, 2 + 1, 12 + 5]);
        let results = Results::new(all, &pairs);
        assert_eq!(results.single, Sample([3, 1, 5]));
        let mut observations = Vec::new();
        for (one, row) in pairs.0.iter().enumerate() {
            for (other, &count) in row.iter().enumerate() {
                let points = [one, other].map(|result| result as f64 / 2.0);
                observations.extend(vec![points.to_vec(); count as usize]);
            }
        }
        for (result, &count) in results.single.0.iter().enumerate() {
            observations.extend(vec![vec![result as f64 / 2.0]; count as usize]);
        }
        let games: Vec<f64> = observations.iter().flatten().copied().collect();
        let score = games.iter().sum::<f64>() / games.len() as f64;
        let squares: f64 = (observations.iter())
            .map(|games| {
                games
                    .iter()
                    .map(|points| points - score)
                    .sum::<f64>()
                    .powi(2)
            })
            .sum();
        assert!((results.score().unwrap() - score).abs() < 1e-12);
        let error = results.standard_error().unwrap();
        assert!((error - squares.sqrt() / games.len() as f64).abs() < 1e-12);
    }
}

//! Counts of results: of single games, and of pairs of games with sides exchanged.

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

    /// The mean score, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let points = (self.0.iter().enumerate())
            .map(|(outcome, &count)| count as f64 * Self::worth(outcome));
        (self.count() > 0).then(|| points.sum::<f64>() / self.count() as f64)
    }

    /// How often each outcome was seen; `unseen` for those that were not.
    pub(super) fn counts(&self, unseen: f64) -> [f64; N] {
        self.0
            .map(|count| if count == 0 { unseen } else { count as f64 })
    }
}

/// Pairs of games with sides exchanged, by the results of both games for the same player or side:
/// loss, draw, win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairTable(pub [[u64; 3]; 3]);

impl PairTable {
    /// Number of pairs.
    pub fn count(&self) -> u64 {
        self.0.as_flattened().iter().sum()
    }

    /// The pairs by points.
    pub fn by_points(&self) -> Pairs {
        let mut pairs = Pairs::default();
        for (one, row) in self.0.iter().enumerate() {
            for (other, count) in row.iter().enumerate() {
                pairs.0[one + other] += count;
            }
        }
        pairs
    }

    /// Their games.
    pub fn games(&self) -> Games {
        Sample(std::array::from_fn(|result| {
            let other: u64 = self.0.iter().map(|row| row[result]).sum();
            self.0[result].iter().sum::<u64>() + other
        }))
    }
}

/// The expectation of a function of the score, given the probabilities of the outcomes.
pub(super) fn moment<const N: usize>(probabilities: &[f64; N], what: impl Fn(f64) -> f64) -> f64 {
    let terms = (0..N).map(|i| probabilities[i] * what(Sample::<N>::worth(i)));
    terms.sum()
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

    #[test]
    fn scores_and_elo_are_inverse() {
        for points in [-400.0, -3.5, 0.0, 120.0] {
            assert!((elo(score_of(points)) - points).abs() < 1e-9);
        }
        assert!((score_of(400.0) - 10.0 / 11.0).abs() < 1e-9);
    }

    #[test]
    fn a_table_of_pairs_has_their_points_and_games() {
        let table = PairTable([[1, 0, 2], [0, 3, 4], [5, 0, 6]]);
        assert_eq!(table.count(), 21);
        assert_eq!(table.by_points(), Sample([1, 0, 10, 4, 6]));
        assert_eq!(table.games(), Sample([9, 10, 23]));
    }
}

//! The sign test: which of two players wins more of the pairs that somebody wins.
//!
//! Where openings decide most games, both games of most pairs go to the same side: such pairs tie, and say
//! nothing about who is stronger. Those that do not tie are as tosses of a fair coin if both players are
//! equally strong, whatever the openings (Arbuthnott 1710; Dixon and Mood 1946).

use statrs::distribution::{Binomial, DiscreteCDF};

use super::sample::Pairs;

/// The decisive pairs of a player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Decisive {
    /// Pairs with more than half of their points.
    pub won: u64,
    /// Pairs with less.
    pub lost: u64,
}

impl Decisive {
    /// The decisive ones of these pairs.
    pub fn of(pairs: &Pairs) -> Decisive {
        let [none, half, _, more, all] = pairs.0;
        Decisive {
            won: more + all,
            lost: none + half,
        }
    }

    /// The probability of a result at least as uneven if both players are equally strong (two-sided); 1
    /// without pairs.
    pub fn probability(self) -> f64 {
        let count = self.won + self.lost;
        match Binomial::new(0.5, count) {
            Ok(tosses) if count > 0 => (2.0 * tosses.cdf(self.won.min(self.lost))).min(1.0),
            _ => 1.0,
        }
    }

    /// That probability as text: `p = 0.049`, or `p < 0.001`.
    pub fn in_words(self) -> String {
        match self.probability() {
            ..0.001 => "p < 0.001".to_owned(),
            probability => format!("p = {probability:.3}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    /// `binomtest` of scipy 1.17.1 on a thousand tables.
    const SCIPY: &str = include_str!("sign_test.csv");

    #[test]
    fn probabilities_are_those_of_scipy() {
        let mut tables = 0;
        for line in SCIPY.lines().skip(1) {
            let mut words = line.split(',');
            let mut count = || words.next().unwrap().parse().unwrap();
            let table = Decisive {
                won: count(),
                lost: count(),
            };
            let expected: f64 = words.next().unwrap().parse().unwrap();
            let found = table.probability();
            let error = (found - expected).abs();
            assert!(
                error <= 1e-9 * expected + 1e-300,
                "{table:?}: {found}, {expected}"
            );
            tables += 1;
        }
        assert_eq!(tables, 1_000);
    }

    #[test]
    fn tied_pairs_decide_nothing() {
        let decisive = Decisive::of(&Sample([1, 2, 40, 4, 8]));
        assert_eq!(decisive, Decisive { won: 12, lost: 3 });
        let tied = Decisive::of(&Sample([0, 0, 40, 0, 0]));
        assert_eq!(tied.probability(), 1.0);
        let one = Decisive::of(&Sample([0, 0, 40, 0, 1]));
        assert!((one.probability() - 1.0).abs() < 1e-12);
    }
}

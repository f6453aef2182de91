//! Sums of results, and what they say of a mean.

use serde::{Deserialize, Serialize};

/// Results of games, added up in whole numbers: the order in which they are added, and so the number
/// of threads, changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Number of results.
    pub games: u64,
    /// Their sum.
    pub sum: i64,
    /// The sum of their squares.
    pub squares: i64,
}

impl Tally {
    /// Adds a result, at most 10⁶ in absolute value: then 9 million of them do not overflow.
    pub fn add(&mut self, result: i64) {
        self.games += 1;
        self.sum += result;
        self.squares += result * result;
    }

    /// Adds the results of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean result; 0 without results.
    pub fn mean(&self) -> f64 {
        if self.games == 0 {
            0.0
        } else {
            self.sum as f64 / self.games as f64
        }
    }

    /// The standard error of the mean; infinite with fewer than two results.
    pub fn standard_error(&self) -> f64 {
        if self.games < 2 {
            return f64::INFINITY;
        }
        let games = self.games as f64;
        let deviations = self.squares as f64 - games * self.mean() * self.mean();
        (deviations.max(0.0) / (games - 1.0) / games).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(results: &[i64]) -> Tally {
        let mut tally = Tally::default();
        results.iter().for_each(|&result| tally.add(result));
        tally
    }

    #[test]
    fn mean_and_error_are_those_of_the_results() {
        let tally = of(&[1, 2, 3, 6]);
        assert_eq!(tally.mean(), 3.0);
        // Variance 14/3 with one degree of freedom lost, over four results.
        assert!((tally.standard_error() - (14.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(of(&[5]).standard_error(), f64::INFINITY);
        assert_eq!(of(&[5, 5]).standard_error(), 0.0);
        assert_eq!(Tally::default().mean(), 0.0);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let mut one = of(&[4, -7]);
        one.merge(&of(&[9]));
        assert_eq!(one, of(&[9, 4, -7]));
    }
}

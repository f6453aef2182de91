//! Sequential halving: which of many arms is the best, within a budget of noisy results.
//!
//! In every round all arms that are left get the same number of results, and the worse half goes. As
//! the arms become fewer, each gets more results (Karnin, Koren and Somekh, *Almost Optimal
//! Exploration in Multi-Armed Bandits*, 2013). Let arms of a round meet the same chances, dice for
//! example: only the differences between them matter.

use serde::{Deserialize, Serialize};

use crate::tally::Tally;

/// The arms that are left, and their results in this round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halving {
    left: Vec<usize>,
    /// By arm.
    results: Vec<Tally>,
}

impl Halving {
    /// All arms, 0 to `count - 1`.
    pub fn new(count: usize) -> Halving {
        Halving {
            left: (0..count).collect(),
            results: vec![Tally::default(); count],
        }
    }

    /// The arms that are left; after the first round, best first.
    pub fn left(&self) -> &[usize] {
        &self.left
    }

    /// Adds results of an arm; larger is better.
    ///
    /// # Panics
    /// There is no such arm.
    pub fn record(&mut self, arm: usize, results: &Tally) {
        self.results[arm].merge(results);
    }

    /// Ends the round: the better half is left, rounded up, but at least `keep` arms. Of equal arms
    /// the one with the lower number is the better.
    pub fn halve(&mut self, keep: usize) {
        let results = &self.results;
        self.left.sort_by(|&one, &other| {
            let by_mean = results[other].mean().total_cmp(&results[one].mean());
            by_mean.then(one.cmp(&other))
        });
        self.left.truncate(self.left.len().div_ceil(2).max(keep));
        self.results.fill(Tally::default());
    }

    /// Whether the results and arms are those of `count` arms: a file may hold anything.
    pub(crate) fn fits(&self, count: usize) -> bool {
        let mut seen = vec![false; count];
        self.results.len() == count
            && !self.left.is_empty()
            && (self.left.iter())
                .all(|&arm| arm < count && !std::mem::replace(&mut seen[arm], true))
    }
}

#[cfg(test)]
mod tests {
    use engine_core::Rng;

    use super::*;

    #[test]
    fn the_better_half_is_left() {
        let mut halving = Halving::new(5);
        for arm in 0..5 {
            let mut results = Tally::default();
            results.add([3, 9, 3, 1, 7][arm]);
            halving.record(arm, &results);
        }
        halving.halve(1);
        assert_eq!(halving.left(), [1, 4, 0]);
        // Nothing is known of the next round: the lower numbers are left.
        halving.halve(2);
        assert_eq!(halving.left(), [0, 1]);
        halving.halve(2);
        assert_eq!(halving.left(), [0, 1]);
    }

    #[test]
    fn the_best_of_many_noisy_arms_is_found() {
        let mut rng = Rng::new(3);
        let found = (0..50).filter(|_| {
            let mut halving = Halving::new(64);
            while halving.left().len() > 1 {
                for arm in halving.left().to_vec() {
                    let mut results = Tally::default();
                    for _ in 0..6400 / halving.left().len() {
                        // Arm 10 wins 60 of 100 games, all others 50.
                        let wins = rng.below(100) < if arm == 10 { 60 } else { 50 };
                        results.add(wins.into());
                    }
                    halving.record(arm, &results);
                }
                halving.halve(1);
            }
            halving.left() == [10]
        });
        assert!(found.count() >= 45);
    }

    #[test]
    fn states_that_fit_no_number_of_arms_are_found() {
        let mut halving = Halving::new(3);
        assert!(halving.fits(3) && !halving.fits(4));
        halving.left = vec![1, 1];
        assert!(!halving.fits(3));
        halving.left = vec![3];
        assert!(!halving.fits(3));
        halving.left.clear();
        assert!(!halving.fits(3));
    }
}

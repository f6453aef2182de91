//! The arithmetic of Star1: windows through a chance node (Ballard, *The *-Minimax Search
//! Procedure for Trees Containing Chance Nodes*, 1983), in whole numbers.
//!
//! A chance node's value is its weighted sum of children, divided by the total weight and rounded
//! toward zero. Here windows of values are turned into windows of sums and of one child's value, so
//! that every cut is exact: the search returns what [`super::minimax`] returns.

use crate::score::Score;

/// The state of a chance node while its rolls are searched.
#[derive(Clone, Debug)]
pub(super) struct Star1 {
    total: i64,
    /// Largest size of any child's value.
    limit: i64,
    /// The node's value is at most alpha if and only if the sum is at most this.
    low: i64,
    /// The node's value is at least beta if and only if the sum is at least this.
    high: i64,
    /// Sum over the rolls searched so far, and the weight of the others.
    sum: i64,
    rest: i64,
}

/// What the value of one roll does to the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Search the next roll.
    Open,
    /// The node's value is this bound, outside its window, whatever the other rolls are worth.
    Cut(Score),
}

impl Star1 {
    /// A node with this window, whose children are worth at most ±`limit`, and whose weights sum
    /// to `total`.
    pub(super) fn new(alpha: Score, beta: Score, limit: Score, total: i32) -> Star1 {
        let total = total as i64;
        Star1 {
            total,
            limit: limit.value() as i64,
            low: largest_sum(alpha, total),
            high: -largest_sum(-beta, total),
            sum: 0,
            rest: total,
        }
    }

    /// The window in which the next roll, of this weight, must be searched: a value outside it
    /// decides the node.
    pub(super) fn window(&self, weight: i32) -> (Score, Score) {
        let rest = self.limit * (self.rest - weight as i64);
        let alpha = (self.low - self.sum - rest).div_euclid(weight as i64);
        let beta = -(self.sum - rest - self.high).div_euclid(weight as i64);
        (clamp(alpha), clamp(beta))
    }

    /// Takes in the value of that roll: exact, or a bound outside its window.
    pub(super) fn add(&mut self, weight: i32, value: Score, window: (Score, Score)) -> Verdict {
        self.rest -= weight as i64;
        self.sum += weight as i64 * value.value() as i64;
        let unknown = self.limit * self.rest;
        if value >= window.1 {
            Verdict::Cut(self.mean(self.sum - unknown))
        } else if value <= window.0 {
            Verdict::Cut(self.mean(self.sum + unknown))
        } else {
            Verdict::Open
        }
    }

    /// The node's value when all rolls have been searched.
    pub(super) fn value(&self) -> Score {
        debug_assert_eq!(self.rest, 0);
        self.mean(self.sum)
    }

    fn mean(&self, sum: i64) -> Score {
        Score::from_value((sum / self.total) as i32)
    }
}

/// The largest sum whose mean, rounded toward zero, is at most `value`.
fn largest_sum(value: Score, total: i64) -> i64 {
    let scaled = value.value() as i64 * total;
    if value.value() >= 0 {
        scaled + total - 1
    } else {
        scaled
    }
}

fn clamp(value: i64) -> Score {
    let limit = Score::INFINITY.value() as i64;
    Score::from_value(value.clamp(-limit, limit) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_means_agree_at_every_bound() {
        for total in 1..=7 {
            for value in -5..=5 {
                let largest = largest_sum(Score::points(value), total);
                assert!(largest / total <= value as i64, "{value} of {total}");
                assert!((largest + 1) / total > value as i64, "{value} of {total}");
            }
        }
    }

    /// Every pair of rolls, every window: a cut happens only where it is right, and its bound is
    /// one.
    #[test]
    fn cuts_are_right_for_all_small_nodes() {
        let limit = 3;
        for (first_weight, second_weight) in [(1, 1), (1, 3), (4, 2), (5, 1)] {
            let total = first_weight + second_weight;
            for alpha in -4..4 {
                for beta in alpha + 1..=4 {
                    for first in -limit..=limit {
                        for second in -limit..=limit {
                            let truth = (first * first_weight + second * second_weight) / total;
                            check_node(
                                alpha,
                                beta,
                                limit,
                                &[(first, first_weight), (second, second_weight)],
                                truth,
                            );
                        }
                    }
                }
            }
        }
    }

    fn check_node(alpha: i32, beta: i32, limit: i32, rolls: &[(i32, i32)], truth: i32) {
        let points = Score::points;
        let total = rolls.iter().map(|&(_, weight)| weight).sum();
        let mut star = Star1::new(points(alpha), points(beta), points(limit), total);
        let mut found = None;
        for &(value, weight) in rolls {
            let window = star.window(weight);
            if let Verdict::Cut(bound) = star.add(weight, points(value), window) {
                found = Some(bound);
                break;
            }
        }
        let found = found.unwrap_or_else(|| star.value()).value();
        let context = format!("window {alpha}..{beta}, rolls {rolls:?}: {found}, truth {truth}");
        if truth <= alpha {
            assert!(truth <= found && found <= alpha, "{context}");
        } else if truth >= beta {
            assert!(truth >= found && found >= beta, "{context}");
        } else {
            assert_eq!(found, truth, "{context}");
        }
    }
}

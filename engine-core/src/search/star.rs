//! The arithmetic of Star1 and Star2: windows through a chance node (Ballard, *The *-Minimax Search
//! Procedure for Trees Containing Chance Nodes*, 1983), in whole numbers.
//!
//! The value of a chance node is the weighted sum of its children's values, divided by the total
//! weight and rounded toward zero. The window of the node is converted to a window of that sum, and
//! to a window of one child's value, without rounding errors: the search returns exactly what
//! [`minimax`](crate::textbook::minimax::minimax) returns.

use crate::score::Score;
use crate::search::node::Window;

/// The state of a chance node while its rolls are searched.
#[derive(Clone, Debug)]
pub(super) struct Star {
    total: i64,
    /// Maximum absolute value of a child.
    limit: i64,
    /// The value of the node is at most alpha if and only if the sum is at most this.
    low: i64,
    /// The value of the node is at least beta if and only if the sum is at least this.
    high: i64,
    /// Sum over the rolls searched so far.
    sum: i64,
    /// Minimum and maximum that the unsearched rolls can add to the sum.
    remaining_low: i64,
    remaining_high: i64,
}

/// Whether the value of one roll causes a cutoff.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Search the next roll.
    Open,
    /// A cutoff: this bound of the node's value is outside the window, whatever the other rolls are
    /// worth.
    Cut(Score),
}

impl Star {
    /// A node with this window. The values of its children are within ±`limit`, and their weights
    /// sum to `total`.
    pub(super) fn new(window: Window, limit: Score, total: i32) -> Star {
        let total = total as i64;
        let limit = limit.value() as i64;
        Star {
            total,
            limit,
            low: largest_sum(window.alpha, total),
            high: -largest_sum(-window.beta, total),
            sum: 0,
            remaining_low: -limit * total,
            remaining_high: limit * total,
        }
    }

    /// Star2: a probe found that an unsearched roll of this weight is worth at least `bound`.
    pub(super) fn raise(&mut self, weight: i32, bound: Score) -> Verdict {
        self.remaining_low += weight as i64 * (bound.value() as i64 + self.limit);
        if self.sum + self.remaining_low >= self.high {
            Verdict::Cut(self.mean(self.sum + self.remaining_low))
        } else {
            Verdict::Open
        }
    }

    /// The window for the next roll, of this weight and worth at least `bound`. A value outside it
    /// causes a cutoff at the node.
    pub(super) fn window(&self, weight: i32, bound: Score) -> Window {
        let weight = weight as i64;
        let remaining_low = self.remaining_low - weight * bound.value() as i64;
        let remaining_high = self.remaining_high - weight * self.limit;
        let alpha = (self.low - self.sum - remaining_high).div_euclid(weight);
        let beta = -(self.sum + remaining_low - self.high).div_euclid(weight);
        Window::new(clamp(alpha), clamp(beta))
    }

    /// Adds the value of that roll: exact, or a bound outside its window.
    pub(super) fn add(
        &mut self,
        weight: i32,
        bound: Score,
        value: Score,
        window: Window,
    ) -> Verdict {
        let weight = weight as i64;
        self.remaining_low -= weight * bound.value() as i64;
        self.remaining_high -= weight * self.limit;
        self.sum += weight * value.value() as i64;
        if value >= window.beta {
            Verdict::Cut(self.mean(self.sum + self.remaining_low))
        } else if value <= window.alpha {
            Verdict::Cut(self.mean(self.sum + self.remaining_high))
        } else {
            Verdict::Open
        }
    }

    /// The value of the node after all rolls have been searched.
    pub(super) fn value(&self) -> Score {
        debug_assert_eq!(self.remaining_high, 0);
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

    /// Every pair of rolls and every window, with and without probes: every cutoff is correct, and
    /// so is its bound.
    #[test]
    fn cuts_are_right_for_all_small_nodes() {
        let limit = 3;
        for (first_weight, second_weight) in [(1, 1), (1, 3), (4, 2), (5, 1)] {
            for alpha in -4..4 {
                for beta in alpha + 1..=4 {
                    for first in -limit..=limit {
                        for second in -limit..=limit {
                            let rolls = [(first, first_weight), (second, second_weight)];
                            for probed in [None, Some(0), Some(1)] {
                                check_node((alpha, beta), limit, &rolls, probed);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Checks a node with these rolls. Probes, if any, find the value minus a slack.
    fn check_node(
        (alpha, beta): (i32, i32),
        limit: i32,
        rolls: &[(i32, i32)],
        probed: Option<i32>,
    ) {
        let points = Score::points;
        let total: i32 = rolls.iter().map(|&(_, weight)| weight).sum();
        let truth = rolls
            .iter()
            .map(|&(value, weight)| value * weight)
            .sum::<i32>()
            / total;
        let mut star = Star::new(
            Window::new(points(alpha), points(beta)),
            points(limit),
            total,
        );
        let bound = |value: i32| points(probed.map_or(-limit, |short| (value - short).max(-limit)));
        let mut found = None;
        if probed.is_some() {
            for &(value, weight) in rolls {
                if let Verdict::Cut(cut) = star.raise(weight, bound(value)) {
                    found = Some(cut);
                    break;
                }
            }
        }
        for &(value, weight) in rolls {
            if found.is_some() {
                break;
            }
            let window = star.window(weight, bound(value));
            assert!(window.alpha < window.beta);
            if let Verdict::Cut(cut) = star.add(weight, bound(value), points(value), window) {
                found = Some(cut);
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

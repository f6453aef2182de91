//! The arithmetic of Star1 and Star2: windows through a chance node (Ballard, *The *-Minimax Search
//! Procedure for Trees Containing Chance Nodes*, 1983), in whole numbers.
//!
//! A chance node's value is its weighted sum of children, divided by the total weight and rounded
//! toward zero. Here windows of values are turned into windows of sums and of one child's value, so
//! that every cut is exact: the search returns what [`super::minimax`] returns.

use crate::score::Score;
use crate::search::node::Window;

/// The state of a chance node while its rolls are searched.
#[derive(Clone, Debug)]
pub(super) struct Star {
    total: i64,
    /// Largest size of any child's value.
    limit: i64,
    /// The node's value is at most alpha if and only if the sum is at most this.
    low: i64,
    /// The node's value is at least beta if and only if the sum is at least this.
    high: i64,
    /// Sum over the rolls searched so far.
    sum: i64,
    /// What the others can add at least, and at most.
    rest_low: i64,
    rest_high: i64,
}

/// What the value of one roll does to the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Search the next roll.
    Open,
    /// The node's value is this bound, outside its window, whatever the other rolls are worth.
    Cut(Score),
}

impl Star {
    /// A node with this window, whose children are worth at most ±`limit`, and whose weights sum
    /// to `total`.
    pub(super) fn new(window: Window, limit: Score, total: i32) -> Star {
        let total = total as i64;
        let limit = limit.value() as i64;
        Star {
            total,
            limit,
            low: largest_sum(window.alpha, total),
            high: -largest_sum(-window.beta, total),
            sum: 0,
            rest_low: -limit * total,
            rest_high: limit * total,
        }
    }

    /// A probe has shown that a roll of this weight, of which nothing was known, is worth at least
    /// `bound` (Star2).
    pub(super) fn raise(&mut self, weight: i32, bound: Score) -> Verdict {
        self.rest_low += weight as i64 * (bound.value() as i64 + self.limit);
        if self.sum + self.rest_low >= self.high {
            Verdict::Cut(self.mean(self.sum + self.rest_low))
        } else {
            Verdict::Open
        }
    }

    /// The window in which the next roll, of this weight and known to be worth at least `bound`,
    /// must be searched: a value outside it decides the node.
    pub(super) fn window(&self, weight: i32, bound: Score) -> Window {
        let weight = weight as i64;
        let rest_low = self.rest_low - weight * bound.value() as i64;
        let rest_high = self.rest_high - weight * self.limit;
        let alpha = (self.low - self.sum - rest_high).div_euclid(weight);
        let beta = -(self.sum + rest_low - self.high).div_euclid(weight);
        Window::new(clamp(alpha), clamp(beta))
    }

    /// Takes in the value of that roll: exact, or a bound outside its window.
    pub(super) fn add(
        &mut self,
        weight: i32,
        bound: Score,
        value: Score,
        window: Window,
    ) -> Verdict {
        let weight = weight as i64;
        self.rest_low -= weight * bound.value() as i64;
        self.rest_high -= weight * self.limit;
        self.sum += weight * value.value() as i64;
        if value >= window.beta {
            Verdict::Cut(self.mean(self.sum + self.rest_low))
        } else if value <= window.alpha {
            Verdict::Cut(self.mean(self.sum + self.rest_high))
        } else {
            Verdict::Open
        }
    }

    /// The node's value when all rolls have been searched.
    pub(super) fn value(&self) -> Score {
        debug_assert_eq!(self.rest_high, 0);
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

    /// Every pair of rolls, every window, with and without probes: a cut happens only where it is
    /// right, and its bound is one.
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

    /// A node of these rolls; the probes, if any, fall short of the values by so much.
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

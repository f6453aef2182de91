//! Proven bounds of the value of a node.
//!
//! MCTS-Solver (Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, 2008) proves wins
//! and losses; Score Bounded MCTS (Cazenave and Saffidine, 2010) generalises it to results with a
//! margin.

use crate::position::{Position, Side};
use crate::score::Score;

/// Proven bounds of the value for `First`, in points of [`Score`]. Absolute, so that they stay
/// valid when the root changes. A win is ±[`Bounds::WIN`] whatever its length, a draw is 0, a
/// margin is itself; a chance node has the expectation, rounded toward zero as in tree search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Bounds {
    /// The value of a win for `First`.
    pub(super) const WIN: i32 = Score::WIN.value();
    /// Nothing is proven.
    pub(super) const UNKNOWN: Bounds = Bounds {
        low: -Self::WIN,
        high: Self::WIN,
    };
    /// Number of bits that [`Bounds::to_bits`] uses.
    pub(super) const BITS: u32 = 42;

    /// An exactly known value.
    pub(super) const fn exact(value: i32) -> Bounds {
        Bounds {
            low: value,
            high: value,
        }
    }

    /// The value of a finished position; `None` while the game goes on.
    #[inline]
    pub(super) fn of_end<P: Position>(position: &P) -> Option<Bounds> {
        position.outcome()?;
        let score = position.terminal(0)?;
        let value = match (score.plies_to_win(), score.plies_to_loss()) {
            (Some(_), _) => Self::WIN,
            (_, Some(_)) => -Self::WIN,
            _ => score.value(),
        };
        Some(Self::exact(match position.side() {
            Side::First => value,
            Side::Second => -value,
        }))
    }

    /// The exact value, if it is proven.
    #[inline]
    pub(super) fn value(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// The bounds from the view of `side`: the least it is guaranteed, and the most it can reach.
    /// Its own inverse.
    #[inline]
    pub(super) fn of(self, side: Side) -> Bounds {
        match side {
            Side::First => self,
            Side::Second => Bounds {
                low: -self.high,
                high: -self.low,
            },
        }
    }

    /// Packs the bounds into 42 bits; [`Bounds::UNKNOWN`] is 0.
    #[inline]
    pub(super) fn to_bits(self) -> u64 {
        (self.low + Self::WIN) as u64 | ((Self::WIN - self.high) as u64) << 21
    }

    /// The inverse of [`Bounds::to_bits`]; higher bits are ignored.
    #[inline]
    pub(super) fn from_bits(bits: u64) -> Bounds {
        const MASK: u64 = (1 << 21) - 1;
        Bounds {
            low: (bits & MASK) as i32 - Self::WIN,
            high: Self::WIN - (bits >> 21 & MASK) as i32,
        }
    }

    /// The points of `First`, 0 to 1, that a proven value counts as in a playout. With dice it is
    /// linear in the score, so that expectations are means of results; otherwise it is 1, ½ or 0.
    #[inline]
    pub(super) fn points_of<P: Position>(value: i32) -> f32 {
        let win = if P::HAS_CHANCE {
            value as f32 / P::MAX_SCORE.value() as f32
        } else {
            value.signum() as f32
        };
        0.5 + 0.5 * win.clamp(-1.0, 1.0)
    }

    /// The intersection of two bounds.
    pub(super) fn intersect(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// The bounds of a node where `side` chooses, from its children. If the children are
    /// `incomplete`, the node is worth at least the best of them and may be worth more.
    pub(super) fn of_choice(
        children: impl Iterator<Item = Bounds>,
        side: Side,
        incomplete: bool,
    ) -> Bounds {
        let (mut low, mut high) = (-Self::WIN, -Self::WIN);
        for child in children.map(|child| child.of(side)) {
            low = low.max(child.low);
            high = high.max(child.high);
        }
        if incomplete {
            high = Self::WIN;
        }
        Bounds { low, high }.of(side)
    }

    /// The bounds of a chance node from its rolls and their weights: the expectation of each bound.
    /// No score of the game is larger than `most`.
    pub(super) fn of_rolls(rolls: impl Iterator<Item = (Bounds, i32)>, most: Score) -> Bounds {
        let most = most.value();
        let (mut low, mut high, mut weights) = (0i64, 0i64, 0i64);
        for (bounds, weight) in rolls {
            low += bounds.low.max(-most) as i64 * weight as i64;
            high += bounds.high.min(most) as i64 * weight as i64;
            weights += weight as i64;
        }
        let weights = weights.max(1);
        Bounds {
            low: (low / weights) as i32,
            high: (high / weights) as i32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(low: i32, high: i32) -> Bounds {
        Bounds { low, high }
    }

    #[test]
    fn bounds_are_their_bits() {
        assert_eq!(Bounds::UNKNOWN.to_bits(), 0);
        for value in [-Bounds::WIN, -7, 0, 5, Bounds::WIN] {
            for b in [Bounds::exact(value), bounds(value, Bounds::WIN)] {
                assert_eq!(Bounds::from_bits(b.to_bits()), b);
                assert!(b.to_bits() >> Bounds::BITS == 0);
            }
        }
    }

    #[test]
    fn a_side_has_the_best_of_its_moves() {
        let children = [bounds(-3, 4), bounds(1, 2)];
        let of = |side, incomplete| Bounds::of_choice(children.into_iter(), side, incomplete);
        assert_eq!(of(Side::First, false), bounds(1, 4));
        assert_eq!(of(Side::Second, false), bounds(-3, 2));
        assert_eq!(of(Side::First, true), bounds(1, Bounds::WIN));
        assert_eq!(of(Side::Second, true), bounds(-Bounds::WIN, 2));
    }

    #[test]
    fn dice_have_the_expectation() {
        let rolls = [(bounds(-3, 6), 1), (Bounds::exact(-5), 2)];
        let of = |most| Bounds::of_rolls(rolls.into_iter(), Score::points(most));
        assert_eq!(of(100), bounds(-4, -1));
        let unknown = [(Bounds::UNKNOWN, 1), (Bounds::exact(9), 2)];
        let of_unknown = Bounds::of_rolls(unknown.into_iter(), Score::points(9));
        assert_eq!(of_unknown, bounds(3, 9));
    }
}

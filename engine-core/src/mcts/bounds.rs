//! What is proven of a node: bounds of its value.
//!
//! MCTS-Solver (Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, 2008) is the case of
//! wins and losses; Score Bounded MCTS (Cazenave and Saffidine, 2010) that of results with a size.

use crate::position::{Position, Side};
use crate::score::Score;

/// Absolute bounds of the value for `First`, in points of [`Score`]: they outlive the search that
/// finds them. A win is ±[`Bounds::WIN`] whatever its length, a draw 0, a margin itself, and a chance
/// node the expectation, rounded toward zero as in tree search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Bounds {
    /// The value of a win of `First`.
    pub(super) const WIN: i32 = Score::WIN.value();
    /// Nothing is known.
    pub(super) const UNKNOWN: Bounds = Bounds {
        low: -Self::WIN,
        high: Self::WIN,
    };
    /// How many bits [`Bounds::to_bits`] takes.
    pub(super) const BITS: u32 = 42;

    /// The value is known.
    pub(super) const fn exact(value: i32) -> Bounds {
        Bounds {
            low: value,
            high: value,
        }
    }

    /// The value of a position that is over; `None` while the game goes on.
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

    /// The value, if it is known.
    #[inline]
    pub(super) fn value(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// The same from the view of a side: what it is sure of, and the most it can hope for.
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

    /// As 42 bits, 0 for [`Bounds::UNKNOWN`].
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

    /// The points of `First`, 0 to 1, that a known value stands for in a playout: where there are
    /// dice a share of the largest score, so that expectations are means of results; else who wins.
    #[inline]
    pub(super) fn points_of<P: Position>(value: i32) -> f32 {
        let win = if P::HAS_CHANCE {
            value as f32 / P::MAX_SCORE.value() as f32
        } else {
            value.signum() as f32
        };
        0.5 + 0.5 * win.clamp(-1.0, 1.0)
    }

    /// Both at once.
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// What the children of a node prove of it, where `side` chooses among them. In a `narrow` node
    /// moves are missing: it is worth at least the best of the others, and may be worth more.
    pub(super) fn of_choice(
        children: impl Iterator<Item = Bounds>,
        side: Side,
        narrow: bool,
    ) -> Bounds {
        let (mut low, mut high) = (-Self::WIN, -Self::WIN);
        for child in children.map(|child| child.of(side)) {
            low = low.max(child.low);
            high = high.max(child.high);
        }
        if narrow {
            high = Self::WIN;
        }
        Bounds { low, high }.of(side)
    }

    /// What the rolls of a node, with their weights, prove of it: the expectation of each bound. No
    /// score of the game is larger than `most`.
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
        let of = |side, narrow| Bounds::of_choice(children.into_iter(), side, narrow);
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

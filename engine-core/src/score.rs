//! Scores: evaluations, wins in n plies, margins.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move, in a game's own points.
///
/// Scores of ±([`Score::WIN`] − plies) are proven wins and losses. All others, within
/// ±[`Score::MAX_EVAL`], are evaluations, exact margins or expectations over dice. Every score fits
/// into 22 signed bits, and no operation here leaves that range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// The score of a draw.
    pub const DRAW: Score = Score(0);
    /// A win in 0 plies.
    pub const WIN: Score = Score(1_000_000);
    /// A loss in 0 plies.
    pub const LOSS: Score = Score(-1_000_000);
    /// Maximum length of a win, in plies from the root; also the maximum ply of a search.
    pub const MAX_PLY: u32 = 1_000;
    /// The largest score that is not a proven win.
    pub const MAX_EVAL: Score = Score(1_000_000 - Score::MAX_PLY as i32 - 1);
    /// Above every score: an open window's upper end.
    pub const INFINITY: Score = Score(1_000_001);

    /// A score of `points` points, clamped to ±[`Score::MAX_EVAL`], so that no evaluation looks
    /// like a proven score.
    #[inline]
    pub const fn points(points: i32) -> Score {
        if points > Self::MAX_EVAL.0 {
            Self::MAX_EVAL
        } else if points < -Self::MAX_EVAL.0 {
            Score(-Self::MAX_EVAL.0)
        } else {
            Score(points)
        }
    }

    /// A win after `plies` plies, at most [`Score::MAX_PLY`].
    #[inline]
    pub const fn win_in(plies: u32) -> Score {
        debug_assert!(plies <= Self::MAX_PLY);
        Score(Self::WIN.0 - plies as i32)
    }

    /// A loss after `plies` plies, at most [`Score::MAX_PLY`].
    #[inline]
    pub const fn loss_in(plies: u32) -> Score {
        debug_assert!(plies <= Self::MAX_PLY);
        Score(plies as i32 - Self::WIN.0)
    }

    /// The numeric value, −1 000 001 to 1 000 001.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The inverse of [`Score::value`].
    ///
    /// # Panics
    /// In debug builds, if `value` is outside ±1 000 001.
    #[inline]
    pub const fn from_value(value: i32) -> Score {
        debug_assert!(value.abs() <= Self::INFINITY.0);
        Score(value)
    }

    /// Plies to a proven win of the side to move; `None` if this is no such score.
    #[inline]
    pub const fn plies_to_win(self) -> Option<u32> {
        if self.0 > Self::MAX_EVAL.0 {
            Some((Self::WIN.0 - self.0) as u32)
        } else {
            None
        }
    }

    /// Plies to a proven loss of the side to move; `None` if this is no such score.
    #[inline]
    pub const fn plies_to_loss(self) -> Option<u32> {
        Score(-self.0).plies_to_win()
    }

    /// Whether this is a proven win or loss.
    #[inline]
    pub const fn is_proven(self) -> bool {
        self.0.abs() > Self::MAX_EVAL.0
    }

    /// Whether this is a proven win or loss within `depth` plies. A search to `depth` finds no
    /// shorter win and no longer defence, so its value is then final.
    #[inline]
    pub const fn is_proven_within(self, depth: u32) -> bool {
        self.0.abs() >= Self::WIN.0 - depth as i32
    }

    /// Converts a score counted from the root to one counted from a node `ply` plies below it. The
    /// table stores this form, so that wins are correct wherever the node is reached. A bound that no
    /// score of the node can reach becomes the best or worst of them.
    #[inline]
    pub const fn from_root(self, ply: u32) -> Score {
        match (self.plies_to_win(), self.plies_to_loss()) {
            (Some(_), _) => Score(least(self.0 + ply as i32, Self::WIN.0)),
            (_, Some(_)) => Score(-least(ply as i32 - self.0, Self::WIN.0)),
            _ => self,
        }
    }

    /// The inverse of [`Score::from_root`].
    #[inline]
    pub const fn to_root(self, ply: u32) -> Score {
        match (self.plies_to_win(), self.plies_to_loss()) {
            (Some(_), _) => Score(self.0 - ply as i32),
            (_, Some(_)) => Score(self.0 + ply as i32),
            _ => self,
        }
    }
}

/// The smaller number; `Ord::min` is not `const`.
const fn least(one: i32, other: i32) -> i32 {
    if one < other { one } else { other }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Moves a window bound by points; saturates at ±[`Score::INFINITY`].
impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, points: i32) -> Score {
        Score(
            self.0
                .saturating_add(points)
                .clamp(-Self::INFINITY.0, Self::INFINITY.0),
        )
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, points: i32) -> Score {
        Score(
            self.0
                .saturating_sub(points)
                .clamp(-Self::INFINITY.0, Self::INFINITY.0),
        )
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.plies_to_win(), self.plies_to_loss()) {
            _ if self.0.abs() == Self::INFINITY.0 => {
                write!(f, "{}∞", if self.0 < 0 { "-" } else { "" })
            }
            (Some(plies), _) => write!(f, "win in {plies}"),
            (_, Some(plies)) => write!(f, "loss in {plies}"),
            _ => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        assert!(Score::win_in(1) > Score::win_in(3));
        assert!(Score::loss_in(4) > Score::loss_in(2));
        assert!(Score::win_in(Score::MAX_PLY) > Score::MAX_EVAL);
        assert_eq!(-Score::win_in(7), Score::loss_in(7));
    }

    #[test]
    fn evaluations_are_never_proofs() {
        for points in [i32::MIN, -1_000_000, 0, 5, 999_000, i32::MAX] {
            assert!(!Score::points(points).is_proven(), "{points}");
        }
        assert!(Score::win_in(Score::MAX_PLY).is_proven());
    }

    #[test]
    fn rerooting_round_trips_and_leaves_evaluations_alone() {
        for score in [
            Score::win_in(12),
            Score::loss_in(12),
            Score::points(31),
            Score::DRAW,
        ] {
            assert_eq!(score.from_root(5).to_root(5), score);
            assert_eq!((-score).from_root(5).to_root(5), -score);
        }
        assert_eq!(Score::win_in(12).from_root(5), Score::win_in(7));
        assert_eq!(Score::loss_in(12).from_root(5), Score::loss_in(7));
        assert_eq!(Score::points(31).from_root(5), Score::points(31));
        // Bounds of a fail-hard search that no value below the root can reach.
        for bound in [Score::INFINITY, Score::win_in(3)] {
            assert_eq!(bound.from_root(5), Score::WIN);
            assert_eq!((-bound).from_root(5), Score::LOSS);
        }
    }

    #[test]
    fn windows_saturate() {
        assert_eq!(Score::INFINITY + 5, Score::INFINITY);
        assert_eq!(-Score::INFINITY - 5, -Score::INFINITY);
        assert_eq!(Score::points(10) - 15, Score::points(-5));
    }
}

//! The value of the root by null windows only: MTD(f) and bisection.

use crate::score::Score;
use crate::search::counter::Value;

/// Maximum number of null windows; then one open window is searched. With a table that loses
/// entries the bounds could otherwise advance point by point.
const PASSES: u32 = 40;

/// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, *Best-first fixed-depth minimax algorithms*,
/// 1996): starting from a guess, null windows at the last bound found until lower and upper bound
/// meet. The result may be off by less than `grain` points (at least 1).
pub(super) fn mtdf(
    guess: Score,
    grain: i32,
    search: &mut impl FnMut(Score, Score) -> Value,
) -> Value {
    let mut range = Range::all();
    let mut beta = guess;
    for _ in 0..PASSES {
        if range.is_closed(grain) {
            return Ok(range.lower);
        }
        let score = range.test(beta, search)?;
        // Step by `grain` from the bound found: by one point if values are exact.
        beta = if score == range.lower {
            score + grain
        } else {
            score + (1 - grain)
        };
    }
    range.open_search(search)
}

/// Bisection: null windows in the middle of the remaining range (the C* of Coplan 1982). The first
/// range holds all possible scores.
pub(super) fn bisection(search: &mut impl FnMut(Score, Score) -> Value) -> Value {
    let mut range = Range::all();
    for _ in 0..PASSES {
        if range.is_closed(1) {
            return Ok(range.lower);
        }
        let middle = (range.lower.value() + range.upper.value()).div_euclid(2) + 1;
        range.test(Score::from_value(middle), search)?;
    }
    range.open_search(search)
}

/// Lower and upper bound of a value.
struct Range {
    lower: Score,
    upper: Score,
}

impl Range {
    fn all() -> Range {
        Range {
            lower: -Score::INFINITY,
            upper: Score::INFINITY,
        }
    }

    /// Whether the bounds have met, or crossed because of a contradiction in the table.
    fn is_closed(&self, grain: i32) -> bool {
        self.upper.value() - self.lower.value() < grain
    }

    /// Tests by a null window whether the value is at least `beta`, which is clamped into the
    /// range. Updates the bounds and returns the score.
    fn test(&mut self, beta: Score, search: &mut impl FnMut(Score, Score) -> Value) -> Value {
        let beta = beta.clamp(self.lower + 1, self.upper);
        let score = search(beta - 1, beta)?;
        if score >= beta {
            self.lower = score;
        } else {
            self.upper = score;
        }
        Ok(score)
    }

    /// The value by a search in a window that contains the remaining range.
    fn open_search(&self, search: &mut impl FnMut(Score, Score) -> Value) -> Value {
        search(self.lower - 1, self.upper + 1)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A driver of the root: takes a guess and a search function.
    type Drive<'a> = dyn Fn(Score, &mut dyn FnMut(Score, Score) -> Value) -> Value + 'a;

    /// Tests a driver on roots of all kinds of values. The search is fail-soft with bounds as
    /// tight, or as loose, as allowed.
    pub(in crate::search) fn check_all_roots(drive: &Drive<'_>) {
        let values = [-1_000_000, -999_990, -500, -3, 0, 1, 40, 999_995, 1_000_000];
        for value in values.map(Score::from_value) {
            for guess in values.map(Score::from_value) {
                for slack in [0, 5, 100] {
                    let mut search = |alpha: Score, beta: Score| {
                        assert!(alpha < beta, "an empty window {alpha:?}..{beta:?}");
                        Ok(if value <= alpha {
                            (value + slack).min(alpha)
                        } else if value >= beta {
                            (value - slack).max(beta)
                        } else {
                            value
                        })
                    };
                    assert_eq!(drive(guess, &mut search), Ok(value), "{guess:?} {slack}");
                }
            }
        }
    }

    #[test]
    fn null_windows_find_every_value() {
        check_all_roots(&|guess, search| mtdf(guess, 1, &mut &mut *search));
        check_all_roots(&|_, search| bisection(&mut &mut *search));
    }

    #[test]
    fn a_coarse_value_is_less_than_a_grain_away() {
        for grain in [2, 10] {
            for value in -50..=50 {
                for guess in [-30, 0, 7] {
                    let value = Score::points(value);
                    let mut search = |alpha, beta| Ok(value.clamp(alpha, beta));
                    let found = mtdf(Score::points(guess), grain, &mut search).unwrap();
                    assert!((found.value() - value.value()).abs() < grain, "{found:?}");
                }
            }
        }
    }

    #[test]
    fn bounds_that_creep_end_in_an_open_window() {
        let mut windows = 0;
        let mut search = |alpha: Score, beta: Score| {
            windows += 1;
            let value = Score::points(5000);
            Ok(value.clamp(alpha, beta))
        };
        let found = mtdf(Score::points(0), 1, &mut search);
        assert_eq!(found, Ok(Score::points(5000)));
        assert_eq!(windows, PASSES + 1);
    }
}

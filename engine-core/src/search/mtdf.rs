//! The value of a root by null windows alone.

use crate::score::Score;
use crate::search::meter::Value;

/// So many null windows are tried, before the rest is searched in one open window: a table that loses
/// entries could else have bounds creep along point by point.
const PASSES: u32 = 40;

/// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, *Best-first fixed-depth minimax algorithms*, 1996):
/// from a first guess, null windows at the bound just found, until lower and upper bound meet.
/// Values closer than `grain` points, at least 1, are not told apart.
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
        // Steps of a grain from the bound found; of one point where values are exact.
        beta = if score == range.lower {
            score + grain
        } else {
            score + (1 - grain)
        };
    }
    range.open_search(search)
}

/// Null windows in the middle of the range that is left (the C* of Coplan 1982). The first range is
/// all that a score can be.
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

/// What is known of a value.
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

    /// Whether the bounds have met, or, where a table has contradicted itself, passed each other.
    fn is_closed(&self, grain: i32) -> bool {
        self.upper.value() - self.lower.value() < grain
    }

    /// Whether the value is `beta` or more, which is moved into the range.
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

    /// The value, searched in a window that holds what is left of the range.
    fn open_search(&self, search: &mut impl FnMut(Score, Score) -> Value) -> Value {
        search(self.lower - 1, self.upper + 1)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// How a root is driven: from a guess, by a search.
    type Drive<'a> = dyn Fn(Score, &mut dyn FnMut(Score, Score) -> Value) -> Value + 'a;

    /// Roots of all kinds of values, searched fail-soft with bounds that are tight, or as loose as
    /// they may be.
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

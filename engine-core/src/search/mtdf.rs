//! MTD(f): the value of the root by null windows only.

use crate::score::Score;
use crate::search::counter::Value;
use crate::search::node::Window;

/// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, *Best-first fixed-depth minimax algorithms*,
/// 1996): starting from a guess, null windows at the last bound found until lower and upper bound
/// meet.
pub(super) fn mtdf(guess: Score, search: &mut impl FnMut(Window) -> Value) -> Value {
    let mut range = Range::all();
    let mut beta = guess;
    while range.is_open() {
        let score = range.test(beta, search)?;
        beta = if score == range.lower {
            score + 1
        } else {
            score
        };
    }
    range.value(search)
}

/// Maximum number of null windows; then one open window is searched. With a table that loses
/// entries the bounds could otherwise advance point by point.
const PASSES: u32 = 40;

/// Lower and upper bound of a value that null windows search.
pub struct Range {
    lower: Score,
    upper: Score,
    /// Number of null windows so far.
    passes: u32,
}

impl Range {
    /// The range of all values.
    pub fn all() -> Range {
        Range {
            lower: -Score::INFINITY,
            upper: Score::INFINITY,
            passes: 0,
        }
    }

    /// Whether another null window is worth it. The bounds meet when the value is found; they cross
    /// if the table contradicts itself.
    pub fn is_open(&self) -> bool {
        self.lower < self.upper && self.passes < PASSES
    }

    /// The bound in the middle of the range.
    pub fn middle(&self) -> Score {
        Score::from_value((self.lower.value() + self.upper.value()).div_euclid(2) + 1)
    }

    /// Tests by a null window whether the value is at least `beta`, which is clamped into the
    /// range. Updates the bounds and returns the score.
    ///
    /// # Errors
    /// The search was stopped.
    pub fn test(&mut self, beta: Score, search: &mut impl FnMut(Window) -> Value) -> Value {
        let beta = beta.clamp(self.lower + 1, self.upper);
        let score = search(Window::above(beta - 1))?;
        self.passes += 1;
        if score >= beta {
            self.lower = score;
        } else {
            self.upper = score;
        }
        Ok(score)
    }

    /// The value: by a search in a window that contains the range, if it is not closed.
    ///
    /// # Errors
    /// The search was stopped.
    pub fn value(&self, search: &mut impl FnMut(Window) -> Value) -> Value {
        if self.lower >= self.upper {
            Ok(self.lower)
        } else {
            search(Window::new(self.lower - 1, self.upper + 1))
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A driver of the root: takes a guess and a search function.
    type Drive<'a> = dyn Fn(Score, &mut dyn FnMut(Window) -> Value) -> Value + 'a;

    /// Tests a driver on roots of all kinds of values. The search is fail-soft with bounds as
    /// tight, or as loose, as allowed.
    pub(in crate::search) fn check_all_roots(drive: &Drive<'_>) {
        let values = [-1_000_000, -999_990, -500, -3, 0, 1, 40, 999_995, 1_000_000];
        for value in values.map(Score::from_value) {
            for guess in values.map(Score::from_value) {
                for slack in [0, 5, 100] {
                    let mut search = |Window { alpha, beta }| {
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
        check_all_roots(&|guess, search| mtdf(guess, &mut &mut *search));
    }

    #[test]
    fn bounds_that_creep_end_in_an_open_window() {
        let mut windows = 0;
        let mut search = |Window { alpha, beta }| {
            windows += 1;
            let value = Score::points(5000);
            Ok(value.clamp(alpha, beta))
        };
        let found = mtdf(Score::points(0), &mut search);
        assert_eq!(found, Ok(Score::points(5000)));
        assert_eq!(windows, PASSES + 1);
    }
}

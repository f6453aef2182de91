//! Aspiration windows (Slate and Atkin 1977; Marsland 1983): the root is searched in a small window
//! around the value of the last iteration. After a fail low or fail high the window is widened on
//! that side.

use crate::score::Score;
use crate::search::counter::Value;

/// The value of the root. `search` searches it in a given window and is fail-soft. `half`, at least
/// 1, is half the size of the first window. After a failure the step doubles, or is infinite if
/// `full`.
pub(super) fn aspiration(
    guess: Score,
    half: i32,
    full: bool,
    search: &mut impl FnMut(Score, Score) -> Value,
) -> Value {
    let mut step = half.max(1);
    let (mut alpha, mut beta) = (guess - step, guess + step);
    let (mut low, mut high) = (false, false);
    loop {
        let score = search(alpha, beta)?;
        step = if full {
            Score::INFINITY.value()
        } else {
            step.saturating_mul(2)
        };
        low |= score <= alpha;
        high |= score >= beta;
        if low && high {
            // Results of deeper searches in the table can make the two bounds contradict each
            // other.
            return search(-Score::INFINITY, Score::INFINITY);
        }
        if score <= alpha && alpha > -Score::INFINITY {
            // Fail-soft: the value is no better than `score`.
            beta = alpha + 1;
            alpha = score - step;
        } else if score >= beta && beta < Score::INFINITY {
            alpha = beta - 1;
            beta = score + step;
        } else {
            return Ok(score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mtdf::tests::check_all_roots;

    #[test]
    fn bounds_that_contradict_each_other_end_in_an_open_window() {
        for full in [false, true] {
            let mut windows = 0;
            let mut search = |alpha: Score, beta: Score| {
                windows += 1;
                assert!(windows < 100, "no end of it");
                let is_open = alpha == -Score::INFINITY && beta == Score::INFINITY;
                // The value looks like 0 from above and like 10 from below.
                Ok(match alpha.value() {
                    _ if is_open => Score::points(7),
                    0.. => Score::points(0),
                    _ => Score::points(10).max(beta),
                })
            };
            let found = aspiration(Score::points(5), 1, full, &mut search);
            assert_eq!(found, Ok(Score::points(7)));
        }
    }

    #[test]
    fn every_value_is_found_from_every_guess() {
        for full in [false, true] {
            for half in [1, 7] {
                check_all_roots(&|guess, search| aspiration(guess, half, full, &mut &mut *search));
            }
        }
    }
}

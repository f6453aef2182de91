//! Aspiration windows (Slate and Atkin 1977; Marsland 1983): the root is searched in a small window
//! around the value of the last iteration. After a fail low or fail high the window is widened on
//! that side.

use crate::score::Score;
use crate::search::counter::Value;
use crate::search::node::Window;

/// The value of the root. `search` searches it in a given window and is fail-soft. `half`, at least
/// 1, is half the size of the first window. After a failure the step doubles.
pub(super) fn aspiration(
    guess: Score,
    half: i32,
    search: &mut impl FnMut(Window) -> Value,
) -> Value {
    let mut step = half.max(1);
    let (mut alpha, mut beta) = (guess - step, guess + step);
    let (mut low, mut high) = (false, false);
    loop {
        let score = search(Window::new(alpha, beta))?;
        step = step.saturating_mul(2);
        low |= score <= alpha;
        high |= score >= beta;
        if low && high {
            // Results of deeper searches in the table can make the two bounds contradict each
            // other.
            return search(Window::OPEN);
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
        let mut windows = 0;
        let mut search = |window: Window| {
            windows += 1;
            assert!(windows < 100, "no end of it");
            // The value looks like 0 from above and like 10 from below.
            Ok(match window.alpha.value() {
                _ if window == Window::OPEN => Score::points(7),
                0.. => Score::points(0),
                _ => Score::points(10).max(window.beta),
            })
        };
        let found = aspiration(Score::points(5), 1, &mut search);
        assert_eq!(found, Ok(Score::points(7)));
    }

    #[test]
    fn every_value_is_found_from_every_guess() {
        for half in [1, 7] {
            check_all_roots(&|guess, search| aspiration(guess, half, &mut &mut *search));
        }
    }
}

//! Windows at the root: an aspiration window, and bisection.

use engine_core::score::Score;
use engine_core::search::parts::{Range, Value, Window};

/// The value by an aspiration window (Slate and Atkin 1977) from `half` points below the guess, at
/// least 1, to `half` above it. After a fail low or fail high the window is fully opened.
pub(super) fn aspiration(
    guess: Score,
    half: i32,
    search: &mut impl FnMut(Window) -> Value,
) -> Value {
    let window = Window::new(guess - half.max(1), guess + half.max(1));
    let score = search(window)?;
    if window.holds(score) {
        Ok(score)
    } else {
        search(Window::OPEN)
    }
}

/// The value by null windows in the middle of the remaining range (the C* of Coplan 1982). The
/// first range holds all possible scores.
pub(super) fn bisection(search: &mut impl FnMut(Window) -> Value) -> Value {
    let mut range = Range::all();
    while range.is_open() {
        range.test(range.middle(), search)?;
    }
    range.value(search)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search of a root worth `value`: fail-soft, its bounds off by `slack` where a window allows it.
    fn root(value: Score, slack: i32) -> impl FnMut(Window) -> Value {
        move |Window { alpha, beta }| {
            assert!(alpha < beta, "an empty window {alpha:?}..{beta:?}");
            Ok(if value <= alpha {
                (value + slack).min(alpha)
            } else if value >= beta {
                (value - slack).max(beta)
            } else {
                value
            })
        }
    }

    #[test]
    fn every_value_is_found_from_every_guess() {
        let values = [-1_000_000, -999_990, -500, -3, 0, 1, 40, 999_995, 1_000_000];
        for value in values.map(Score::from_value) {
            for slack in [0, 5, 100] {
                for guess in values.map(Score::from_value) {
                    for half in [1, 7] {
                        let found = aspiration(guess, half, &mut root(value, slack));
                        assert_eq!(found, Ok(value), "{guess:?} {half} {slack}");
                    }
                }
                assert_eq!(bisection(&mut root(value, slack)), Ok(value), "{slack}");
            }
        }
    }
}

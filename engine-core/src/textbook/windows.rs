//! Windows at the root: an aspiration window, and bisection.

use crate::score::Score;
use crate::search::{Range, Value, Window};

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
    use crate::search::check_all_roots;

    #[test]
    fn every_value_is_found_from_every_guess() {
        for half in [1, 7] {
            check_all_roots(&|guess, search| aspiration(guess, half, &mut &mut *search));
        }
        check_all_roots(&|_, search| bisection(&mut &mut *search));
    }
}

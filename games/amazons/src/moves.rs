//! Turns packed into 21 bits, and their generation.

use std::fmt;

use engine_core::{Move, Position};

use crate::board::Amazons;
use crate::geometry::{Lines, STRIDE, Square, squares};

/// One turn: an amazon moves, then shoots an arrow from its new square.
///
/// Packed as 7 bits each for from, to and arrow. No legal action is 0, because an amazon always
/// leaves its square.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action(u32);

impl Action {
    /// The action of the amazon on `from`.
    #[inline]
    pub const fn new(from: Square, to: Square, arrow: Square) -> Action {
        Action((from.index() << 14 | to.index() << 7 | arrow.index()) as u32)
    }

    /// The origin of the amazon.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 >> 14)
    }

    /// The target of the amazon.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index(self.0 >> 7)
    }

    /// The target of the arrow.
    #[inline]
    pub const fn arrow(self) -> Square {
        Square::from_index(self.0)
    }
}

impl Move for Action {
    #[inline]
    fn to_bits(self) -> u32 {
        self.0
    }

    #[inline]
    fn from_bits(bits: u32) -> Action {
        Action(bits & 0x1f_ffff)
    }
}

/// In UGI notation: `d1-d7-g7`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.from(), self.to(), self.arrow())
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Appends all turns of the side to move, by amazon in ascending order of squares.
#[inline]
pub(crate) fn generate(position: &Amazons, out: &mut impl Extend<Action>) {
    let mut lines = position.lines().clone();
    for from in squares(position.amazons(position.side())) {
        // The arrow may pass over or hit the square that the amazon left.
        lines.toggle(from);
        let targets = lines.reach(from);
        for n in 0..targets.count() {
            shots(&lines, from, from.shifted(targets.nth(n)), out);
        }
        lines.toggle(from);
    }
}

/// Appends the turns that move the amazon from `from` to `to`; `from` must be free in `lines`.
#[inline]
fn shots(lines: &Lines, from: Square, to: Square, out: &mut impl Extend<Action>) {
    let base = (from.index() << 14 | to.index() << 7 | to.index()) as i32;
    let reach = lines.reach(to);
    out.extend((0..reach.count()).map(|n| Action((base + reach.nth(n)) as u32)));
}

/// Whether a queen can move from one square of the board to the other.
#[inline]
pub(crate) fn sees(lines: &Lines, from: Square, to: Square) -> bool {
    way(from, to)
        .is_some_and(|(columns, rows, distance)| distance <= lines.reach(from).steps(columns, rows))
}

/// As [`sees`], after the occupied square `vacated` becomes free.
#[inline]
pub(crate) fn sees_past(lines: &Lines, vacated: Square, from: Square, to: Square) -> bool {
    way(from, to).is_some_and(|(columns, rows, distance)| {
        let steps = lines.reach(from).steps(columns, rows);
        let offset = rows * STRIDE as i32 + columns;
        let stopped = from.index() as i32 + offset * (steps + 1);
        distance <= steps
            || stopped == vacated.index() as i32
                && distance <= steps + 1 + lines.reach(vacated).steps(columns, rows)
    })
}

/// The signs of columns and rows, and the distance, on the line from one square to another; `None`
/// if they are not on a line.
#[inline]
fn way(from: Square, to: Square) -> Option<(i32, i32, i32)> {
    let columns = to.column() as i32 - from.column() as i32;
    let rows = to.row() as i32 - from.row() as i32;
    let distance = columns.abs().max(rows.abs());
    let on_a_line = columns == 0 || rows == 0 || columns.abs() == rows.abs();
    (on_a_line && distance > 0).then_some((columns.signum(), rows.signum(), distance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;
    use crate::geometry::full_board;
    use crate::playout::Random;
    use engine_core::{Playout, Rng};

    #[test]
    fn bits_hold_the_three_squares() {
        let (from, to, arrow) = (Square::new(3, 0), Square::new(3, 6), Square::new(6, 6));
        let action = Action::new(from, to, arrow);
        assert_eq!(
            (action.from(), action.to(), action.arrow()),
            (from, to, arrow)
        );
        assert_eq!(Action::from_bits(action.to_bits()), action);
        assert_eq!(action.to_string(), "d1-d7-g7");
    }

    #[test]
    fn arrows_fly_over_the_square_that_was_left() {
        let mut rng = Rng::new(1);
        let board: Vec<Square> = squares(full_board(10, 10)).collect();
        let mut position = Variant::default().start().unwrap();
        while position.outcome().is_none() {
            for vacated in squares(position.amazons(position.side())) {
                let mut lines = position.lines().clone();
                lines.toggle(vacated);
                for &from in &board {
                    for &to in board.iter().filter(|_| from != vacated) {
                        let found = sees_past(position.lines(), vacated, from, to);
                        assert_eq!(found, sees(&lines, from, to), "{vacated} {from} {to}");
                    }
                }
            }
            position.play(Random.choose(&position, &mut rng));
        }
    }
}

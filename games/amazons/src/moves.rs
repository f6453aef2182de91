//! Whole turns packed in 21 bits, and their generation.

use std::fmt;

use engine_core::{Move, Position};

use crate::board::Amazons;
use crate::geometry::{Lines, Square, squares};

/// One turn: an amazon moves, then shoots an arrow from where it has arrived.
///
/// Packed as 7 bits each for from, to and arrow. No legal action is 0, as an amazon never stays
/// where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action(u32);

impl Action {
    /// The action of the amazon on `from`.
    #[inline]
    pub const fn new(from: Square, to: Square, arrow: Square) -> Action {
        Action((from.index() << 14 | to.index() << 7 | arrow.index()) as u32)
    }

    /// Where the amazon stands.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 >> 14)
    }

    /// Where it goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index(self.0 >> 7)
    }

    /// Where its arrow lands.
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

/// As UGI writes it: `d1-d7-g7`.
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

/// Appends all turns of the side to move, amazon by amazon in ascending order of squares.
#[inline]
pub(crate) fn generate(position: &Amazons, out: &mut impl Extend<Action>) {
    let mut lines = position.lines().clone();
    for from in squares(position.amazons(position.side())) {
        // The arrow may fly over the square that the amazon has left.
        lines.toggle(from);
        let targets = lines.reach(from);
        for n in 0..targets.count() {
            shots(&lines, from, from.shifted(targets.nth(n)), out);
        }
        lines.toggle(from);
    }
}

/// Appends the turns that take the amazon of `from` to `to`, where `lines` have `from` free.
#[inline]
fn shots(lines: &Lines, from: Square, to: Square, out: &mut impl Extend<Action>) {
    let base = (from.index() << 14 | to.index() << 7 | to.index()) as i32;
    let reach = lines.reach(to);
    out.extend((0..reach.count()).map(|n| Action((base + reach.nth(n)) as u32)));
}

/// Whether a queen can go from one square of the board to the other.
#[inline]
pub(crate) fn sees(lines: &Lines, from: Square, to: Square) -> bool {
    let columns = to.column() as i32 - from.column() as i32;
    let rows = to.row() as i32 - from.row() as i32;
    let distance = columns.abs().max(rows.abs());
    let on_a_line = columns == 0 || rows == 0 || columns.abs() == rows.abs();
    on_a_line
        && distance > 0
        && distance <= lines.reach(from).steps(columns.signum(), rows.signum())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

//! The board as plain text.

use std::fmt;

use engine_core::Side;

use crate::board::Amazons;
use crate::geometry::Square;

/// Rows from the top, with `B` and `W` for the amazons, `x` for arrows, `.` for empty squares.
impl fmt::Display for Amazons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.rows()).rev() {
            write!(f, "{:>2}", row + 1)?;
            for column in 0..self.columns() {
                let bit = Square::new(column, row).bit();
                let sign = match () {
                    _ if self.empty() & bit != 0 => '.',
                    _ if self.amazons(Side::First) & bit != 0 => 'B',
                    _ if self.amazons(Side::Second) & bit != 0 => 'W',
                    _ => 'x',
                };
                write!(f, " {sign}")?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        for column in 0..self.columns() {
            write!(f, " {}", (b'a' + column) as char)?;
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::Variant;
    use engine_core::{Notation, Position};

    #[test]
    fn a_picture_has_coordinates() {
        let mut position = Variant::of_size(6).unwrap().start().unwrap();
        position.play(position.parse_move("b1-b4-e4").unwrap());
        assert_eq!(
            position.to_string(),
            " 6 . W . . W .\n \
             5 W . . . . W\n \
             4 . B . . x .\n \
             3 . . . . . .\n \
             2 B . . . . B\n \
             1 . . . . B .\n   \
             a b c d e f\n"
        );
    }
}

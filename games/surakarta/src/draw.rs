//! The board as text.

use engine_core::Side;

use crate::board::Surakarta;
use crate::geometry::SIZE;

/// Six rows, row 6 on top: `B` black (`First`), `W` white (`Second`), `.` empty, with coordinates.
pub(crate) fn draw(position: &Surakarta) -> String {
    let columns = "  a b c d e f\n";
    let mut text = String::from(columns);
    for row in (0..SIZE).rev() {
        text += &format!("{}", row + 1);
        for column in 0..SIZE {
            let point = (SIZE * row + column) as u8;
            text.push(' ');
            text.push(match position.piece_on(point) {
                Some(Side::First) => 'B',
                Some(Side::Second) => 'W',
                None => '.',
            });
        }
        text += &format!(" {}\n", row + 1);
    }
    text + columns
}

#[cfg(test)]
mod tests {
    use crate::{Surakarta, Variant};

    #[test]
    fn the_start_looks_like_the_start() {
        let expected = "\x20 a b c d e f
6 B B B B B B 6
5 B B B B B B 5
4 . . . . . . 4
3 . . . . . . 3
2 W W W W W W 2
1 W W W W W W 1
\x20 a b c d e f
";
        assert_eq!(super::draw(&Surakarta::new(Variant::default())), expected);
    }
}

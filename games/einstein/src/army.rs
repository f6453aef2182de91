//! The pieces of one side, packed into 30 bits.

use crate::tables::{GOAL, HOME, LAYOUTS, distance, layout_rank, transpose};

/// The lowest bit of each of the six 5-bit fields.
const ONES: u32 = 0b00001_00001_00001_00001_00001_00001;
/// The highest bit of each field.
const TOPS: u32 = ONES << 4;
/// The field of a captured piece.
const GONE: u32 = 31;
/// The field of a piece that is not laid out yet.
const UNPLACED: u32 = 30;

/// The pieces 1–6 of a side, here numbered from 0, with their squares in the side's own frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Army {
    /// Six fields of 5 bits, piece 0 lowest: a square, `GONE` or `UNPLACED`.
    fields: u32,
    /// Bit `p`: piece `p` is on the board.
    alive: u8,
}

impl Army {
    /// An army that is not laid out.
    pub(crate) const UNPLACED: Army = Army {
        fields: UNPLACED * ONES,
        alive: 0,
    };

    /// The army on its home squares.
    pub(crate) fn laid_out(rank: usize) -> Army {
        let mut army = Army {
            fields: 0,
            alive: 0b11_1111,
        };
        for (square, number) in HOME.into_iter().zip(LAYOUTS[rank]) {
            army.fields |= (square as u32) << (5 * (number - 1));
        }
        army
    }

    /// The army with pieces on these squares, each below 25; `None` for a captured piece.
    pub(crate) fn from_squares(squares: [Option<u8>; 6]) -> Army {
        let mut army = Army {
            fields: 0,
            alive: 0,
        };
        for (piece, square) in squares.into_iter().enumerate() {
            army.fields |= square.map_or(GONE, u32::from) << (5 * piece);
            army.alive |= (square.is_some() as u8) << piece;
        }
        army
    }

    /// The 30 bits of the fields, unique for each army.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.fields as u64
    }

    /// The mask of pieces on the board, bit `p` for piece `p`.
    #[inline]
    pub(crate) fn alive(self) -> u8 {
        self.alive
    }

    /// The field of `piece`: a square, or 30 or 31 for a piece that is not on the board.
    #[inline]
    pub(crate) fn field(self, piece: u8) -> u8 {
        (self.fields >> (5 * piece) & 31) as u8
    }

    /// The square of `piece`, if it is on the board.
    pub(crate) fn square(self, piece: u8) -> Option<u8> {
        (self.alive >> piece & 1 == 1).then(|| self.field(piece))
    }

    /// The piece on `square`.
    ///
    /// Compares all six fields at once. The borrow of the subtraction can mark fields above a
    /// matching one, never below it. As pieces stand on different squares, the lowest mark is the
    /// only true one.
    #[inline]
    pub(crate) fn find(self, square: u8) -> Option<u8> {
        let fields = self.fields ^ (square as u32 * ONES);
        let marks = fields.wrapping_sub(ONES) & !fields & TOPS;
        (marks != 0).then(|| (marks.trailing_zeros() / 5) as u8)
    }

    /// The squares of all pieces, one bit each.
    #[inline]
    pub(crate) fn occupied(self) -> u32 {
        // Fields without a square set bits 30 and 31.
        (0..6).fold(0, |squares, piece| squares | 1 << self.field(piece)) & ((1 << 25) - 1)
    }

    /// As [`Army::occupied`], in the opponent's frame: the 25 bits in reverse order.
    #[inline]
    pub(crate) fn occupied_in_other_frame(self) -> u32 {
        self.occupied().reverse_bits() >> (31 - GOAL)
    }

    /// Turns that `piece` needs to reach the goal, if it is on the board.
    pub(crate) fn distance(self, piece: u8) -> u8 {
        distance(self.field(piece))
    }

    /// Removes the piece on `square`, if any.
    #[inline]
    pub(crate) fn remove_at(&mut self, square: u8) {
        if let Some(piece) = self.find(square) {
            self.fields |= GONE << (5 * piece);
            self.alive &= !(1 << piece);
        }
    }

    /// Moves `piece`, which must be on the board, to `square`, which must be free.
    #[inline]
    pub(crate) fn put(&mut self, piece: u8, square: u8) {
        let shift = 5 * piece;
        self.fields = self.fields & !(31 << shift) | (square as u32) << shift;
    }

    /// The squares of all pieces; `None` for pieces not on the board.
    pub(crate) fn squares(self) -> [Option<u8>; 6] {
        std::array::from_fn(|piece| self.square(piece as u8))
    }

    /// Whether a piece stands on the goal.
    pub(crate) fn at_goal(self) -> bool {
        self.find(GOAL).is_some()
    }

    /// The index of the layout, if all six pieces stand on the home squares.
    pub(crate) fn layout_rank(self) -> Option<u16> {
        let mut numbers = [0; 6];
        for (number, square) in numbers.iter_mut().zip(HOME) {
            *number = 1 + self.find(square)?;
        }
        layout_rank(numbers)
    }

    /// Whether all six pieces stand on the home squares.
    pub(crate) fn at_home(self) -> bool {
        HOME.iter().all(|&square| self.find(square).is_some())
    }

    /// This army mirrored in the diagonal from its corner to its goal.
    pub(crate) fn transposed(self) -> Army {
        if self == Army::UNPLACED {
            self
        } else {
            Army::from_squares(self.squares().map(|square| square.map(transpose)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_square_is_found_and_emptied() {
        let squares = [Some(0), Some(7), None, Some(24), Some(1), Some(23)];
        let army = Army::from_squares(squares);
        for square in 0..25 {
            let piece = squares.iter().position(|&at| at == Some(square));
            assert_eq!(
                army.find(square),
                piece.map(|piece| piece as u8),
                "{square}"
            );
            let mut left = army;
            left.remove_at(square);
            let mut expected = squares;
            if let Some(piece) = piece {
                expected[piece] = None;
            }
            let expected = Army::from_squares(expected);
            assert_eq!(left, expected, "{square}");
        }
        assert_eq!(army.occupied(), 1 | 1 << 1 | 1 << 7 | 1 << 23 | 1 << 24);
        assert!(army.at_goal());
    }

    #[test]
    fn nothing_is_removed_from_an_army_off_the_board() {
        let mut army = Army::UNPLACED;
        (0..25).for_each(|square| army.remove_at(square));
        assert_eq!(army, Army::UNPLACED);
        let mut army = Army::from_squares([None; 6]);
        (0..25).for_each(|square| army.remove_at(square));
        assert_eq!(army, Army::from_squares([None; 6]));
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let army = Army::from_squares([Some(3), None, Some(15), Some(12), Some(9), Some(21)]);
        assert_eq!(army.transposed().square(0), Some(15));
        assert_eq!(army.transposed().transposed(), army);
        assert_eq!(Army::UNPLACED.transposed(), Army::UNPLACED);
    }
}

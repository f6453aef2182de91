//! A stone as a move, and the stages in which stones are generated.

use engine_core::rows::{Bits, RowCell, Rows};
use engine_core::{Move, Position, Side};

use crate::board::Connect6;
use crate::geometry::{LINES, MAX_SIZE, OfBoard, STRIDE, sixes};

/// One stone on a cell, of the side whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Stone(u16);

impl Stone {
    /// A stone on a column and row, both from 0, both below 19.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Stone {
        Stone(row as u16 * STRIDE as u16 + column as u16)
    }

    /// Column from 0, left to right.
    #[inline]
    pub const fn column(self) -> u8 {
        (self.0 % STRIDE as u16) as u8
    }

    /// Row from 0, bottom to top. Off the board for a stone decoded from arbitrary bits.
    #[inline]
    pub const fn row(self) -> u16 {
        self.0 / STRIDE as u16
    }

    #[inline]
    pub(crate) const fn from_cell(cell: usize) -> Stone {
        Stone(cell as u16)
    }

    #[inline]
    pub(crate) const fn cell(self) -> usize {
        self.0 as usize
    }
}

impl Move for Stone {
    #[inline]
    fn to_bits(self) -> u32 {
        self.0 as u32 + 1
    }

    #[inline]
    fn from_bits(bits: u32) -> Stone {
        Stone(bits.wrapping_sub(1) as u16)
    }
}

/// The stones of a turn: two, or one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Turn([Option<Stone>; 2]);

impl Turn {
    pub(crate) fn one(stone: Stone) -> Turn {
        Turn([Some(stone), None])
    }

    /// A turn of two different stones, in either order.
    pub(crate) fn two(one: Stone, other: Stone) -> Turn {
        Turn([Some(one.min(other)), Some(one.max(other))])
    }

    /// The stones.
    #[inline]
    pub(crate) fn stones(self) -> impl DoubleEndedIterator<Item = Stone> {
        self.0.into_iter().flatten()
    }
}

impl Move for Turn {
    fn to_bits(self) -> u32 {
        let [first, second] = self.0.map(|stone| stone.map_or(0, Stone::to_bits));
        first | second << 16
    }

    fn from_bits(bits: u32) -> Turn {
        let stone = |bits: u32| (bits > 0).then(|| Stone::from_bits(bits));
        Turn([stone(bits & 0xffff), stone(bits >> 16)])
    }
}

impl RowCell for Stone {
    #[inline]
    fn at(column: u8, row: u8) -> Stone {
        Stone::new(column, row)
    }

    #[inline]
    fn place(self) -> (u8, usize) {
        (self.column(), self.row().into())
    }
}

/// A set of cells.
pub(crate) type Cells = Rows<Stone, MAX_SIZE>;

/// The starts, on a line, of windows of six without stones of `enemy` and with at least `least`
/// stones, 2 to 5, of `own`. Counts the six cells of all windows in parallel, one bit per window.
#[inline(always)]
fn open_windows(own: u32, enemy: u32, mask: u32, least: u8) -> u32 {
    let sum = |a: u32, b: u32, c: u32| (a ^ b ^ c, a & b | c & (a ^ b));
    let (ones_low, carry_low) = sum(own, own >> 1, own >> 2);
    let (ones_high, carry_high) = sum(own >> 3, own >> 4, own >> 5);
    let ones = ones_low ^ ones_high;
    let (twos, fours) = sum(carry_low, carry_high, ones_low & ones_high);
    let enough = match least {
        2 => fours | twos,
        3 => fours | (twos & ones),
        4 => fours,
        _ => fours & (twos | ones),
    };
    sixes(mask & !enemy) & enough
}

impl Connect6 {
    /// Empty cells in windows of six with at least `least` stones, 2 to 5, of `side` and none of
    /// the opponent.
    pub(crate) fn open_cells(&self, side: Side, least: u8) -> Cells {
        let own = self.lines(side);
        let enemy = self.lines(side.opponent());
        let masks = self.masks();
        let mut windows = [0; LINES];
        for (line, windows) in windows.iter_mut().enumerate() {
            *windows = open_windows(own[line], enemy[line], masks[line], least);
        }
        let mut cells = Cells::default();
        for (line, &first) in windows.iter().enumerate().filter(|(_, first)| **first != 0) {
            let three = first | first << 1 | first << 2;
            for bit in Bits((three | three << 3) & !own[line]) {
                let (column, row) = OfBoard::cell(line, bit);
                cells.rows[row] |= 1 << column;
            }
        }
        cells
    }

    /// The empty cells.
    pub(crate) fn empty_cells(&self) -> Cells {
        let masks = self.masks();
        Cells::new(std::array::from_fn(|row| masks[row] & !self.occupied(row)))
    }

    /// Cells of the board, empty or not, within two columns and two rows of a stone; on an empty
    /// board, of the middle.
    pub(crate) fn near_stones(&self) -> Cells {
        let mut stones = Cells::new(std::array::from_fn(|row| self.occupied(row)));
        if self.stones() == 0 {
            let middle = self.size() / 2;
            stones.insert(Stone::new(middle, middle));
        }
        let masks = self.masks();
        let board = Cells::new(std::array::from_fn(|row| masks[row]));
        stones.widened().intersection(&board)
    }

    /// Empty cells within two columns and two rows of a stone; on an empty board the middle.
    pub(crate) fn near_cells(&self) -> Cells {
        if self.stones() == 0 {
            let middle = self.size() / 2;
            return [Stone::new(middle, middle)].into_iter().collect();
        }
        self.near_stones().intersection(&self.empty_cells())
    }

    /// The forcing stones: those that complete a six in this turn; otherwise those in windows that
    /// the enemy could complete in its next turn; otherwise those in windows of three of either
    /// side.
    pub(crate) fn forcing_cells(&self) -> Cells {
        let (side, enemy) = (self.side(), self.side().opponent());
        let winning = self.open_cells(side, 6 - self.stones_left());
        if !winning.is_empty() {
            return winning;
        }
        let blocking = self.open_cells(enemy, 4);
        if !blocking.is_empty() {
            return blocking;
        }
        self.open_cells(side, 3).union(&self.open_cells(enemy, 3))
    }

    /// The legal stones of a stage: 0 [`Connect6::forcing_cells`], 1 other
    /// [`Connect6::near_cells`], 2 all others.
    pub(crate) fn stage_cells(&self, stage: u8) -> Cells {
        if self.outcome().is_some() {
            return Cells::default();
        }
        let forcing = self.forcing_cells();
        if stage == 0 {
            return forcing;
        }
        let near = self.near_cells().without(&forcing);
        if stage == 1 {
            return near;
        }
        self.empty_cells().without(&near).without(&forcing)
    }
}

#[cfg(test)]
mod tests {
    use engine_core::Notation;

    use super::*;

    #[track_caller]
    fn check_stage_0(text: &str, expected: &str) {
        let position = Connect6::new(9).parse_position(text).expect(text);
        let mut stones = Vec::new();
        position.generate(0, &mut stones);
        let texts: Vec<String> = stones.iter().map(|&s| position.write_move(s)).collect();
        assert_eq!(texts.join(" "), expected);
    }

    #[test]
    fn stage_0_completes_or_blocks_or_builds() {
        check_stage_0("w8/w8/w8/w8/9/9/9/9/wbbbb4 black 2", "f1 g1");
        check_stage_0("w8/w8/w8/w8/9/9/9/9/wbbbb4 white 2", "a4 a5");
        check_stage_0("9/9/9/9/9/9/9/9/wbbbb4 white 2", "f1 g1");
        check_stage_0("9/9/9/9/9/9/9/9/wbbbb4 black 1", "f1 g1 h1");
        check_stage_0("9/9/9/9/9/9/9/9/wb1b1b3 white 2", "c1 e1 g1");
        check_stage_0("9/9/9/9/9/9/9/9/9 black 1", "");
    }

    #[test]
    fn open_windows_agree_with_counting() {
        let mut rng = engine_core::Rng::new(5);
        for _ in 0..2_000 {
            let own = rng.next_u32() & rng.next_u32() & 0x7_ffff;
            let enemy = rng.next_u32() & rng.next_u32() & rng.next_u32() & !own & 0x7_ffff;
            for least in 2..=5 {
                let found = open_windows(own, enemy, 0x7_ffff, least);
                for first in 0..26 {
                    let window = 0b11_1111 << first;
                    let open = first <= 13
                        && enemy & window == 0
                        && (own & window).count_ones() >= least as u32;
                    assert_eq!(found >> first & 1 == 1, open, "{own:b} {enemy:b} {first}");
                }
            }
        }
    }
}

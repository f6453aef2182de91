//! Actions, and the stages in which they are generated.

use engine_core::Move;
use engine_core::rows::Bits;

use crate::board::{Colour, Gomoku};
use crate::geometry::{Cell, Cells, EARLIER_CELLS, MAX_SIZE, cell_on_line, fives, lines_with_room};
use crate::opening::MOST_OFFERS;

/// One action of a player. [`Stage`](crate::Stage) says what a cell stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Action {
    /// A cell: a stone placed, a fifth stone offered, or the offered one that is kept.
    Cell(Cell),
    /// The number of fifth stones that black will offer, 1 to [`MOST_OFFERS`].
    Count(u8),
    /// Second takes the black stones.
    Swap,
    /// No stone.
    Pass,
    /// White claims that black's last move was forbidden.
    Claim,
}

const SWAP: usize = EARLIER_CELLS;
const PASS: usize = EARLIER_CELLS + 1;
const CLAIM: usize = EARLIER_CELLS + 2;
/// The index of a count of 0, which is not legal.
const COUNTS: usize = EARLIER_CELLS + 3;
/// The index of the first cell of row 20.
const LATER_CELLS: usize = COUNTS + MOST_OFFERS + 1;

impl Action {
    /// One more than the largest [`Action::index`].
    pub(crate) const COUNT: usize = LATER_CELLS + MAX_SIZE;

    /// A number below [`Action::COUNT`].
    #[inline]
    pub(crate) const fn index(self) -> usize {
        match self {
            Action::Cell(cell) if cell.index() < EARLIER_CELLS => cell.index(),
            Action::Cell(cell) => cell.index() - EARLIER_CELLS + LATER_CELLS,
            Action::Swap => SWAP,
            Action::Pass => PASS,
            Action::Claim => CLAIM,
            Action::Count(count) => COUNTS + count as usize,
        }
    }
}

impl Move for Action {
    #[inline]
    fn to_bits(self) -> u32 {
        self.index() as u32 + 1
    }

    #[inline]
    fn from_bits(bits: u32) -> Action {
        match bits.wrapping_sub(1) as usize {
            index @ 0..EARLIER_CELLS => Action::Cell(Cell::from_index(index)),
            SWAP => Action::Swap,
            PASS => Action::Pass,
            CLAIM => Action::Claim,
            index @ COUNTS..LATER_CELLS => Action::Count((index - COUNTS) as u8),
            index @ LATER_CELLS..Action::COUNT => {
                Action::Cell(Cell::from_index(index - LATER_CELLS + EARLIER_CELLS))
            }
            // Not legal in any position.
            _ => Action::Count(0),
        }
    }
}

/// The starts, on a line, of windows of five without stones of `enemy` and with at least `least`
/// stones, 3 or 4, of `own`. Counts the five cells of all windows in parallel, one bit per window.
#[inline(always)]
fn open_windows(own: u32, enemy: u32, mask: u32, least: u8) -> u32 {
    let sum = |a: u32, b: u32, c: u32| (a ^ b ^ c, a & b | c & (a ^ b));
    let (ones_low, carry_low) = sum(own, own >> 1, own >> 2);
    let (ones, carry_high) = sum(ones_low, own >> 3, own >> 4);
    let (twos, fours) = (carry_low ^ carry_high, carry_low & carry_high);
    let enough = match least {
        3 => fours | (twos & ones),
        _ => fours,
    };
    fives(mask & !enemy) & enough
}

impl Gomoku {
    /// Empty cells in windows of five with at least `least` stones, 3 or 4, of a colour and none of
    /// the other.
    pub(crate) fn open_cells(&self, colour: Colour, least: u8) -> Cells {
        let (own, enemy) = (self.lines(colour), self.lines(colour.other()));
        let masks = self.masks();
        let mut cells = Cells::default();
        for lines in lines_with_room(self.size().into()) {
            let [own, enemy, masks] = [own, enemy, masks].map(|words| &words[lines.clone()]);
            let words = own.iter().zip(enemy).zip(masks);
            for (line, ((&own, &enemy), &mask)) in lines.zip(words) {
                let first = open_windows(own, enemy, mask, least);
                if first == 0 {
                    continue;
                }
                let three = first | first << 1 | first << 2;
                for bit in Bits((three | three << 2) & !own) {
                    cells.insert(cell_on_line(line, bit));
                }
            }
        }
        cells
    }

    /// The empty cells.
    pub fn empty_cells(&self) -> Cells {
        let masks = self.masks();
        Cells::new(std::array::from_fn(|row| masks[row] & !self.occupied(row)))
    }

    /// Empty cells within two columns and two rows of a stone; on an empty board the middle.
    pub(crate) fn near_cells(&self) -> Cells {
        if self.stones() == 0 {
            let middle = self.size() / 2;
            return [Cell::new(middle, middle)].into_iter().collect();
        }
        let stones = Cells::new(std::array::from_fn(|row| self.occupied(row)));
        stones.widened().intersection(&self.empty_cells())
    }

    /// The forcing cells: those that complete four stones; otherwise those that stop the enemy from
    /// it; otherwise those in windows of three of either colour. Only an order of moves: the rules
    /// of the variant for long rows are not considered.
    fn forcing_cells(&self) -> Cells {
        let own = self.to_move();
        let (winning, blocking) = (self.open_cells(own, 4), self.open_cells(own.other(), 4));
        if !winning.is_empty() {
            return winning;
        }
        if !blocking.is_empty() {
            return blocking;
        }
        self.open_cells(own, 3)
            .union(&self.open_cells(own.other(), 3))
    }

    /// The legal cells of a stage of an ordinary turn: 0 the forcing ones, 1 others near stones, 2
    /// all others.
    pub(crate) fn stage_cells(&self, stage: u8) -> Cells {
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
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn bits_round_trip() {
        let counts = (0..=MOST_OFFERS as u8).map(Action::Count);
        let words = [Action::Swap, Action::Pass, Action::Claim];
        let cells = (0..MAX_SIZE * MAX_SIZE).map(|place| {
            let (row, column) = (place / MAX_SIZE, place % MAX_SIZE);
            Action::Cell(Cell::new(column as u8, row as u8))
        });
        let mut indices = HashSet::new();
        for action in counts.chain(words).chain(cells) {
            assert_eq!(Action::from_bits(action.to_bits()), action);
            assert!(action.index() < Action::COUNT);
            assert!(indices.insert(action.index()), "{action:?}");
        }
    }

    #[test]
    fn open_windows_agree_with_counting() {
        let mut rng = engine_core::Rng::new(5);
        for _ in 0..2_000 {
            let own = rng.next_u32() & rng.next_u32() & 0xf_ffff;
            let enemy = rng.next_u32() & rng.next_u32() & rng.next_u32() & !own & 0xf_ffff;
            for least in [3, 4] {
                let found = open_windows(own, enemy, 0xf_ffff, least);
                for first in 0..26 {
                    let window = 0b1_1111 << first;
                    let count = (own & window).count_ones();
                    let open = first <= 15 && enemy & window == 0;
                    // Five stones have won.
                    if count < 5 {
                        assert_eq!(found >> first & 1 == 1, open && count >= least.into());
                    }
                }
            }
        }
    }
}

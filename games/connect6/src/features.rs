//! What a learned policy sees of a stone: the four lines through its cell, and whether it is the
//! first or the last stone of a turn.
//!
//! A line is two halves of up to [`REACH`] cells. A half ends at the edge of the board, and where
//! stones of both sides have been seen: what lies beyond is in no window of six with the cell that
//! one side can still fill.

use engine_core::Position;
use engine_core::learned::MoveFeatures;

use crate::board::Connect6;
use crate::geometry::OfBoard;
use crate::moves::Stone;

/// Cells on each side of the stone that are in a window of six with it.
const REACH: usize = 5;
/// The contents of [`REACH`] cells: a bit for each cell of the side to move, and above these one for
/// each of the other side. Cells off the board belong to both.
const CONTENTS: usize = 1 << (2 * REACH);

/// The number of a half of `length` cells, below [`HALVES`]: those of the side to move and those of the
/// other side, of which one has none, the nearest cell in the lowest bit.
const fn half(length: usize, own: usize, other: usize) -> u16 {
    // Shorter halves come first; of one length, the empty one and then each side's.
    let shorter = (2 << length) - 2 - length;
    let one = (1 << length) - 1;
    (match (own, other) {
        (own, 0) => shorter + own,
        (_, other) => shorter + one + other,
    }) as u16
}

/// Number of halves.
const HALVES: usize = half(REACH + 1, 0, 0) as usize;

/// The number of the half with these contents: upwards, where the nearest cell is the lowest bit, and
/// downwards, where it is the highest.
static NUMBERS: [[u16; CONTENTS]; 2] = [numbers(false), numbers(true)];

const fn numbers(downwards: bool) -> [u16; CONTENTS] {
    let mut numbers = [0; CONTENTS];
    let mut content = 0;
    while content < CONTENTS {
        let (mut own, mut other, mut length) = (0, 0, 0);
        while length < REACH {
            let cell = if downwards {
                REACH - 1 - length
            } else {
                length
            };
            let is_own = content >> cell & 1;
            let is_other = content >> (REACH + cell) & 1;
            let blocks_own = is_own == 1 && other != 0;
            let blocks_other = is_other == 1 && own != 0;
            if blocks_own || blocks_other || is_own + is_other == 2 {
                break;
            }
            own |= is_own << length;
            other |= is_other << length;
            length += 1;
        }
        numbers[content] = half(length, own, other);
        content += 1;
    }
    numbers
}

/// Number of lines: pairs of halves in any order.
const LINES: u32 = (HALVES * (HALVES + 1) / 2) as u32;

/// The lines through a stone. They have numbers of their own where one stone is left in the turn and
/// where two are.
#[derive(Clone)]
pub struct Lines {
    /// The number of the first line for the stones left.
    first: u32,
}

impl MoveFeatures<Connect6> for Lines {
    const NAME: &'static str = "lines-1";

    fn of(_: &Connect6) -> Lines {
        Lines { first: 0 }
    }

    fn groups(&self) -> Vec<u32> {
        vec![2 * LINES]
    }

    fn see(&mut self, position: &Connect6) {
        self.first = (u32::from(position.stones_left()) - 1) * LINES;
    }

    #[inline]
    fn each(&self, position: &Connect6, stone: Stone, mut feature: impl FnMut(u32)) {
        let sides = [position.side(), position.side().opponent()];
        for (line, bit) in OfBoard::through(stone.column() as usize, stone.row() as usize) {
            let outside = !position.masks()[line];
            let around = |side| around(position.lines(side)[line] | outside, bit);
            let [own, other] = sides.map(around);
            let below = NUMBERS[1][own & HALF | (other & HALF) << REACH];
            let above = NUMBERS[0][own >> (REACH + 1) & HALF | other >> 1 & HALF << REACH];
            feature(self.first + pair(below.into(), above.into()));
        }
    }
}

/// The bits of a half.
const HALF: usize = (1 << REACH) - 1;

/// The cells of a line around the one at `bit`, which becomes bit [`REACH`]; those before the line's
/// first are set.
#[inline]
fn around(cells: u32, bit: u32) -> usize {
    ((u64::from(cells) << REACH | HALF as u64) >> bit) as usize
}

/// The number of two halves in any order.
#[inline]
fn pair(one: u32, other: u32) -> u32 {
    let (low, high) = (one.min(other), one.max(other));
    high * (high + 1) / 2 + low
}

#[cfg(test)]
mod tests {
    use engine_core::learned::check_features;
    use engine_core::{Playout, Rng, Symmetric};

    use super::*;
    use crate::playout::Random;

    #[test]
    fn features_keep_their_contract() {
        for size in [6, 9, 19] {
            let checked = check_features::<Connect6, Lines>(&Connect6::new(size), 4, 1);
            assert!(checked >= 40, "{size}: {checked}");
        }
    }

    fn features(position: &Connect6, stone: Stone) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut lines = Lines::of(position);
        lines.see(position);
        lines.each(position, stone, |feature| seen.push(feature));
        seen.sort_unstable();
        seen
    }

    #[test]
    fn mirrors_and_turns_change_no_features() {
        let mut rng = Rng::new(3);
        for size in [6, 10, 19] {
            let mut position = Connect6::new(size);
            while position.outcome().is_none() {
                for symmetry in 0..position.symmetries() {
                    let image = position.transform(symmetry);
                    for stone in position.empty_cells().cells() {
                        let seen = features(&position, stone);
                        let there = position.transform_move(symmetry, stone);
                        assert_eq!(features(&image, there), seen, "{stone:?}");
                    }
                }
                position.play(Random::default().choose(&position, &mut rng));
            }
        }
    }

    #[test]
    fn both_sides_see_their_stones_alike() {
        let mut rng = Rng::new(4);
        let mut position = Connect6::new(9);
        while position.outcome().is_none() {
            let stones = position.all_stones();
            let exchanged = stones.map(|(side, stone)| (side.opponent(), stone));
            let (side, left) = (position.side().opponent(), position.stones_left());
            let exchanged = Connect6::set_up(9, exchanged, side, left).expect("no six");
            for stone in position.empty_cells().cells() {
                assert_eq!(features(&exchanged, stone), features(&position, stone));
            }
            position.play(Random::default().choose(&position, &mut rng));
        }
    }

    /// Halves have the same number only if windows of six cannot tell them apart.
    #[test]
    fn halves_are_told_apart_as_windows_of_six_can() {
        let mut numbers: Vec<u16> = NUMBERS[0].to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        assert!(numbers.into_iter().eq(0..HALVES as u16));
        let half = |text: &str| {
            let bit = |wanted| {
                let cells = text.bytes().enumerate();
                cells.fold(0, |bits, (place, cell)| {
                    bits | usize::from(cell == wanted || cell == b'|') << place
                })
            };
            let content = bit(b'x') | bit(b'o') << REACH;
            NUMBERS[0][content]
        };
        assert_eq!(half(".xo.."), half(".xox."));
        assert_eq!(half(".xo.."), half(".x|||"));
        assert_ne!(half(".xo.."), half(".xx.."));
        assert_ne!(half("..x.."), half("..o.."));
        assert_ne!(half("....."), half("....|"));
    }
}

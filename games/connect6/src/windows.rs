//! Windows of six cells, counted incrementally.
//!
//! A side can still make a six in a window without an enemy stone (an *open* window). Four stones
//! in an open window are a threat: two more win, and a turn has two stones (Wu and Huang, *A New
//! Family of k-in-a-row Games*, 2006). The evaluation and the playouts use only these counts.
//!
//! The count of a window is a byte. The six windows through a cell on one line are adjacent, so a
//! stone updates them with one word addition.

use engine_core::Side;

use crate::board::Connect6;
use crate::geometry::{MAX_SIZE, WINDOWS, is_inside, window_cells, windows_through};
use crate::moves::Stone;

/// The content of a window: `First`'s stones in bits 0–2, `Second`'s in bits 3–5; bit 6 is set if
/// the window is not on the board.
type Content = u8;

const ONE: [Content; 2] = [1, 8];
const OUTSIDE: Content = 64;
/// One more than the largest [`Content`].
pub(crate) const CONTENTS: usize = 128;

/// The number of stones of `side` in a window; 0 if the other side has stones there.
pub(crate) const fn open_to(content: usize, side: Side) -> usize {
    let (first, second) = (content & 7, content >> 3 & 7);
    if content >= OUTSIDE as usize || first + second > 6 {
        return 0;
    }
    match side {
        Side::First if second == 0 => first,
        Side::Second if first == 0 => second,
        _ => 0,
    }
}

/// Two numbers, for `First` and `Second`, added in one operation: a window has different values for
/// the side to move and the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pair(i64);

impl Pair {
    pub(crate) fn new(first: i16, second: i16) -> Pair {
        Pair(((first as i64) << 32) + second as i64)
    }

    /// One of the numbers. The lower half may have borrowed from the upper half.
    #[inline]
    const fn get(self, side: Side) -> i32 {
        let second = self.0 as i32;
        match side {
            Side::First => ((self.0 - second as i64) >> 32) as i32,
            Side::Second => second,
        }
    }
}

/// The values of windows: with one stone left in the turn, and with two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Values(pub(crate) [Pair; 2]);

impl Values {
    #[inline(always)]
    fn plus(self, Values(more): Values) -> Values {
        let sum = |left: usize| Pair(self.0[left].0 + more[left].0);
        Values([sum(0), sum(1)])
    }

    #[inline(always)]
    fn minus(self, Values(less): Values) -> Values {
        let difference = |left: usize| Pair(self.0[left].0 - less[left].0);
        Values([difference(0), difference(1)])
    }
}

/// The change of a window's values by one more stone of each side, by the content before.
pub(crate) type Growth = [[Values; CONTENTS]; 2];

/// The changes for a table of window values.
pub(crate) fn growth(values: &[Values; CONTENTS]) -> Growth {
    let change = |content: usize, one: Content| match values.get(content + one as usize) {
        Some(after) => after.minus(values[content]),
        None => Values::default(),
    };
    ONE.map(|one| std::array::from_fn(|content| change(content, one)))
}

/// The contents of six windows in the six lower bytes of a word.
type Word = u64;
/// One in each of the six bytes.
const SIX: Word = 0x0101_0101_0101;

/// For each of six windows: bit 0 for a threat of `First`, bit 1 for a threat of `Second`.
#[inline(always)]
const fn threats_of(word: Word) -> Word {
    let first = word | word >> 1 | word >> 2;
    let second = first >> 3;
    let inside = !(word >> 6) & SIX;
    (word >> 2 & !second & inside) | (word >> 5 & !first & inside) << 1
}

/// The contents of all windows of a position, the sum of their values, and the open windows with
/// four or more stones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Windows {
    growth: Box<Growth>,
    contents: Box<[Content; WINDOWS]>,
    /// The rows of each side's counted stones.
    stones: [[u32; MAX_SIZE]; 2],
    sum: Values,
    threats: [Vec<u16>; 2],
}

impl Windows {
    /// The windows of the empty board of `size`, whose sum is 0.
    pub(crate) fn new(size: u8, growth: Growth) -> Windows {
        Windows {
            growth: Box::new(growth),
            contents: Box::new(empty_board(size as usize)),
            stones: [[0; MAX_SIZE]; 2],
            sum: Values::default(),
            threats: [Vec::new(), Vec::new()],
        }
    }

    /// Updates the counts to `position`, which must have the same board size: adds and removes the
    /// stones that differ. Positions of one search differ by few stones.
    pub(crate) fn follow(&mut self, position: &Connect6) {
        for side in Side::BOTH {
            for row in 0..MAX_SIZE {
                let rows = position.lines(side);
                let mut changed = self.stones[side.index()][row] ^ rows[row];
                while changed != 0 {
                    let column = changed.trailing_zeros();
                    changed &= changed - 1;
                    let stone = Stone::new(column as u8, row as u8);
                    if rows[row] >> column & 1 == 1 {
                        self.add(side, stone);
                    } else {
                        self.remove(side, stone);
                    }
                }
            }
        }
        Side::BOTH
            .into_iter()
            .for_each(|side| self.order_threats(side));
    }

    /// Orders the threats of `side` as if the stones were added in cell order: the order must not
    /// depend on the history of updates.
    fn order_threats(&mut self, side: Side) {
        let own = &self.stones[side.index()];
        let threats = &mut self.threats[side.index()];
        if threats.len() < 2 {
            return;
        }
        threats.sort_unstable_by_key(|&window| {
            let (direction, cells) = window_cells(window as usize);
            let is_own = |cell: usize| {
                let stone = Stone::from_cell(cell);
                own[stone.row() as usize] >> stone.column() & 1 == 1
            };
            let fourth = (0..6).filter(|&place| is_own(cells[place])).nth(3);
            fourth.map(|place| (cells[place], direction, place))
        });
    }

    /// The sum of the values of all windows for `side`, to move with `left` stones (1 or 2).
    #[inline]
    pub(crate) fn sum(&self, side: Side, left: u8) -> i32 {
        self.sum.0[left as usize - 1].get(side)
    }

    /// Whether these are the windows of `position`.
    pub(crate) fn are_of(&self, position: &Connect6) -> bool {
        Side::BOTH
            .into_iter()
            .all(|side| position.lines(side).starts_with(&self.stones[side.index()]))
    }

    /// Counts a placed stone.
    #[inline]
    pub(crate) fn add(&mut self, side: Side, stone: Stone) {
        let one = ONE[side.index()] as Word * SIX;
        let added = self.change(side, stone, |before| (before, before + one));
        self.sum = self.sum.plus(added);
    }

    /// Uncounts a removed stone.
    #[inline]
    pub(crate) fn remove(&mut self, side: Side, stone: Stone) {
        let one = ONE[side.index()] as Word * SIX;
        let added = self.change(side, stone, |before| (before - one, before - one));
        self.sum = self.sum.minus(added);
    }

    /// Changes the windows through a cell. `change` gets each word of contents, and returns it
    /// without the stone, and as it is after the change. Returns what the stone adds to the sum.
    #[inline(always)]
    fn change(
        &mut self,
        side: Side,
        stone: Stone,
        change: impl Fn(Word) -> (Word, Word),
    ) -> Values {
        self.stones[side.index()][stone.row() as usize] ^= 1 << stone.column();
        let mut grown = Values::default();
        for first in windows_through(stone.cell()) {
            let before = word(&*self.contents, first);
            let (without, after) = change(before);
            grown = grown.plus(total(without, &self.growth[side.index()]));
            self.contents[first..first + 8].copy_from_slice(&after.to_le_bytes());
            let (old, new) = (threats_of(before), threats_of(after));
            if old != new {
                self.change_threats(first, old, new);
            }
        }
        grown
    }

    /// Updates the lists of threats: `before` and `after` are the results of [`threats_of`] for six
    /// windows.
    #[cold]
    fn change_threats(&mut self, first: usize, before: Word, after: Word) {
        for window in (0..6).rev() {
            let threats_of = |word: Word| word >> (8 * window) & 3;
            let (before, after) = (threats_of(before), threats_of(after));
            if before == after {
                continue;
            }
            let window = (first + window) as u16;
            if before != 0 {
                self.threats[before as usize - 1].retain(|&threat| threat != window);
            }
            if after != 0 {
                self.threats[after as usize - 1].push(window);
            }
        }
    }

    /// The contents of the windows through a cell, by direction and first cell, in ascending order.
    #[inline(always)]
    pub(crate) fn contents_through(&self, cell: usize) -> [[usize; 6]; 4] {
        windows_through(cell).map(|first| contents(word(&*self.contents, first)))
    }

    /// The sum of `values` over the windows through a cell.
    #[inline]
    pub(crate) fn through(&self, stone: Stone, values: &[u8; CONTENTS]) -> i32 {
        let mut sum = 0;
        for contents in self.contents_through(stone.cell()) {
            for content in contents {
                sum += values[content] as i32;
            }
        }
        sum
    }

    /// The empty cells of a window that is on the board, in ascending order.
    #[inline]
    pub(crate) fn gaps(&self, window: u16) -> impl Iterator<Item = Stone> + use<'_> {
        let (_, cells) = window_cells(window as usize);
        let stones = cells.into_iter().map(Stone::from_cell);
        stones.filter(|&stone| self.is_empty(stone))
    }

    /// Whether a cell of the board is empty.
    #[inline]
    pub(crate) fn is_empty(&self, stone: Stone) -> bool {
        let row = stone.row() as usize;
        (self.stones[0][row] | self.stones[1][row]) >> stone.column() & 1 == 0
    }

    /// Appends the open windows with exactly `stones`, 1 to 6, of `side`.
    pub(crate) fn open_with(&self, side: Side, stones: u8, out: &mut Vec<u16>) {
        const CHUNK: usize = 32;
        let wanted = ONE[side.index()] * stones;
        for (at, chunk) in self.contents.chunks_exact(CHUNK).enumerate() {
            let found = chunk
                .iter()
                .fold(false, |found, &content| found | (content == wanted));
            if !found {
                continue;
            }
            let here = chunk
                .iter()
                .zip(CHUNK * at..)
                .filter(|(content, _)| **content == wanted);
            out.extend(here.map(|(_, window)| window as u16));
        }
    }

    /// The open windows with four or more stones of `side`.
    #[inline]
    pub(crate) fn threats(&self, side: Side) -> &[u16] {
        &self.threats[side.index()]
    }

    /// The number of stones of `side` in a window; 0 if the enemy has stones there.
    #[inline]
    pub(crate) fn open_stones(&self, window: u16, side: Side) -> usize {
        open_to(index(self.contents[window as usize]), side)
    }
}

/// A content as an index; the mask removes the bounds check.
#[inline(always)]
fn index(content: Content) -> usize {
    content as usize & (CONTENTS - 1)
}

/// The contents of six windows, and of the two after them.
#[inline(always)]
fn word(contents: &[Content], first: usize) -> Word {
    let bytes = contents[first..first + 8].try_into();
    Word::from_le_bytes(bytes.expect("a word has eight bytes"))
}

/// The six contents of a word, as indices.
#[inline(always)]
fn contents(word: Word) -> [usize; 6] {
    std::array::from_fn(|window| index((word >> (8 * window)) as Content))
}

/// The sum of `values` over six windows.
#[inline(always)]
fn total(word: Word, values: &[Values; CONTENTS]) -> Values {
    let mut sum = Values::default();
    for content in contents(word) {
        sum = sum.plus(values[content]);
    }
    sum
}

/// Contents for an empty board: 0 for windows on the board.
fn empty_board(size: usize) -> [Content; WINDOWS] {
    std::array::from_fn(|window| if is_inside(window, size) { 0 } else { OUTSIDE })
}

#[cfg(test)]
mod tests {
    use engine_core::{Playout, Position, Rng};

    use super::*;
    use crate::evaluate::Weights;
    use crate::playout::Random;

    /// The windows of a position, counted from the empty board.
    fn counted(position: &Connect6) -> Windows {
        let mut windows = Windows::new(position.size(), Weights::DEFAULT.growth());
        for (side, stone) in position.all_stones() {
            windows.add(side, stone);
        }
        windows
    }

    /// A board whose lower rows, up to nine, are mostly of one colour each, to create threats.
    fn crowded(size: u8, rng: &mut Rng) -> Connect6 {
        let rows = rng.below(size.min(9) as u32 + 1) as u8;
        let mut stones = Vec::new();
        for row in 0..rows {
            let owner = Side::BOTH[rng.below(2) as usize];
            for column in 0..size {
                match rng.below(8) {
                    0..=3 => stones.push((owner, Stone::new(column, row))),
                    4 => stones.push((owner.opponent(), Stone::new(column, row))),
                    _ => {}
                }
            }
        }
        let empty = Connect6::new(size);
        Connect6::set_up(size, stones, Side::First, 2).unwrap_or(empty)
    }

    #[test]
    fn windows_that_follow_are_those_counted_anew() {
        let mut rng = Rng::new(6);
        for size in [6, 12, 19] {
            let mut windows = Windows::new(size, Weights::DEFAULT.growth());
            let mut threats = 0;
            for _ in 0..300 {
                let mut position = crowded(size, &mut rng);
                for _ in 0..rng.below(8) {
                    windows.follow(&position);
                    assert_eq!(windows, counted(&position));
                    assert!(windows.are_of(&position));
                    threats = threats.max(windows.threats[0].len());
                    for _ in 0..rng.below(6) {
                        if position.outcome().is_some() {
                            break;
                        }
                        // Adds only some stones, as in a playout followed by another position.
                        let stone = Random::default().choose(&position, &mut rng);
                        if rng.below(2) == 0 {
                            windows.add(position.side(), stone);
                        }
                        position.play(stone);
                    }
                }
            }
            assert!(threats > 2);
        }
    }

    #[test]
    fn stones_taken_back_leave_no_trace() {
        let mut rng = Rng::new(7);
        for _ in 0..100 {
            let position = crowded(19, &mut rng);
            let before = counted(&position);
            let mut windows = before.clone();
            let stones = position
                .empty_cells()
                .cells()
                .step_by(3)
                .collect::<Vec<_>>();
            for &stone in &stones {
                windows.add(Side::Second, stone);
            }
            for stone in stones {
                windows.remove(Side::Second, stone);
            }
            windows.follow(&position);
            assert_eq!(windows, before);
        }
    }

    #[test]
    fn pairs_keep_their_numbers_apart() {
        let mut sum = Pair(0);
        let (mut first, mut second) = (0, 0);
        for (a, b) in [(3, -5), (-9, 2), (300, -32_000), (-1, -1), (0, 32_003)] {
            sum.0 += Pair::new(a, b).0;
            first += a as i32;
            second += b as i32;
            assert_eq!(
                (sum.get(Side::First), sum.get(Side::Second)),
                (first, second)
            );
        }
    }
}

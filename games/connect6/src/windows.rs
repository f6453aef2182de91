//! Windows of six cells, counted as stones come and go.
//!
//! Who has a window without an enemy stone can still make a six in it. Four stones in such an
//! *open* window are a threat: two more win, and a turn has two (Wu and Huang, *A New Family of
//! k-in-a-row Games*, 2006). All that the evaluation and the playouts know follows from the counts.

use engine_core::Side;

use crate::board::Connect6;
use crate::geometry::{STEPS, STRIDE, WINDOW_PAD, WINDOW_PLANE, WINDOWS, window, window_cells};
use crate::moves::Stone;

/// A window's content: `First`'s stones in bits 0–2, `Second`'s in bits 3–5, bit 6 set if the
/// window does not lie on the board.
type Content = u8;

const ONE: [Content; 2] = [1, 8];
const OUTSIDE: Content = 64;
/// One more than the largest [`Content`].
pub(crate) const CONTENTS: usize = 128;

/// The stones of a window that only one side, this one, has stones in.
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

/// For every content the side, plus one, that could complete the window in a whole turn.
static THREAT: [u8; CONTENTS] = {
    let mut threat = [0; CONTENTS];
    let mut content = 0;
    while content < CONTENTS {
        if open_to(content, Side::First) >= 4 {
            threat[content] = 1;
        } else if open_to(content, Side::Second) >= 4 {
            threat[content] = 2;
        }
        content += 1;
    }
    threat
};

/// Two numbers added in one operation, for `First` and `Second`: a window is worth something else to
/// the side to move than to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair(i64);

impl Pair {
    pub(crate) const fn new(first: i16, second: i16) -> Pair {
        Pair(((first as i64) << 32) + second as i64)
    }

    /// One of the numbers. The lower half may have borrowed from the upper one.
    #[inline]
    const fn get(self, side: Side) -> i32 {
        let second = self.0 as i32;
        match side {
            Side::First => ((self.0 - second as i64) >> 32) as i32,
            Side::Second => second,
        }
    }
}

/// The contents of all windows of a position, the sum of their values, and the open windows with
/// four stones or more.
#[derive(Clone)]
pub(crate) struct Windows {
    values: &'static [Pair; CONTENTS],
    empty_board: Box<[Content; WINDOWS]>,
    contents: Box<[Content; WINDOWS]>,
    sum: Pair,
    threats: [Vec<u16>; 2],
}

impl Windows {
    /// The windows of the empty board of `size`.
    pub(crate) fn new(size: u8, values: &'static [Pair; CONTENTS]) -> Windows {
        let empty_board = Box::new(empty_board(size as usize));
        Windows {
            values,
            contents: empty_board.clone(),
            empty_board,
            sum: Pair(0),
            threats: [Vec::new(), Vec::new()],
        }
    }

    /// Counts all stones of `position`, whose board has the size of this one.
    pub(crate) fn reset(&mut self, position: &Connect6) {
        self.contents.copy_from_slice(&*self.empty_board);
        self.sum = Pair(0);
        self.threats.iter_mut().for_each(Vec::clear);
        for (side, stone) in position.all_stones() {
            self.add(side, stone);
        }
    }

    /// The sum of what all windows are worth to `side`.
    #[inline]
    pub(crate) fn sum(&self, side: Side) -> i32 {
        self.sum.get(side)
    }

    /// A stone has been placed.
    #[inline]
    pub(crate) fn add(&mut self, side: Side, stone: Stone) {
        self.change(stone, |content| content + ONE[side.index()]);
    }

    /// A stone has been taken back.
    #[inline]
    pub(crate) fn remove(&mut self, side: Side, stone: Stone) {
        self.change(stone, |content| content - ONE[side.index()]);
    }

    #[inline(always)]
    fn change(&mut self, stone: Stone, change: impl Fn(Content) -> Content) {
        let mut sum = 0;
        for direction in 0..STEPS.len() {
            for place in 0..6 {
                let window = window(direction, stone.cell(), place);
                let before = self.contents[window];
                let after = change(before);
                self.contents[window] = after;
                let (old, new) = (index(before), index(after));
                sum += self.values[new].0 - self.values[old].0;
                if THREAT[old] != THREAT[new] {
                    self.change_threat(window, THREAT[old], THREAT[new]);
                }
            }
        }
        self.sum.0 += sum;
    }

    #[cold]
    fn change_threat(&mut self, window: usize, before: u8, after: u8) {
        if before > 0 {
            let threats = &mut self.threats[before as usize - 1];
            threats.retain(|&threat| threat as usize != window);
        }
        if after > 0 {
            self.threats[after as usize - 1].push(window as u16);
        }
    }

    /// The sum over the windows through a cell of another table's values.
    #[inline]
    pub(crate) fn through(&self, stone: Stone, values: &[i16; CONTENTS]) -> i32 {
        let windows = |direction| (0..6).map(move |place| window(direction, stone.cell(), place));
        (0..STEPS.len())
            .flat_map(windows)
            .map(|window| values[index(self.contents[window])] as i32)
            .sum()
    }

    /// A cell of an open window that `side` can complete with `stones` (1 or 2) more, if there is
    /// one: then `side` wins.
    pub(crate) fn completion(&self, position: &Connect6, side: Side, stones: u8) -> Option<Stone> {
        let window = self.completions(side, stones).next()?;
        Gaps::of(position, window).cells().next()
    }

    /// Adds to `out` the cells of all windows that `side` can complete with `stones` (1 or 2) more,
    /// each once.
    pub(crate) fn completing_cells(
        &self,
        position: &Connect6,
        side: Side,
        stones: u8,
        out: &mut Vec<Stone>,
    ) {
        self.completions(side, stones)
            .for_each(|window| Gaps::of(position, window).add_to(out));
    }

    fn completions(&self, side: Side, stones: u8) -> impl Iterator<Item = u16> {
        let enough = move |window: &u16| {
            open_to(index(self.contents[*window as usize]), side) + stones as usize >= 6
        };
        self.threats[side.index()].iter().copied().filter(enough)
    }

    /// Whether `side` can complete a window with `stones` (1 or 2) more.
    #[inline]
    pub(crate) fn can_complete(&self, side: Side, stones: u8) -> bool {
        self.completions(side, stones).next().is_some()
    }

    /// The fewest stones that stand in every window of four or more of `attacker`, counted up to
    /// 3: who has fewer stones than that in his turn, and no six of his own, has lost.
    #[inline]
    pub(crate) fn blocks_needed(&self, position: &Connect6, attacker: Side) -> u8 {
        let threats = &self.threats[attacker.index()];
        if threats.is_empty() {
            return 0;
        }
        match self.blocks(position, attacker, 2) {
            Some(blocks) => blocks.len() as u8,
            None => 3,
        }
    }

    /// The smallest set of at most `most` (1 or 2) empty cells that stop all threats of `attacker`,
    /// if there is one.
    pub(crate) fn blocks(&self, position: &Connect6, attacker: Side, most: u8) -> Option<Gaps> {
        let threats = &self.threats[attacker.index()];
        let Some((&first, others)) = threats.split_first() else {
            return Some(Gaps::default());
        };
        let mut found = None;
        for cell in Gaps::of(position, first).cells() {
            let Some(next) = others.iter().position(|&window| !holds(window, cell)) else {
                return Some(Gaps::one(cell));
            };
            if most < 2 || found.is_some() {
                continue;
            }
            let rest = &others[next + 1..];
            found = Gaps::of(position, others[next])
                .cells()
                .find(|&second| rest.iter().all(|&w| holds(w, cell) || holds(w, second)))
                .map(|second| Gaps::two(cell, second));
        }
        found
    }

    /// Adds to `out` the cells that stand in some threat of `attacker`, each once.
    pub(crate) fn threat_cells(&self, position: &Connect6, attacker: Side, out: &mut Vec<Stone>) {
        self.threats[attacker.index()]
            .iter()
            .for_each(|&window| Gaps::of(position, window).add_to(out));
    }

    /// A cell that stands in a threat of `attacker`, if there is one.
    pub(crate) fn threat_cell(&self, position: &Connect6, attacker: Side) -> Option<Stone> {
        let &window = self.threats[attacker.index()].first()?;
        Gaps::of(position, window).cells().next()
    }
}

/// A content as an index; the mask spares the bounds check.
#[inline(always)]
fn index(content: Content) -> usize {
    content as usize & (CONTENTS - 1)
}

/// Contents of an empty board: 0 for windows on the board.
fn empty_board(size: usize) -> [Content; WINDOWS] {
    std::array::from_fn(|window| {
        let (direction, first) = (window / WINDOW_PLANE, window % WINDOW_PLANE);
        let Some(first) = first.checked_sub(WINDOW_PAD) else {
            return OUTSIDE;
        };
        let last = first + 5 * STEPS[direction];
        let inside = |cell: usize| cell / STRIDE < size && cell % STRIDE < size;
        if inside(first) && inside(last) {
            0
        } else {
            OUTSIDE
        }
    })
}

/// Whether a window holds a cell.
#[inline]
fn holds(window: u16, stone: Stone) -> bool {
    window_cells(window as usize).contains(&stone.cell())
}

/// Up to two cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Gaps([Option<Stone>; 2]);

impl Gaps {
    fn one(stone: Stone) -> Gaps {
        Gaps([Some(stone), None])
    }

    fn two(one: Stone, other: Stone) -> Gaps {
        Gaps([Some(one), Some(other)])
    }

    /// The empty cells of a threat.
    #[inline]
    fn of(position: &Connect6, window: u16) -> Gaps {
        let mut empty = window_cells(window as usize)
            .into_iter()
            .map(Stone::from_cell)
            .filter(|&stone| position.is_empty(stone));
        Gaps([empty.next(), empty.next()])
    }

    /// The cells.
    #[inline]
    pub(crate) fn cells(&self) -> impl Iterator<Item = Stone> + use<> {
        self.0.into_iter().flatten()
    }

    /// Adds the cells that are not yet in `out`.
    fn add_to(self, out: &mut Vec<Stone>) {
        for cell in self.cells() {
            if !out.contains(&cell) {
                out.push(cell);
            }
        }
    }

    #[inline]
    fn len(&self) -> usize {
        self.0.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

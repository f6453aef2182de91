//! Threats: the stones that complete a six, and those that block one.

use engine_core::Side;

use crate::geometry::windows_through;
use crate::moves::{Stone, Turn};
use crate::windows::Windows;

impl Windows {
    /// An empty cell of an open window that `side` can complete with `stones` (1 or 2) more, if
    /// there is one: then `side` wins.
    pub(crate) fn completion(&self, side: Side, stones: u8) -> Option<Stone> {
        let window = self.completions(side, stones).next()?;
        Gaps::of(self, window).cells().next()
    }

    /// Appends to `out` the cells of all windows that `side` can complete with `stones` (1 or 2)
    /// more, without duplicates.
    pub(crate) fn completing_cells(&self, side: Side, stones: u8, out: &mut Vec<Stone>) {
        self.completions(side, stones)
            .for_each(|window| Gaps::of(self, window).add_to(out));
    }

    fn completions(&self, side: Side, stones: u8) -> impl Iterator<Item = u16> {
        let enough = move |window: &u16| self.open_stones(*window, side) + stones as usize >= 6;
        self.threats(side).iter().copied().filter(enough)
    }

    /// Whether `side` can complete a window with `stones` (1 or 2) more.
    #[inline]
    pub(crate) fn can_complete(&self, side: Side, stones: u8) -> bool {
        self.completions(side, stones).next().is_some()
    }

    /// The minimum number of stones that block every window of four or more of `attacker`, up to 3.
    /// A side with fewer stones left in its turn, and no six of its own, has lost.
    #[inline]
    pub(crate) fn blocks_needed(&self, attacker: Side) -> u8 {
        let threats = self.threats(attacker);
        if threats.is_empty() {
            return 0;
        }
        match self.blocks(attacker, 2) {
            Some(blocks) => blocks.len() as u8,
            None => 3,
        }
    }

    /// The smallest set of at most `most` (1 or 2) empty cells that blocks all threats of
    /// `attacker`, if there is one.
    pub(crate) fn blocks(&self, attacker: Side, most: u8) -> Option<Gaps> {
        let threats = self.threats(attacker);
        let Some((&first, others)) = threats.split_first() else {
            return Some(Gaps::NONE);
        };
        let mut found = None;
        for cell in Gaps::of(self, first).cells() {
            let Some(next) = others.iter().position(|&window| !holds(window, cell)) else {
                return Some(Gaps::one(cell));
            };
            if most < 2 || found.is_some() {
                continue;
            }
            let rest = &others[next + 1..];
            found = Gaps::of(self, others[next])
                .cells()
                .find(|&second| rest.iter().all(|&w| holds(w, cell) || holds(w, second)))
                .map(|second| Gaps::two(cell, second));
        }
        found
    }

    /// Appends every turn of two stones that blocks all threats of `attacker`, of which one stone does
    /// not block all.
    pub(crate) fn blocking_turns(&self, attacker: Side, out: &mut Vec<Turn>) {
        let threats = self.threats(attacker);
        let Some((&first, others)) = threats.split_first() else {
            return;
        };
        let mark = out.len();
        for cell in Gaps::of(self, first).cells() {
            let mut rest = others.iter().filter(|&&window| !holds(window, cell));
            let Some(&next) = rest.next() else { continue };
            for second in Gaps::of(self, next).cells() {
                let turn = Turn::two(cell, second);
                if rest.clone().all(|&window| holds(window, second)) && !out[mark..].contains(&turn)
                {
                    out.push(turn);
                }
            }
        }
        out[mark..].sort_unstable();
    }

    /// Removes the turns from `mark` on that do not block all threats of `attacker`.
    pub(crate) fn keep_blocking(&self, attacker: Side, out: &mut Vec<Turn>, mark: usize) {
        let threats = self.threats(attacker);
        if threats.is_empty() {
            return;
        }
        let mut kept = mark;
        for at in mark..out.len() {
            let turn = out[at];
            let blocks = |&window: &u16| turn.stones().any(|stone| holds(window, stone));
            if threats.iter().all(blocks) {
                out[kept] = turn;
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// A turn of at most `left` stones with which `side` completes a six, if there is one.
    pub(crate) fn completing_turn(&self, side: Side, left: u8) -> Option<Turn> {
        let turns = self.completions(side, left).filter_map(|window| {
            let [first, second] = Gaps::of(self, window).0;
            let turn = |first| second.map_or(Turn::one(first), |second| Turn::two(first, second));
            first.map(turn)
        });
        turns.min()
    }

    /// Appends to `out` the empty cells of all threats of `attacker`, without duplicates.
    pub(crate) fn threat_cells(&self, attacker: Side, out: &mut Vec<Stone>) {
        self.threats(attacker)
            .iter()
            .for_each(|&window| Gaps::of(self, window).add_to(out));
    }

    /// An empty cell of a threat of `attacker`, if there is one.
    pub(crate) fn threat_cell(&self, attacker: Side) -> Option<Stone> {
        let &window = self.threats(attacker).first()?;
        Gaps::of(self, window).cells().next()
    }
}

/// Whether a window contains a cell.
#[inline]
fn holds(window: u16, stone: Stone) -> bool {
    windows_through(stone.cell())
        .into_iter()
        .any(|first| (window as usize).wrapping_sub(first) < 6)
}

/// Up to two cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gaps([Option<Stone>; 2]);

impl Gaps {
    pub(crate) const NONE: Gaps = Gaps([None; 2]);

    fn one(stone: Stone) -> Gaps {
        Gaps([Some(stone), None])
    }

    pub(crate) fn two(one: Stone, other: Stone) -> Gaps {
        Gaps([Some(one), Some(other)])
    }

    /// The empty cells of a threat.
    #[inline]
    pub(crate) fn of(windows: &Windows, window: u16) -> Gaps {
        let mut empty = windows.gaps(window);
        Gaps([empty.next(), empty.next()])
    }

    /// The cells.
    #[inline]
    pub(crate) fn cells(&self) -> impl Iterator<Item = Stone> + use<> {
        self.0.into_iter().flatten()
    }

    /// The cell, if there is only one.
    pub(crate) fn single(&self) -> Option<Stone> {
        match self.0 {
            [Some(cell), None] | [None, Some(cell)] => Some(cell),
            _ => None,
        }
    }

    /// The cells of both.
    pub(crate) fn and(self, other: Gaps) -> Gaps {
        self.keep(|cell| other.0.contains(&Some(cell)))
    }

    /// The other cells.
    pub(crate) fn without(self, cells: [Stone; 2]) -> Gaps {
        self.keep(|cell| !cells.contains(&cell))
    }

    fn keep(self, is_kept: impl Fn(Stone) -> bool) -> Gaps {
        Gaps(self.0.map(|cell| cell.filter(|&cell| is_kept(cell))))
    }

    /// Appends the cells that are not in `out` yet.
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

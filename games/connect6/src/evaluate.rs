//! The evaluation: open windows of six, by their number of stones, and threats. Also selects
//! candidate stones for searches that do not try all of them.

use engine_core::real::logistic;
use engine_core::{Candidates, Evaluator, Position, Score, Side};

use crate::board::Connect6;
use crate::geometry::CELLS;
use crate::moves::Stone;
use crate::ranking::{GainTable, Ranking};
use crate::windows::{CONTENTS, Growth, Pair, Windows, growth, open_to};

/// Points of an open window of the side to move, by its number of stones, 0 to 6. Wu and Huang (*A
/// New Family of k-in-a-row Games*, 2006) and later programs also count windows of six open cells.
/// Entries of four or more apply only within a turn; otherwise they win.
///
/// This table, [`LAST_MOVER`] and [`FREE`] come from logistic regressions on the results of the 829
/// games under `tests/data` (33 000 positions). One regression is for positions between turns, one
/// for positions within a turn; their results are rounded to one set. 100 points multiply the odds
/// by e.
const MOVER: [i16; 7] = [0, 1, 7, 16, 50, 50, 50];
/// Points of an open window of the side that has just played, by its number of stones, 0 to 6.
/// Windows of four or more score 0: [`FREE`] scores them by the stones needed to block them. Their
/// number gave no further information.
const LAST_MOVER: [i16; 7] = [0, 1, 3, 8, 0, 0, 0];
/// Points by the number of stones, 0 to 2, that the side to move has left after blocking all
/// threats.
const FREE: [i32; 3] = [-205, -25, 25];
/// Score of a side that can complete a six in this turn, or in the next with no possible block. It
/// is far above any sum of windows, but below a proven win, because nothing was searched.
const NEAR_WIN: i32 = 100_000;

/// The value of a window if `First` is to move, and if `Second` is.
const VALUES: [Pair; CONTENTS] = {
    let mut values = [Pair::new(0, 0); CONTENTS];
    let mut content = 0;
    while content < CONTENTS {
        let first = open_to(content, Side::First);
        let second = open_to(content, Side::Second);
        values[content] = Pair::new(
            MOVER[first] - LAST_MOVER[second],
            MOVER[second] - LAST_MOVER[first],
        );
        content += 1;
    }
    values
};
/// The change of that value by one stone.
pub(crate) static GROWTH: Growth = growth(&VALUES);

/// The gain of a side from one more stone in a window: its own window grows, or the enemy, who
/// moves next, loses its window.
pub(crate) static GAINS: GainTable = [gains(Side::First), gains(Side::Second)];

// A byte of `Ranking` holds the sum of six gains, if no enemy threat must be blocked.
const _: () = assert!(6 * (MOVER[4] - MOVER[3]) < 256 && 6 * MOVER[3] < 256);

const fn gains(side: Side) -> [u8; CONTENTS] {
    let mut gains = [0; CONTENTS];
    let mut content = 0;
    while content < CONTENTS {
        let own = open_to(content, side);
        let enemy = open_to(content, side.opponent());
        gains[content] = if enemy > 0 {
            MOVER[enemy] as u8
        } else if own > 0 && own < 6 || content == 0 {
            (MOVER[own + 1] - MOVER[own]) as u8
        } else {
            0
        };
        content += 1;
    }
    gains
}

/// Evaluates by window counts, which `push` and `pop` update.
///
/// A side to move that can complete a window with its remaining stones is near a win. If it cannot
/// block all enemy threats with them, it is near a loss. Otherwise the value is the weighted
/// windows of both sides, plus points for the stones left after blocking.
pub struct WindowEvaluator {
    windows: Windows,
    pushed: Vec<(Side, Stone)>,
    ranking: Ranking,
}

impl WindowEvaluator {
    /// An evaluator for boards of `size`, 6 to 19, starting at the empty board.
    pub fn new(size: u8) -> WindowEvaluator {
        let windows = Windows::new(size, &GROWTH);
        WindowEvaluator {
            ranking: Ranking::new(&windows, &GAINS),
            windows,
            pushed: Vec::with_capacity(CELLS),
        }
    }
}

/// The gain of `side` from a stone on an empty cell, summed over the windows through the cell, in
/// points.
pub(crate) fn gain(windows: &Windows, side: Side, stone: Stone) -> i32 {
    windows.through(stone, &GAINS[side.index()])
}

/// The value of `position`, whose windows are `windows`, for the side to move.
pub(crate) fn value(windows: &Windows, position: &Connect6) -> Score {
    let (side, left) = (position.side(), position.stones_left());
    let sum = windows.sum(side);
    if windows.can_complete(side, left) {
        return Score::points(NEAR_WIN + sum);
    }
    let blocks = windows.blocks_needed(position, side.opponent());
    if blocks > left {
        return Score::points(sum - NEAR_WIN);
    }
    Score::points(sum + FREE[(left - blocks) as usize])
}

/// The winning probability for a value.
pub(crate) fn chance(score: Score) -> f32 {
    logistic(score.value() as f32 / 100.0)
}

impl Evaluator<Connect6> for WindowEvaluator {
    /// Appends to `out` the stones of `position` worth a search, best first. The evaluator must be
    /// at `position`. Never empty while the game is not over.
    ///
    /// - If the side to move can complete a six in this turn: only the stones that do so.
    /// - If the opponent threatens a six: only blocking stones. If one block suffices, the other
    ///   stone of the turn is listed after the block, because order within a turn does not matter.
    /// - Otherwise at most `limit` cells near a stone, by the gain of the windows through them.
    ///
    /// The first two lists are complete: any other stone delays the win or allows the opponent's
    /// six. The third is a selection.
    fn candidates(
        &mut self,
        position: &Connect6,
        limit: usize,
        out: &mut Vec<Stone>,
    ) -> Candidates {
        out.clear();
        let side = position.side();
        self.windows
            .completing_cells(position, side, position.stones_left(), out);
        if !out.is_empty() {
            return Candidates::Complete;
        }
        self.windows.threat_cells(position, side.opponent(), out);
        if !out.is_empty() {
            return Candidates::Complete;
        }
        let near = position.near_cells();
        if near.is_empty() {
            out.extend(position.empty_cells().stones().take(limit.max(1)));
            return Candidates::Selected;
        }
        self.ranking
            .best(&self.windows, position, &near, limit.max(1), out);
        if out.len() == position.empty_cells().len() as usize {
            Candidates::Complete
        } else {
            Candidates::Selected
        }
    }

    fn reset(&mut self, root: &Connect6) {
        self.windows.follow(root);
        self.pushed.clear();
    }

    #[inline]
    fn push(&mut self, before: &Connect6, stone: Stone) {
        let side = before.side();
        self.windows.add(side, stone);
        self.pushed.push((side, stone));
    }

    #[inline]
    fn pop(&mut self) {
        if let Some((side, stone)) = self.pushed.pop() {
            self.windows.remove(side, stone);
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Connect6) -> Score {
        debug_assert!(
            self.windows.are_of(position),
            "an evaluator at another position"
        );
        value(&self.windows, position)
    }

    fn probability(&self, score: Score) -> f32 {
        chance(score)
    }
}

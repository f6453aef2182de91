//! The evaluation: open windows of six by their stones, and threats. Candidate stones for a search
//! that does not look at all of them.

use engine_core::real::logistic;
use engine_core::{Evaluator, Position, Score, Side};

use crate::board::Connect6;
use crate::geometry::CELLS;
use crate::moves::Stone;
use crate::windows::{CONTENTS, Pair, Windows, open_to};

/// Points of an open window of the side to move, by its stones, 0 to 6. Windows of six open cells
/// are what Wu and Huang (*A New Family of k-in-a-row Games*, 2006) and the programs after it
/// count. This table, [`WAITER`] and [`FREE`] come from logistic regressions, one for positions
/// between turns and one for positions within, on the results of the 829 games under `tests/data`
/// (33 000 positions), rounded to one set: 100 points multiply the odds by e. Four or more matter
/// within a turn only; else they win.
const MOVER: [i16; 7] = [0, 1, 7, 16, 50, 50, 50];
/// Points of an open window of the side that has just played. Four or more are counted by the
/// stones that it takes to block them, [`FREE`], and nothing more was found in their number.
const WAITER: [i16; 7] = [0, 1, 3, 8, 0, 0, 0];
/// Points of the stones that the side to move has left, 0 to 2, after blocking all threats.
const FREE: [i32; 3] = [-205, -25, 25];
/// A side that can complete a six in this turn, or whose enemy cannot be stopped from it in the
/// next: far above what windows add up to, and below a proof, as nothing has been searched.
const NEAR_WIN: i32 = 100_000;

/// What a window is worth to `First` if it is to move, and to `Second` if it is.
pub(crate) static VALUES: [Pair; CONTENTS] = {
    let mut values = [Pair::new(0, 0); CONTENTS];
    let mut content = 0;
    while content < CONTENTS {
        let first = open_to(content, Side::First);
        let second = open_to(content, Side::Second);
        values[content] = Pair::new(MOVER[first] - WAITER[second], MOVER[second] - WAITER[first]);
        content += 1;
    }
    values
};

/// What one more stone of each side in a window is worth to it: its own window grows, or the
/// enemy, who moves next, loses his.
static GAINS: [[i16; CONTENTS]; 2] = [gains(Side::First), gains(Side::Second)];

const fn gains(side: Side) -> [i16; CONTENTS] {
    let mut gains = [0; CONTENTS];
    let mut content = 0;
    while content < CONTENTS {
        let own = open_to(content, side);
        let enemy = open_to(content, side.opponent());
        gains[content] = if enemy > 0 {
            MOVER[enemy]
        } else if own > 0 && own < 6 || content == 0 {
            MOVER[own + 1] - MOVER[own]
        } else {
            0
        };
        content += 1;
    }
    gains
}

/// Counts windows, kept by `push` and `pop`.
///
/// A side to move with a window that its stones left can complete is near a win; one that cannot
/// block all threats of the enemy with them is near a loss. Else the windows of both sides are
/// weighed, and the stones that the side to move has left after blocking.
pub struct WindowEvaluator {
    windows: Windows,
    pushed: Vec<(Side, Stone)>,
    /// Stones of the position that the windows stand for: evaluating another one is a fault of
    /// the caller.
    stones: u16,
}

impl WindowEvaluator {
    /// An evaluator for boards of `size`, 6 to 19, at the empty board.
    pub fn new(size: u8) -> WindowEvaluator {
        WindowEvaluator {
            windows: Windows::new(size, &VALUES),
            pushed: Vec::with_capacity(CELLS),
            stones: 0,
        }
    }
}

/// What the windows through an empty cell gain for `side` by its stone there, in points.
pub(crate) fn gain(windows: &Windows, side: Side, stone: Stone) -> i32 {
    windows.through(stone, &GAINS[side.index()])
}

/// The value of `position`, whose windows are `windows`, for its side to move.
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

/// The chance of winning that a value stands for.
pub(crate) fn chance(score: Score) -> f32 {
    logistic(score.value() as f32 / 100.0)
}

impl Evaluator<Connect6> for WindowEvaluator {
    /// Lists in `out` the stones worth a search in `position`, which this evaluator follows, best
    /// first: never empty while the game goes on.
    ///
    /// - Who can complete a six in this turn needs no other stone than those that do it.
    /// - Who is threatened with one must place one of the stones that block; the free stone of a
    ///   turn in which one block suffices is listed once the block stands, as order does not
    ///   matter within a turn.
    /// - Else at most `limit` cells near a stone, by what the windows through them gain.
    ///
    /// The first two lists lose nothing, the third may: it is for a search that trades
    /// completeness for depth.
    fn candidates(&mut self, position: &Connect6, limit: usize, out: &mut Vec<Stone>) -> bool {
        out.clear();
        if position.outcome().is_some() {
            return true;
        }
        let side = position.side();
        self.windows
            .completing_cells(position, side, position.stones_left(), out);
        if !out.is_empty() {
            return true;
        }
        self.windows.threat_cells(position, side.opponent(), out);
        if !out.is_empty() {
            return true;
        }
        let near = position.near_cells();
        if near.is_empty() {
            out.extend(position.empty_cells().stones().take(limit.max(1)));
            return true;
        }
        let mut ranked: Vec<(i32, Stone)> = near
            .stones()
            .map(|stone| (-gain(&self.windows, side, stone), stone))
            .collect();
        ranked.sort_unstable();
        out.extend(
            ranked
                .into_iter()
                .take(limit.max(1))
                .map(|(_, stone)| stone),
        );
        true
    }

    fn reset(&mut self, root: &Connect6) {
        self.windows.reset(root);
        self.pushed.clear();
        self.stones = root.stones();
    }

    #[inline]
    fn push(&mut self, before: &Connect6, stone: Stone) {
        let side = before.side();
        self.windows.add(side, stone);
        self.pushed.push((side, stone));
        self.stones += 1;
    }

    #[inline]
    fn pop(&mut self) {
        if let Some((side, stone)) = self.pushed.pop() {
            self.windows.remove(side, stone);
            self.stones -= 1;
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Connect6) -> Score {
        debug_assert_eq!(
            self.stones,
            position.stones(),
            "an evaluator at another position"
        );
        value(&self.windows, position)
    }

    fn probability(&self, score: Score) -> f32 {
        chance(score)
    }
}

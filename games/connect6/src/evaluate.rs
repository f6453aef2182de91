//! The evaluation: open windows of six, by their number of stones, and threats. Also selects
//! candidate stones for searches that do not try all of them.

use engine_core::real::logistic;
use engine_core::threats::{KnownWins, ThreatBoard};
use engine_core::{Candidates, Evaluator, Limits, Position, Score, Side};

use crate::attack::{DOUBLE_THREATS, Threats};
use crate::board::Connect6;
use crate::geometry::CELLS;
use crate::moves::{Stone, Turn};
use crate::ranking::{GainTable, Ranking};
use crate::windows::{CONTENTS, Growth, Pair, Values, Windows, growth, open_to};

engine_core::weights! {
    /// Points of open windows by their number of stones, and of the stones that the side to move
    /// has left after blocking all threats, apart for the begin of a turn and for its last stone. Wu
    /// and Huang (*A New Family of k-in-a-row Games*, 2006) and later programs also count windows of
    /// six open cells.
    ///
    /// From 24 000 games of SPSA (`configs/tune/connect6.toml`).
    pub struct Weights {
        /// Begin of a turn: an open window of the side to move with one stone.
        own_1: f32 = 2.092, -10 to 20;
        /// Begin of a turn: an open window of the side to move with two stones.
        own_2: f32 = 7.02, -10 to 40;
        /// Begin of a turn: an open window of the side to move with three stones.
        own_3: f32 = 21.64, -10 to 100;
        /// Begin of a turn: an open window of the other side with one stone.
        enemy_1: f32 = 0.536, -10 to 20;
        /// Begin of a turn: an open window of the other side with two stones.
        enemy_2: f32 = 10.18, -10 to 40;
        /// Begin of a turn: an open window of the other side with three stones.
        enemy_3: f32 = 21.3, -10 to 100;
        /// Begin of a turn: no stone left after blocking.
        free_0: f32 = -208.5, -500 to 100;
        /// Begin of a turn: one stone left after blocking.
        free_1: f32 = -16.8, -300 to 300;
        /// Begin of a turn: two stones left after blocking.
        free_2: f32 = 87.4, -300 to 300;
        /// Last stone: an open window of the side to move with one stone.
        last_own_1: f32 = -0.771, -10 to 20;
        /// Last stone: an open window of the side to move with two stones.
        last_own_2: f32 = 7.58, -10 to 40;
        /// Last stone: an open window of the side to move with three stones.
        last_own_3: f32 = 30.55, -10 to 100;
        /// Last stone: an open window of the other side with one stone.
        last_enemy_1: f32 = -0.754, -10 to 20;
        /// Last stone: an open window of the other side with two stones.
        last_enemy_2: f32 = 7.19, -10 to 40;
        /// Last stone: an open window of the other side with three stones.
        last_enemy_3: f32 = 12.25, -10 to 100;
        /// Last stone: none left after blocking.
        last_free_0: f32 = -252.8, -500 to 100;
        /// Last stone: it is free.
        last_free_1: f32 = -13.9, -300 to 300;
    }
}

/// Parts of a point in which windows are counted.
const PARTS: f32 = 16.0;
/// Points of an own window with four or more stones. They apply only within a turn; otherwise such
/// a window wins. An enemy's is worth nothing: the stones needed to block it are. The number of
/// such windows gives no further information.
const STARTED: f32 = 50.0;
/// Score of a side that can complete a six in this turn, or in the next with no possible block. It
/// is far above any sum of windows, but below a proven win, because nothing was searched.
const NEAR_WIN: f32 = 100_000.0;

impl Weights {
    /// The change of the values of a window by one stone.
    pub(crate) fn growth(&self) -> Growth {
        let own = |[one, two, three]: [f32; 3]| [0.0, one, two, three, STARTED, STARTED, STARTED];
        let enemy = |[one, two, three]: [f32; 3]| [0.0, one, two, three, 0.0, 0.0, 0.0];
        // With one stone left, and with two.
        let tables = [
            [
                own([self.last_own_1, self.last_own_2, self.last_own_3]),
                enemy([self.last_enemy_1, self.last_enemy_2, self.last_enemy_3]),
            ],
            [
                own([self.own_1, self.own_2, self.own_3]),
                enemy([self.enemy_1, self.enemy_2, self.enemy_3]),
            ],
        ];
        let parts = |points: f32| (points * PARTS).round_ties_even() as i16;
        let tables = tables.map(|sides| sides.map(|points| points.map(parts)));
        let value = |content| {
            let [first, second] = Side::BOTH.map(|side| open_to(content, side));
            // If `First` is to move, and if `Second` is.
            let pair = |[own, enemy]: [[i16; 7]; 2]| {
                Pair::new(own[first] - enemy[second], own[second] - enemy[first])
            };
            Values(tables.map(pair))
        };
        growth(&std::array::from_fn(value))
    }
}

/// Points of an open window by its number of stones, for the choice of candidates.
const STONES: [u8; 7] = [0, 1, 7, 16, 50, 50, 50];
/// The gain of a side from one more stone in a window: its own window grows, or the enemy, who
/// moves next, loses its window.
pub(crate) static GAINS: GainTable = [gains(Side::First), gains(Side::Second)];

// A byte of `Ranking` holds the sum of six gains, if no enemy threat must be blocked.
const _: () = assert!(6 * (STONES[4] - STONES[3]) as u32 <= 255 && 6 * STONES[3] as u32 <= 255);

const fn gains(side: Side) -> [u8; CONTENTS] {
    let mut gains = [0; CONTENTS];
    let mut content = 0;
    while content < CONTENTS {
        let own = open_to(content, side);
        let enemy = open_to(content, side.opponent());
        gains[content] = if enemy > 0 {
            STONES[enemy]
        } else if own > 0 && own < 6 || content == 0 {
            STONES[own + 1] - STONES[own]
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
    threats: Threats,
    /// Made when it is first needed: only some searches ask.
    wins: Option<KnownWins<Turn>>,
    weights: Weights,
    pushed: Vec<(Side, Stone)>,
    ranking: Ranking,
}

impl WindowEvaluator {
    /// An evaluator for boards of `size`, 6 to 19, starting at the empty board.
    pub fn new(size: u8) -> WindowEvaluator {
        WindowEvaluator::with(size, Weights::DEFAULT)
    }

    /// The same with these weights.
    pub fn with(size: u8, weights: Weights) -> WindowEvaluator {
        let threats = Threats::new(size, weights.growth());
        WindowEvaluator {
            ranking: Ranking::new(&threats.windows, &GAINS),
            weights,
            threats,
            wins: None,
            pushed: Vec::with_capacity(CELLS),
        }
    }
}

/// The gain of `side` from a stone on an empty cell, summed over the windows through the cell, in
/// points.
pub(crate) fn gain(windows: &Windows, side: Side, stone: Stone) -> i32 {
    windows.through(stone, &GAINS[side.index()])
}

impl Weights {
    /// The value of `position` for the side to move. `windows` are its windows, with the
    /// [growth](Weights::growth) of these weights.
    pub(crate) fn value(&self, windows: &Windows, position: &Connect6) -> Score {
        let (side, left) = (position.side(), position.stones_left());
        let sum = windows.sum(side, left) as f32 / PARTS;
        let blocks = windows.blocks_needed(side.opponent());
        let worth = if windows.can_complete(side, left) {
            NEAR_WIN
        } else if blocks > left {
            -NEAR_WIN
        } else {
            let free: &[f32] = match left {
                1 => &[self.last_free_0, self.last_free_1],
                _ => &[self.free_0, self.free_1, self.free_2],
            };
            free[(left - blocks) as usize]
        };
        Score::points((sum + worth).round_ties_even() as i32)
    }
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
        self.threats
            .windows
            .completing_cells(side, position.stones_left(), out);
        if !out.is_empty() {
            return Candidates::Complete;
        }
        self.threats.windows.threat_cells(side.opponent(), out);
        if !out.is_empty() {
            return Candidates::Complete;
        }
        let near = position.near_cells();
        if near.is_empty() {
            out.extend(position.empty_cells().cells().take(limit.max(1)));
            return Candidates::Selected;
        }
        self.ranking
            .best(&self.threats.windows, position, &near, limit.max(1), out);
        if out.len() == position.empty_cells().count() as usize {
            Candidates::Complete
        } else {
            Candidates::Selected
        }
    }

    fn forget(&mut self) {
        self.wins = None;
    }

    fn win(
        &mut self,
        position: &Connect6,
        nodes: u64,
        limits: &Limits,
        spent: &mut u64,
    ) -> Option<u32> {
        self.threats.begin(position);
        let side = position.side().index();
        let wins = self
            .wins
            .get_or_insert_with(|| KnownWins::new(DOUBLE_THREATS));
        let turns = wins.find(&mut self.threats, side, nodes, limits, spent);
        turns.map(|turns| turns * Threats::ACTIONS)
    }

    fn reset(&mut self, root: &Connect6) {
        self.threats.windows.follow(root);
        self.pushed.clear();
    }

    #[inline]
    fn push(&mut self, before: &Connect6, stone: Stone) {
        let side = before.side();
        self.threats.windows.add(side, stone);
        self.pushed.push((side, stone));
    }

    #[inline]
    fn pop(&mut self) {
        if let Some((side, stone)) = self.pushed.pop() {
            self.threats.windows.remove(side, stone);
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Connect6) -> Score {
        debug_assert!(
            self.threats.windows.are_of(position),
            "an evaluator at another position"
        );
        self.weights.value(&self.threats.windows, position)
    }

    fn probability(&self, score: Score) -> f32 {
        chance(score)
    }
}

//! The evaluation: what all empty cells are worth to each colour, and continuous fours. Also selects
//! candidate stones for searches that do not try all of them.

use std::collections::HashSet;

use engine_core::real::logistic;
use engine_core::threats::{ThreatBoard, ThreatSearch};
use engine_core::{Candidates, Evaluator, Limits, Position, Score};

use crate::board::{Colour, Gomoku};
use crate::moves::Action;
use crate::opening::Stage;
use crate::patterns::{action_at, cell_of};
use crate::threats::Threats;
use crate::values::Mark;

/// Score of a forced win outside the search, less its plies. It is far above any sum of points, but
/// below a proven win, because the search has not seen the win.
const NEAR_WIN: i32 = 100_000;
/// Maximum number of nodes of continuous fours at a leaf.
const LEAF_NODES: u64 = 16;
/// Maximum number of nodes of continuous fours at a node whose moves are listed.
const NODE_NODES: u64 = 300;
/// The table of continuous fours has two to this power of entries. It is small, because it is
/// cleared before every search of them: an evaluation must depend on its position only.
const FOUR_TABLE_BITS: u32 = 8;
/// Maximum number of nodes of continuous threes, by the plies from the root of the search. At the
/// root itself, the player has looked for them.
const THREE_NODES: [u64; 4] = [0, 3_000, 200, 100];
/// The table of continuous threes has two to this power of entries.
const THREE_TABLE_BITS: u32 = 14;
/// Maximum number of fours of the enemy that are answered before a leaf is evaluated.
const ANSWERS: u32 = 8;

/// Evaluates by the patterns of both colours, which `push` and `pop` update.
///
/// A colour to move that wins by continuous fours is near a win. A single four of the enemy is
/// answered first. Otherwise the value is the sum of the points of all empty cells.
pub struct PatternEvaluator {
    threats: Threats,
    /// Whether each pushed action placed a stone.
    pushed: Vec<bool>,
    fours: ThreatSearch<Action>,
    threes: ThreatSearch<Action>,
    /// Keys of the positions in which this search has looked for continuous threes.
    tried: HashSet<u64>,
    /// Buffer for cells with their points.
    ranked: Vec<(i32, usize)>,
    leaf_limits: Limits,
    node_limits: Limits,
}

impl PatternEvaluator {
    /// An evaluator for positions of the same variant.
    pub fn new(position: &Gomoku) -> PatternEvaluator {
        PatternEvaluator {
            threats: Threats::new(position.variant()),
            pushed: Vec::new(),
            fours: ThreatSearch::new(FOUR_TABLE_BITS),
            threes: ThreatSearch::new(THREE_TABLE_BITS),
            tried: HashSet::new(),
            ranked: Vec::new(),
            leaf_limits: Limits::nodes(LEAF_NODES),
            node_limits: Limits::nodes(NODE_NODES),
        }
    }

    /// The value of a position of the ordinary game for the colour to move. At most `answers` fours
    /// of the enemy are answered.
    fn value(&mut self, own: usize, answers: u32) -> i32 {
        let patterns = &mut self.threats.patterns;
        if !patterns.marked(own, Mark::Five).is_empty() {
            return NEAR_WIN - 1;
        }
        let fives = patterns.marked(1 - own, Mark::Five);
        if let Some(answer) = fives.first() {
            if fives.count() > 1 || patterns.is_forbidden(own, answer) {
                return 2 - NEAR_WIN;
            }
            if answers == 0 {
                return patterns.points(own);
            }
            patterns.add(own, answer);
            let value = -self.value(1 - own, answers - 1);
            self.threats.patterns.take_back();
            return value;
        }
        if !patterns.marked(own, Mark::Straight).is_empty() {
            return NEAR_WIN - 3;
        }
        let points = patterns.points(own);
        self.threats.begin(own);
        let threes = self.threes.known(&self.threats, 1);
        let fours = || {
            self.fours.forget();
            self.fours.find(&mut self.threats, 0, &self.leaf_limits)
        };
        match threes.or_else(fours) {
            Some((_, plies)) => NEAR_WIN - plies as i32,
            None => points,
        }
    }

    /// What a stone of `own` on an empty cell gains and prevents, in points.
    fn gain(&self, own: usize, cell: usize) -> i32 {
        let mover = |colour| self.threats.patterns.value(colour, cell).mover as i32;
        4 * mover(own) + 3 * mover(1 - own)
    }

    /// Appends the cells with the highest gains that are not forbidden, at most `limit`, best first.
    fn rank(&mut self, own: usize, limit: usize, out: &mut Vec<Action>) {
        let mut ranked = std::mem::take(&mut self.ranked);
        ranked.clear();
        for cell in self.threats.patterns.board() {
            if self.threats.patterns.is_empty(cell) {
                let gain = self.gain(own, cell);
                if gain > 0 {
                    ranked.push((-gain, cell));
                }
            }
        }
        if ranked.len() > limit {
            ranked.select_nth_unstable(limit);
            ranked.truncate(limit);
        }
        ranked.sort_unstable();
        let allowed = ranked.iter().map(|&(_, cell)| cell);
        let patterns = &mut self.threats.patterns;
        out.extend(
            allowed
                .filter(|&cell| !patterns.is_forbidden(own, cell))
                .map(action_at),
        );
        self.ranked = ranked;
    }

    /// Appends own fours, and the cells that the enemy needs for continuous fours, if these win for
    /// it; at most `limit` moves, best first.
    fn defences(&mut self, own: usize, limit: usize, out: &mut Vec<Action>) {
        self.threats.begin(1 - own);
        self.fours.forget();
        let win = self.fours.win(&mut self.threats, 0, &self.node_limits);
        let Some(win) = win else {
            return;
        };
        let patterns = &mut self.threats.patterns;
        patterns.fours(own, out);
        out.extend(&win.line);
        for (ply, &action) in win.line.iter().enumerate() {
            patterns.add((1 - own) ^ (ply & 1), cell_of(action));
        }
        out.extend(patterns.marked(1 - own, Mark::Five).cells().map(action_at));
        for _ in &win.line {
            patterns.take_back();
        }
        out.sort_unstable_by_key(|&action| cell_of(action));
        out.dedup();
        out.retain(|&action| !patterns.is_forbidden(own, cell_of(action)));
        out.sort_by_cached_key(|&action| -self.gain(own, cell_of(action)));
        out.truncate(limit);
    }

    /// A win by continuous threes of the attacker, who is to move. The fewer plies the search is from
    /// its root, the more nodes; only once in a search for each position.
    fn three_win(&mut self) -> Option<(Action, u32)> {
        let known = self.threes.known(&self.threats, 1);
        let limit = THREE_NODES.get(self.pushed.len()).copied().unwrap_or(0);
        if known.is_some() || limit == 0 || !self.tried.insert(self.threats.key()) {
            return known;
        }
        self.threes
            .find(&mut self.threats, 1, &Limits::nodes(limit))
    }

    /// Appends the moves that decide the game or prevent that, if there are any; then no other move
    /// is better than the best of them.
    fn forced(&mut self, own: usize, out: &mut Vec<Action>) {
        let patterns = &mut self.threats.patterns;
        let deciding = [
            (own, Mark::Five),
            (1 - own, Mark::Five),
            (own, Mark::Straight),
        ];
        for (colour, mark) in deciding {
            if let Some(cell) = patterns.marked(colour, mark).first() {
                // If the only stop is forbidden, all is lost, and any allowed move will do.
                if !patterns.is_forbidden(own, cell) {
                    out.push(action_at(cell));
                }
                return;
            }
        }
        self.threats.begin(own);
        self.fours.forget();
        if let Some((action, _)) = self.fours.find(&mut self.threats, 0, &self.node_limits) {
            out.push(action);
            return;
        }
        if let Some((action, _)) = self.three_win() {
            out.push(action);
            return;
        }
        if self.threats.patterns.answers(own, out) {
            out.sort_by_cached_key(|&action| -self.gain(own, cell_of(action)));
        }
    }

    /// The candidates of the ceremony, where there are many cells.
    fn ceremony(&mut self, position: &Gomoku, limit: usize, out: &mut Vec<Action>) -> Candidates {
        if position.may_swap() {
            out.push(Action::Swap);
        }
        self.rank(position.to_move() as usize, limit, out);
        // Among the offered stones are no mirrored ones.
        out.retain(|&action| position.is_legal(action));
        if out.is_empty() {
            Candidates::All
        } else {
            Candidates::Selected
        }
    }
}

/// The winning probability for a value.
pub(crate) fn chance(score: Score) -> f32 {
    logistic(score.value() as f32 / 400.0)
}

impl Evaluator<Gomoku> for PatternEvaluator {
    fn reset(&mut self, root: &Gomoku) {
        self.threats.follow(root);
        self.pushed.clear();
        if !self.tried.is_empty() {
            self.tried.clear();
            self.threes.forget();
        }
    }

    #[inline]
    fn push(&mut self, before: &Gomoku, action: Action) {
        let is_stone = matches!(action, Action::Cell(_)) && before.stage() != Stage::Offer;
        if is_stone {
            let colour = match before.stage() {
                Stage::Keep => Colour::Black,
                _ => before.to_move(),
            };
            self.threats.patterns.add(colour as usize, cell_of(action));
        }
        self.pushed.push(is_stone);
    }

    #[inline]
    fn pop(&mut self) {
        if self.pushed.pop() == Some(true) {
            self.threats.patterns.take_back();
        }
    }

    fn evaluate(&mut self, position: &Gomoku) -> Score {
        let own = position.to_move() as usize;
        let white = Colour::White as usize;
        Score::points(match position.stage() {
            Stage::Play if position.may_claim() => NEAR_WIN,
            Stage::Play => self.value(own, ANSWERS),
            // Second chooses the better colour; white plays the next stone.
            Stage::Setup | Stage::Count => -self.threats.patterns.points(white).abs(),
            Stage::Fourth if position.may_swap() => self.threats.patterns.points(white).abs(),
            Stage::Fourth | Stage::Offer | Stage::Keep => self.threats.patterns.points(own),
        })
    }

    /// - If a five, a straight four, continuous fours or, near the root, threes win: one move that does.
    /// - If the enemy has a four or an open three: the moves that stop it, and own fours.
    /// - If the enemy would win by continuous fours after a pass: the cells that it needs, and own
    ///   fours.
    /// - Otherwise at most `limit` cells with the highest gains.
    ///
    /// The first two lists are complete, the others are selections. A forbidden move is in no list.
    fn candidates(&mut self, position: &Gomoku, limit: usize, out: &mut Vec<Action>) -> Candidates {
        out.clear();
        match position.stage() {
            Stage::Play => {}
            Stage::Fourth | Stage::Offer => return self.ceremony(position, limit, out),
            Stage::Setup | Stage::Count | Stage::Keep => return Candidates::All,
        }
        if position.may_claim() {
            out.push(Action::Claim);
            return Candidates::Complete;
        }
        let own = position.to_move() as usize;
        self.forced(own, out);
        if !out.is_empty() {
            return Candidates::Complete;
        }
        self.defences(own, limit, out);
        if out.is_empty() {
            self.rank(own, limit, out);
        }
        if out.is_empty() {
            Candidates::All
        } else {
            Candidates::Selected
        }
    }

    fn probability(&self, score: Score) -> f32 {
        chance(score)
    }
}

//! The evaluation: what all empty cells are worth to each colour, and continuous fours. Also selects
//! candidate stones for searches that do not try all of them.

use engine_core::real::logistic;
use engine_core::{Candidates, Evaluator, Position, Score};

use crate::board::{Colour, Gomoku};
use crate::fours::Fours;
use crate::moves::Action;
use crate::opening::Stage;
use crate::patterns::{Inputs, action_at, cell_of};
use crate::threats::Threats;
use crate::values::Mark;

/// Score of a forced win outside the search, less its plies. It is far above any sum of points, but
/// below a proven win, because the search has not seen the win.
const NEAR_WIN: i32 = 100_000;
/// Maximum number of fours of the enemy that are answered before a leaf is evaluated.
const ANSWERS: u32 = 8;

/// Evaluates by the patterns of both colours, which `push` and `pop` update.
///
/// A colour to move that wins by continuous fours is near a win. A single four of the enemy is
/// answered first. Otherwise the value is the sum of the points of all empty cells.
pub struct PatternEvaluator {
    threats: Threats,
    /// The colour and the cell of the stone that each pushed action placed, if any.
    pushed: Vec<Option<(usize, usize)>>,
    /// Number of pushed actions that the patterns include. The others wait until the patterns are
    /// needed: many nodes end before that.
    added: usize,
    fours: Fours,
    /// Buffer for cells with their points.
    ranked: Vec<(i32, usize)>,
}

impl PatternEvaluator {
    /// An evaluator for positions of the same variant.
    pub fn new(position: &Gomoku) -> PatternEvaluator {
        PatternEvaluator {
            threats: Threats::new(position.variant()),
            pushed: Vec::new(),
            added: 0,
            fours: Fours::new(),
            ranked: Vec::new(),
        }
    }

    /// Adds the stones of all pushed actions to the patterns.
    #[inline]
    fn catch_up(&mut self) {
        for &(colour, cell) in self.pushed[self.added..].iter().flatten() {
            self.threats.patterns.add(colour, cell);
        }
        self.added = self.pushed.len();
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
        match self.fours.find(&mut self.threats) {
            Some((_, plies)) => NEAR_WIN - plies as i32,
            None => points,
        }
    }

    /// The learned numbers of a position of the ordinary game, and whether its moves are not forced.
    /// `None` if the value does not depend on them: somebody can make a five, or the colour to move
    /// has a forced win.
    pub fn inputs(&mut self, position: &Gomoku) -> Option<(Inputs, bool)> {
        self.threats.follow(position);
        let own = position.to_move() as usize;
        let has = |colour, mark| !self.threats.patterns.marked(colour, mark).is_empty();
        let (five, free) = (
            has(0, Mark::Five) || has(1, Mark::Five),
            !has(1 - own, Mark::Straight),
        );
        let known = five || self.value(own, 0) >= NEAR_WIN / 2;
        (!known).then(|| (self.threats.patterns.inputs(own), free))
    }

    /// Appends the cells with the highest gains that are not forbidden, at most `limit`, best first.
    fn rank(&mut self, own: usize, limit: usize, out: &mut Vec<Action>) {
        let mut ranked = std::mem::take(&mut self.ranked);
        ranked.clear();
        for cell in self.threats.patterns.board() {
            let gain = self.threats.patterns.gain(own, cell);
            if gain > 0 && self.threats.patterns.is_empty(cell) {
                ranked.push((-gain, cell));
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
        if let Some((action, _)) = self.fours.find(&mut self.threats) {
            out.push(action);
            return;
        }
        if self.threats.patterns.answers(own, out) {
            out.sort_by_cached_key(|&action| -self.threats.patterns.gain(own, cell_of(action)));
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
        self.added = 0;
    }

    #[inline]
    fn push(&mut self, before: &Gomoku, action: Action) {
        let colour = match before.stage() {
            Stage::Keep => Colour::Black,
            _ => before.to_move(),
        };
        self.pushed.push(match action {
            Action::Cell(_) if before.stage() != Stage::Offer => {
                Some((colour as usize, cell_of(action)))
            }
            _ => None,
        });
    }

    #[inline]
    fn pop(&mut self) {
        if self.added == self.pushed.len() {
            self.added -= 1;
            if self.pushed[self.added].is_some() {
                self.threats.patterns.take_back();
            }
        }
        self.pushed.pop();
    }

    fn evaluate(&mut self, position: &Gomoku) -> Score {
        self.catch_up();
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

    /// The points without continuous fours, unless somebody can make a five.
    fn lower_bound(&mut self, position: &Gomoku, enough: Score) -> Option<Score> {
        if position.stage() != Stage::Play || position.may_claim() {
            return None;
        }
        self.catch_up();
        let own = position.to_move() as usize;
        let patterns = &self.threats.patterns;
        let five = [0, 1].map(|colour| !patterns.marked(colour, Mark::Five).is_empty());
        let points = Score::points(patterns.points(own));
        (five == [false; 2] && points >= enough).then_some(points)
    }

    fn is_quiet(&mut self, position: &Gomoku) -> bool {
        self.catch_up();
        let enemy = 1 - position.to_move() as usize;
        let patterns = &self.threats.patterns;
        let has = |mark| !patterns.marked(enemy, mark).is_empty();
        position.stage() == Stage::Play && !has(Mark::Five) && !has(Mark::Straight)
    }

    /// - If a five, a straight four or continuous fours win: one move that does.
    /// - If the enemy has a four or an open three: the moves that stop it, and own fours.
    /// - Otherwise at most `limit` cells with the highest gains.
    ///
    /// The first two lists are complete, the last is a selection. A forbidden move is in no list.
    fn candidates(&mut self, position: &Gomoku, limit: usize, out: &mut Vec<Action>) -> Candidates {
        out.clear();
        self.catch_up();
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
        self.rank(own, limit, out);
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

//! Game knowledge for the search: a static evaluation and a playout policy.

use crate::limits::Limits;
use crate::position::{Outcome, Position, Side};
use crate::real::logistic;
use crate::rng::Rng;
use crate::score::Score;

/// What a list of [candidates](Evaluator::candidates) leaves out, which decides what a search of
/// the list can prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidates {
    /// There is no list: every legal move is searched.
    All,
    /// No omitted move is better than the best of the list, for example because every other move
    /// loses at once. The list is not empty. Wins, losses and exact values found through it are
    /// valid.
    Complete,
    /// Omitted moves may be better. The list is not empty. A win found through it is proven, a loss
    /// is not.
    Selected,
}

/// A static evaluation.
///
/// A stateful (incremental) evaluator follows the search by `push` and `pop`; a stateless one
/// implements only [`Evaluator::evaluate`].
pub trait Evaluator<P: Position>: Send {
    /// Starts a search at `root`: clears all pushed moves.
    fn reset(&mut self, root: &P) {
        let _ = root;
    }

    /// Called before `mv` is played in `before`.
    fn push(&mut self, before: &P, mv: P::Move) {
        let _ = (before, mv);
    }

    /// Undoes the last pushed move.
    fn pop(&mut self) {}

    /// The value of the unfinished `position` for its side to move, within ±[`Score::MAX_EVAL`]. At
    /// a chance position, the expectation before the roll. Tree search never calls it within a turn
    /// ([`Position::mid_turn`]); `greedy` and Monte-Carlo priors do.
    fn evaluate(&mut self, position: &P) -> Score;

    /// The value of the unfinished `position` for its side to move with best play, within
    /// ±[`Score::MAX_EVAL`], if the evaluator knows it, as from a table of endings: tree search then
    /// does not search the position, and [`Evaluator::evaluate`] returns the same. By default nothing
    /// is known.
    #[inline]
    fn exact(&self, position: &P) -> Option<Score> {
        let _ = position;
        None
    }

    /// A lower bound of the evaluation that is at least `enough` and costs less than
    /// [`Evaluator::evaluate`], if there is one. By default there is none.
    fn lower_bound(&mut self, position: &P, enough: Score) -> Option<Score> {
        let _ = (position, enough);
        None
    }

    /// Whether no threat has to be answered at once, so that [`Evaluator::evaluate`] can decide
    /// whether a position is worth a search. By default every position is quiet.
    fn is_quiet(&mut self, position: &P) -> bool {
        let _ = position;
        true
    }

    /// Forgets what earlier searches found, so that a new game does not depend on the last one. By
    /// default there is nothing to forget.
    fn forget(&mut self) {}

    /// Looks for a certain win of the side to act by a search of the evaluator's own, with about `nodes`
    /// nodes; by default there is no such search. Returns the plies after which the game ends at the
    /// latest. The unfinished `position` is at the begin of a turn. `limits` end the search, and its
    /// nodes are added to `spent`.
    fn win(&mut self, position: &P, nodes: u64, limits: &Limits, spent: &mut u64) -> Option<u32> {
        let _ = (position, nodes, limits, spent);
        None
    }

    /// Writes the candidate moves to `out`, best first, replacing its content, and returns what the
    /// list leaves out. All must be legal. A [`Candidates::Selected`] list has at most `limit`
    /// moves. The default has no list.
    fn candidates(&mut self, position: &P, limit: usize, out: &mut Vec<P::Move>) -> Candidates {
        let _ = (position, limit, out);
        Candidates::All
    }

    /// Writes how likely a strong player chooses each of these moves of `position` to `out`,
    /// replacing its content: positive numbers whose sum is 1. Returns false, and writes nothing, if
    /// the evaluator has no opinion, as by default.
    fn priors(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<f32>) -> bool {
        let _ = (position, moves, out);
        false
    }

    /// Whether the evaluation of a position is worth more than a playout from it, so that Monte-Carlo
    /// search evaluates leaves and plays nothing out. By default it does not.
    fn replaces_playouts(&self) -> bool {
        false
    }

    /// Converts an evaluation to a win probability, 0 to 1. Monte-Carlo search combines it with
    /// playout results.
    fn probability(&self, score: Score) -> f32 {
        logistic(score.value() as f32 / 100.0)
    }

    /// The inverse of [`Evaluator::probability`]: the evaluation with this win probability, which
    /// is clamped to 0.001..=0.999, so that no estimate looks like a proof. Computed by bisection,
    /// so it works for any increasing scale.
    fn score_of(&self, probability: f32) -> Score {
        const CERTAIN: f32 = 0.999;
        if probability < 0.5 {
            return -self.score_of(1.0 - probability);
        }
        let chance = probability.min(CERTAIN);
        let (mut low, mut high) = (0, Score::MAX_EVAL.value());
        while low < high {
            let middle = (low + high) / 2;
            if self.probability(Score::points(middle)) < chance {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Score::points(low)
    }

    /// The nearest score to `score` that a game of margins can still end with, for the side to move of
    /// `position`: the points of a chance may be more than are left. The default takes it as it is.
    fn possible(&self, position: &P, score: Score) -> Score {
        let _ = position;
        score
    }
}

/// A playout policy, for Monte-Carlo search and speed measurements.
pub trait Playout<P: Position>: Send {
    /// A move for `position`, which is neither finished nor a chance position.
    fn choose(&mut self, position: &P, rng: &mut Rng) -> P::Move;

    /// Plays from `position` to the end, or to a position that the policy evaluates, and returns
    /// the points of `First`: 1 for a win, ½ for a draw, 0 for a loss, or a probability. `position`
    /// is left where the playout ended.
    fn run(&mut self, position: &mut P, rng: &mut Rng) -> f32 {
        play_out(self, position, rng).points_of_first()
    }

    /// As [`Playout::run`], and appends every action and its side to `played`, for
    /// all-moves-as-first statistics. The default plays to the end by [`Playout::choose`].
    fn record(
        &mut self,
        position: &mut P,
        rng: &mut Rng,
        played: &mut Vec<(Side, P::Move)>,
    ) -> f32 {
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome.points_of_first();
            }
            if P::HAS_CHANCE && position.is_chance() {
                position.play_roll(1 + rng.below(P::FACES as u32) as u8);
            } else {
                let mv = self.choose(position, rng);
                played.push((position.side(), mv));
                position.play(mv);
            }
        }
    }
}

/// Plays by `policy` and fair dice until the game is over; returns its outcome.
pub fn play_out<P: Position, L: Playout<P> + ?Sized>(
    policy: &mut L,
    position: &mut P,
    rng: &mut Rng,
) -> Outcome {
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        if P::HAS_CHANCE && position.is_chance() {
            position.play_roll(1 + rng.below(P::FACES as u32) as u8);
        } else {
            let mv = policy.choose(position, rng);
            position.play(mv);
        }
    }
}

/// Uniformly random legal moves, by generating all moves: slow, but correct for every game. The
/// reference for a game's own fast random policy.
pub struct UniformPlayout<M> {
    moves: Vec<M>,
}

impl<M> Default for UniformPlayout<M> {
    fn default() -> Self {
        UniformPlayout { moves: Vec::new() }
    }
}

impl<P: Position> Playout<P> for UniformPlayout<P::Move> {
    fn choose(&mut self, position: &P, rng: &mut Rng) -> P::Move {
        self.moves.clear();
        for stage in 0..P::STAGES {
            position.generate(stage, &mut self.moves);
        }
        self.moves[rng.below(self.moves.len() as u32) as usize]
    }
}

//! What a game tells the search beside its rules: a static evaluation and a playout policy.

use crate::position::{Outcome, Position, Side};
use crate::real::logistic;
use crate::rng::Rng;
use crate::score::Score;

/// Judges positions without search.
///
/// A stateful evaluator follows the search by `push` and `pop`; a stateless one implements only
/// [`Evaluator::evaluate`].
pub trait Evaluator<P: Position>: Send {
    /// A search starts at `root`: forget all pushed moves.
    fn reset(&mut self, root: &P) {
        let _ = root;
    }

    /// `mv` is about to be played in `before`.
    fn push(&mut self, before: &P, mv: P::Move) {
        let _ = (before, mv);
    }

    /// The last pushed move has been taken back.
    fn pop(&mut self) {}

    /// The value of `position`, which is not over, for its side to move, within
    /// ±[`Score::MAX_EVAL`]. At a chance position it is the expectation before the roll. Tree search
    /// does not ask within a turn ([`Position::mid_turn`]); `greedy` and Monte-Carlo priors do.
    fn evaluate(&mut self, position: &P) -> Score;

    /// Puts into `out`, in place of what it held, the legal moves worth a search of limited width,
    /// best first, at most `limit` unless more are forced; returns true. The default offers none and returns false: every
    /// legal move is then searched.
    ///
    /// A search that looks only at these proves wins, but no losses.
    fn candidates(&mut self, position: &P, limit: usize, out: &mut Vec<P::Move>) -> bool {
        let _ = (position, limit, out);
        false
    }

    /// The chance of winning, 0 to 1, that an evaluation stands for. Monte-Carlo search mixes it
    /// with the results of playouts.
    fn probability(&self, score: Score) -> f32 {
        logistic(score.value() as f32 / 100.0)
    }
}

/// Plays games out, for Monte-Carlo search and for measuring speed.
pub trait Playout<P: Position>: Send {
    /// A move for `position`, which is neither over nor at chance.
    fn choose(&mut self, position: &P, rng: &mut Rng) -> P::Move;

    /// Plays from `position` to the end, or to where the policy trusts a judgement, and returns the
    /// points of `First`: 1 for a win, ½ for a draw, 0 for a loss, or a probability between.
    /// `position` is left wherever the playout ended.
    fn run(&mut self, position: &mut P, rng: &mut Rng) -> f32 {
        play_out(self, position, rng).points_of_first()
    }

    /// As [`Playout::run`], and appends every action to `played`, with the side that played it: what
    /// all-moves-as-first statistics are made of. The default plays to the end by
    /// [`Playout::choose`].
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

/// Plays moves of `policy`, and fair dice, until the game is over.
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

/// Uniformly random legal moves, by generating all of them: slow, and right for every game. The
/// yardstick for a game's own fast random policy.
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

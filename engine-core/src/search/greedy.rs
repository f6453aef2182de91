//! The player `greedy`: one ply, the best evaluation.

use crate::evaluate::Evaluator;
use crate::limits::{Limits, Report};
use crate::position::Position;
use crate::rng::Rng;
use crate::score::Score;
use crate::search::Search;

/// Plays the action with the best evaluation after it, for the side that plays it, also in the
/// middle of a turn. Ties are broken at random, uniformly.
pub struct Greedy<E> {
    evaluator: E,
    seed: u64,
    rng: Rng,
}

impl<E> Greedy<E> {
    /// A player that breaks ties by random numbers from `seed`.
    pub fn new(evaluator: E, seed: u64) -> Self {
        Greedy {
            evaluator,
            seed,
            rng: Rng::new(seed),
        }
    }

    /// The best of the given legal moves of `root`, with its value for the side that plays it;
    /// `None` if `moves` is empty.
    pub fn best_of<P: Position>(&mut self, root: &P, moves: &[P::Move]) -> Option<(P::Move, Score)>
    where
        E: Evaluator<P>,
    {
        let mut position = root.clone();
        self.evaluator.reset(root);
        let mut best = None;
        let mut equals = 0;
        for &mv in moves {
            let value = self.value_after(&mut position, mv);
            if best.is_none_or(|(_, best)| value > best) {
                best = Some((mv, value));
                equals = 1;
            } else if best.is_some_and(|(_, best)| value == best) {
                equals += 1;
            } else {
                continue;
            }
            // Reservoir sampling: each of n equal moves is kept with probability 1/n.
            if self.rng.below(equals) == 0 {
                best = Some((mv, value));
            }
        }
        best
    }

    /// The value of `mv` for the side that plays it.
    fn value_after<P: Position>(&mut self, position: &mut P, mv: P::Move) -> Score
    where
        E: Evaluator<P>,
    {
        let side = position.side();
        self.evaluator.push(position, mv);
        let undo = position.play(mv);
        let score = match position.terminal(1) {
            Some(score) => score,
            None => self.evaluator.evaluate(position),
        };
        let value = if position.side() == side {
            score
        } else {
            -score
        };
        position.undo(mv, undo);
        self.evaluator.pop();
        value
    }
}

impl<P: Position, E: Evaluator<P>> Search<P> for Greedy<E> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        let mut report = Report::empty(limits);
        let moves = if root.outcome().is_none() {
            root.legal_moves()
        } else {
            Vec::new()
        };
        report.nodes = moves.len() as u64;
        if let Some((mv, best)) = self.best_of(root, &moves) {
            report.pv = vec![mv];
            (report.depth, report.seldepth, report.score) = (1, 1, Some(best));
            report.time = limits.elapsed();
            progress(&report);
        }
        report
    }

    fn new_game(&mut self) {
        self.rng = Rng::new(self.seed);
    }
}

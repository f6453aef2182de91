//! One iteration at the root, whatever searches below it.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::evaluate::Evaluator;
use crate::limits::{Counters, Limits};
use crate::position::Position;
use crate::score::Score;
use crate::search::meter::{Meter, Stopped};
use crate::search::minimax::Minimax;
use crate::search::negamax::Negamax;
use crate::search::seen_by;

/// A root move and what the last iteration knew of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Its value, or a draw until it has been searched.
    pub(super) score: Score,
    pub(super) pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(mv: M) -> RootMove<M> {
        RootMove {
            mv,
            score: Score::DRAW,
            pv: vec![mv],
        }
    }
}

/// What a thread has counted in a search.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    pub(super) nodes: u64,
    /// Deepest ply of the last iteration.
    pub(super) seldepth: u32,
    pub(super) counters: Counters,
}

/// A search to a fixed depth, which deepening repeats.
pub(super) trait FixedDepth<P: Position>: Send {
    /// Makes ready for a search of `root`, and lists its moves.
    fn begin(
        &mut self,
        root: &P,
        limits: &Limits,
        shared_nodes: &Arc<AtomicU64>,
    ) -> Vec<RootMove<P::Move>>;

    /// Searches to `depth`, at least 1, and moves the best move to the front, with its score and
    /// line. If the search is stopped, what it found until then stands. `root` is the same
    /// afterwards.
    fn iterate(
        &mut self,
        root: &mut P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
    ) -> Result<(), Stopped>;

    /// What has been counted since `begin`.
    fn tally(&self) -> Tally;

    /// Forgets what was learnt in earlier searches.
    fn forget(&mut self) {}
}

/// Which of the searches without windows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exhaustive {
    TwoFunctions,
    OneFunction,
    Negamax,
}

/// A player that looks at every node.
pub(super) struct ExhaustiveWorker<E> {
    kind: Exhaustive,
    evaluator: E,
    meter: Meter,
    depth: u32,
}

impl<E> ExhaustiveWorker<E> {
    pub(super) fn new(kind: Exhaustive, evaluator: E) -> Self {
        ExhaustiveWorker {
            kind,
            evaluator,
            meter: Meter::default(),
            depth: 0,
        }
    }

    /// The value of a child of the root for its own side to act.
    fn value<P: Position>(&mut self, position: &mut P, depth: u32) -> Result<Score, Stopped>
    where
        E: Evaluator<P>,
    {
        let (evaluator, meter) = (&mut self.evaluator, &mut self.meter);
        match self.kind {
            Exhaustive::TwoFunctions => {
                Minimax::<_, true> { evaluator, meter }.relative_value(position, depth, 1)
            }
            Exhaustive::OneFunction => {
                Minimax::<_, false> { evaluator, meter }.relative_value(position, depth, 1)
            }
            Exhaustive::Negamax => Negamax { evaluator, meter }.value(position, depth, 1),
        }
    }
}

impl<P: Position, E: Evaluator<P>> FixedDepth<P> for ExhaustiveWorker<E> {
    fn begin(
        &mut self,
        root: &P,
        limits: &Limits,
        shared_nodes: &Arc<AtomicU64>,
    ) -> Vec<RootMove<P::Move>> {
        self.evaluator.reset(root);
        self.meter = Meter::new(limits, shared_nodes);
        root.legal_moves().into_iter().map(RootMove::new).collect()
    }

    fn iterate(
        &mut self,
        root: &mut P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
    ) -> Result<(), Stopped> {
        self.depth = depth;
        let mut best = -Score::INFINITY;
        for i in 0..moves.len() {
            let (mv, side) = (moves[i].mv, root.side());
            self.evaluator.push(root, mv);
            let undo = root.play(mv);
            let value = self.value(root, depth - 1);
            let value = value.map(|value| seen_by(side, root, value));
            root.undo(mv, undo);
            self.evaluator.pop();
            moves[i].score = value?;
            if moves[i].score > best {
                best = moves[i].score;
                moves[..=i].rotate_right(1);
            }
        }
        Ok(())
    }

    fn tally(&self) -> Tally {
        Tally {
            nodes: self.meter.nodes(),
            seldepth: self.depth,
            counters: Counters::default(),
        }
    }
}

//! Iterative deepening for the searches without windows: every root move is searched to the full
//! depth.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::evaluate::Evaluator;
use crate::limits::{Counters, Limits};
use crate::position::Position;
use crate::score::Score;
use crate::search::counter::{NodeCounter, Stopped};
use crate::search::minimax::Minimax;
use crate::search::negamax::Negamax;
use crate::search::root::{FixedDepth, RootMove, Solved, Tally};
use crate::search::seen_by;

/// The kinds of search without windows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exhaustive {
    TwoFunctions,
    OneFunction,
    Negamax,
}

/// A search that visits every node.
pub(super) struct ExhaustiveSearcher<E> {
    kind: Exhaustive,
    evaluator: E,
    node_counter: NodeCounter,
    depth: u32,
}

impl<E> ExhaustiveSearcher<E> {
    pub(super) fn new(kind: Exhaustive, evaluator: E) -> Self {
        ExhaustiveSearcher {
            kind,
            evaluator,
            node_counter: NodeCounter::default(),
            depth: 0,
        }
    }

    /// The value of a child of the root, for the side to act in the child.
    fn value<P: Position>(&mut self, position: &mut P, depth: u32) -> Result<Score, Stopped>
    where
        E: Evaluator<P>,
    {
        let (evaluator, node_counter) = (&mut self.evaluator, &mut self.node_counter);
        match self.kind {
            Exhaustive::TwoFunctions => Minimax::<_, true> {
                evaluator,
                node_counter,
            }
            .relative_value(position, depth, 1),
            Exhaustive::OneFunction => Minimax::<_, false> {
                evaluator,
                node_counter,
            }
            .relative_value(position, depth, 1),
            Exhaustive::Negamax => Negamax {
                evaluator,
                node_counter,
            }
            .value(position, depth, 1),
        }
    }
}

impl<P: Position, E: Evaluator<P>> FixedDepth<P> for ExhaustiveSearcher<E> {
    fn begin(
        &mut self,
        root: &P,
        limits: &Limits,
        shared_nodes: &Arc<AtomicU64>,
    ) -> Vec<RootMove<P::Move>> {
        self.evaluator.reset(root);
        self.node_counter = NodeCounter::new(limits, shared_nodes);
        root.legal_moves().into_iter().map(RootMove::new).collect()
    }

    fn iterate(
        &mut self,
        root: &mut P,
        moves: &mut [RootMove<P::Move>],
        depth: u32,
    ) -> Result<Solved, Stopped> {
        self.depth = depth;
        let evaluated = self.node_counter.evaluated;
        let mut best = -Score::INFINITY;
        for i in 0..moves.len() {
            let (mv, side) = (moves[i].mv, root.side());
            self.evaluator.push(root, mv);
            let undo = root.play(mv);
            let value = self.value(root, depth - 1);
            let value = value.map(|value| seen_by(side, root, value));
            root.undo(mv, undo);
            self.evaluator.pop();
            let score = value?;
            moves[i].score = Some(score);
            if score > best {
                best = score;
                moves[..=i].rotate_right(1);
            }
        }
        Ok(Solved(self.node_counter.evaluated == evaluated))
    }

    fn tally(&self) -> Tally {
        Tally {
            nodes: self.node_counter.nodes(),
            seldepth: self.depth,
            counters: Counters::default(),
        }
    }
}

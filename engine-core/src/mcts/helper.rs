//! What a search asks of its helpers, and what they answer.

use std::sync::Arc;

use crate::evaluate::{Evaluator, Playout};
use crate::limits::Limits;
use crate::mcts::control::Control;
use crate::mcts::worker::Worker;
use crate::position::Position;

/// What every helper is asked to do.
#[derive(Clone)]
pub(super) enum Job<P> {
    /// Begin a new game. The caller plays by the random numbers of the seed, the helpers by those of
    /// the seeds after it.
    NewGame { seed: u64 },
    /// Search until a tree is full or the search over.
    Run {
        root: P,
        limits: Limits,
        control: Arc<Control>,
    },
}

/// What helpers have done.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Done {
    pub(super) playouts: u64,
    pub(super) seldepth: u32,
}

impl Done {
    /// Takes in what one of them has done besides.
    pub(super) fn add(&mut self, other: Done) {
        self.playouts += other.playouts;
        self.seldepth = self.seldepth.max(other.seldepth);
    }
}

/// The helper of this number, from 1 on.
pub(super) fn helper<P, E, L>(
    number: u64,
    mut worker: Worker<P, E, L>,
) -> impl FnMut(Job<P>) -> Done
where
    P: Position,
    E: Evaluator<P>,
    L: Playout<P>,
{
    move |job| {
        worker.begin();
        match job {
            Job::NewGame { seed } => worker.new_game(seed.wrapping_add(number)),
            Job::Run {
                root,
                limits,
                control,
            } => worker.run(&root, &limits, &control, &mut |_| {}),
        }
        Done {
            playouts: worker.playouts,
            seldepth: worker.seldepth,
        }
    }
}

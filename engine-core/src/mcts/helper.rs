//! Jobs of the helper threads, and their results.

use std::sync::Arc;

use crate::evaluate::{Evaluator, Playout};
use crate::limits::Limits;
use crate::mcts::control::Control;
use crate::mcts::thread::TreeThread;
use crate::position::Position;

/// A job for all helpers.
#[derive(Clone)]
pub(super) enum Job<P> {
    /// Start a new game. The calling thread uses `seed`, helper number n uses `seed` + n.
    NewGame { seed: u64 },
    /// Search until a tree is full or the search ends.
    Run {
        root: P,
        limits: Limits,
        control: Arc<Control>,
    },
}

/// Statistics of one or more helpers.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct HelperStats {
    pub(super) playouts: u64,
    pub(super) seldepth: u32,
}

impl HelperStats {
    /// Adds the statistics of another helper.
    pub(super) fn add(&mut self, other: HelperStats) {
        self.playouts += other.playouts;
        self.seldepth = self.seldepth.max(other.seldepth);
    }
}

/// The job loop of helper `number`, counted from 1.
pub(super) fn helper<P, E, L>(
    number: u64,
    mut thread: TreeThread<P, E, L>,
) -> impl FnMut(Job<P>) -> HelperStats
where
    P: Position,
    E: Evaluator<P>,
    L: Playout<P>,
{
    move |job| {
        thread.begin();
        match job {
            Job::NewGame { seed } => thread.new_game(seed.wrapping_add(number)),
            Job::Run {
                root,
                limits,
                control,
            } => thread.run(&root, &limits, &control, &mut |_| {}),
        }
        HelperStats {
            playouts: thread.playouts,
            seldepth: thread.seldepth,
        }
    }
}

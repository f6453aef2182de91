//! The player `random`: a uniformly random legal move.

use crate::evaluate::{Playout, UniformPlayout};
use crate::limits::{Limits, Report};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::Search;

/// Plays a legal move, all with equal probability.
pub struct Random<P: Position> {
    seed: u64,
    rng: Rng,
    policy: UniformPlayout<P::Move>,
}

impl<P: Position> Random<P> {
    /// A player that takes its random numbers from `seed`.
    pub fn new(seed: u64) -> Self {
        Random {
            seed,
            rng: Rng::new(seed),
            policy: UniformPlayout::default(),
        }
    }
}

impl<P: Position> Search<P> for Random<P> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        let mut report = Report::empty(limits);
        if root.outcome().is_none() && !root.is_chance() {
            report.nodes = 1;
            report.pv = vec![self.policy.choose(root, &mut self.rng)];
            progress(&report);
        }
        report
    }

    fn new_game(&mut self) {
        self.rng = Rng::new(self.seed);
    }
}

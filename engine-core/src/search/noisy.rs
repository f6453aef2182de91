//! Weaker play: now and then a random move instead of a searched one.

use crate::limits::{Limits, Report, StopFlag};
use crate::position::Position;
use crate::rng::Rng;
use crate::search::Search;
use crate::search::random::Random;

/// What the seed of the choice differs by from that of the random moves.
const OTHER_SEED: u64 = 0x5EED;

/// An ε-greedy player: with a fixed probability a search is replaced by a uniformly random move.
pub struct Noisy<P: Position> {
    player: Box<dyn Search<P>>,
    random: Random<P>,
    seed: u64,
    rng: Rng,
    percent: u32,
}

impl<P: Position> Noisy<P> {
    /// `player`, with a random move in `percent` of 100 searches, 0 to 100.
    pub fn new(player: Box<dyn Search<P>>, percent: u32, seed: u64) -> Self {
        Noisy {
            player,
            random: Random::new(seed),
            seed,
            rng: Rng::new(seed ^ OTHER_SEED),
            percent,
        }
    }
}

impl<P: Position> Search<P> for Noisy<P> {
    fn search(
        &mut self,
        root: &P,
        limits: &Limits,
        progress: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        if self.rng.below(100) < self.percent {
            self.random.search(root, limits, progress)
        } else {
            self.player.search(root, limits, progress)
        }
    }

    fn ponder(&mut self, root: &P, line: &[P::Move], stop: &StopFlag) {
        self.player.ponder(root, line, stop);
    }

    fn new_game(&mut self) {
        self.player.new_game();
        self.random.new_game();
        self.rng = Rng::new(self.seed ^ OTHER_SEED);
    }
}

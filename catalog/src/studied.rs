//! What can be found out about a game in progress.

use engine_core::{Rng, StopFlag, perft};
use game::Engine;
use game::turn::turn_is_over;

use crate::playing::Playing;
use crate::prove::{self, Proof};

/// What can be found out about a game in progress.
pub trait Studied {
    /// The winner from here, if [`PROVER`](crate::PROVER) proves it within this number of nodes and
    /// the rules confirm the proof. Takes 64 bytes of memory per node; the result is reproducible.
    /// `None` also if `stop` is set, the prover does not fit the game, the game is over, or there
    /// is not enough memory.
    fn prove(&self, nodes: u64, stop: &StopFlag) -> Option<Proof>;

    /// Number of sequences of `depth` actions from here.
    fn perft(&self, depth: u32) -> u64;

    /// Plays one whole turn of random actions and returns it in the notation of UGI and the log.
    /// `None`, with nothing played, if the game is over or a roll is due.
    fn play_random_turn(&mut self, rng: &mut Rng) -> Option<String>;
}

impl<G: Engine> Studied for Playing<G> {
    fn prove(&self, nodes: u64, stop: &StopFlag) -> Option<Proof> {
        prove::prove(self.position(), nodes, stop)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&mut self.position().clone(), depth)
    }

    fn play_random_turn(&mut self, rng: &mut Rng) -> Option<String> {
        let mut after = self.position().clone();
        let side = after.side();
        let mut moves = Vec::new();
        while !turn_is_over(&after, side) {
            let legal = after.legal_moves();
            let mv = legal[rng.below(legal.len() as u32) as usize];
            after.play(mv);
            moves.push(mv);
        }
        let text = (!moves.is_empty()).then(|| self.position().write_turn(&moves));
        self.advance(after, &moves);
        text
    }
}

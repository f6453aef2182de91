//! What the players of a game know beside the search.

use engine_core::Settings;
use engine_core::proof::Prover;
use engine_core::proof::dfpn::Dfpn;

use crate::Game;

/// What the players of a game know beside the search. By default nothing.
pub trait Guided: Game {
    /// The depth-first proof-number search that `dfpn` is in this game, with a table of at most `bytes`
    /// bytes; `None` if the memory cannot be allocated. Only called in games that proof search fits.
    /// The default knows the rules alone.
    fn prover(&self, settings: &Settings, bytes: usize) -> Option<Box<dyn Prover<Self>>> {
        let _ = settings;
        Some(Box::new(Dfpn::new(bytes)?))
    }

    /// The action with which a player with this seed begins, where no search can find a good one: where
    /// the other side may swap, the search's best stone would be taken away. `None` by default, and in
    /// all other positions.
    fn opener(&self, seed: u64) -> Option<Opener<Self>> {
        let _ = seed;
        None
    }

    /// The opening book that is part of the program: a file of `referee book`. The game's best search
    /// plays from it in the book's variant. `None` by default.
    fn book() -> Option<&'static [u8]> {
        None
    }
}

/// A first action that is played without a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opener<G: Game> {
    /// The action.
    pub mv: G::Move,
    /// Why it is played, in words.
    pub reason: &'static str,
}

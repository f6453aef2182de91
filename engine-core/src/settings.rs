//! Search parameters of a game.

use std::sync::Arc;

use crate::algorithm::Algorithm;
use crate::convolution::Network;
use crate::learned::Weights;
use crate::mcts::TreeSettings;
use crate::search::{Method, SearchSettings};

/// The search parameters that a game's `engine.rs` sets; the defaults are sound for every game.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The strongest algorithm for the game; not [`Algorithm::Best`].
    pub best: Algorithm,
    /// Maximum number of [candidates](crate::Evaluator::candidates) that the evaluator may select
    /// at a node; `None` to search all moves without asking for candidates.
    pub candidate_limit: Option<usize>,
    /// Learned weights of the evaluation; `None` for the evaluation made by hand alone.
    pub weights: Option<Arc<Weights>>,
    /// A learned policy, which gives the priors of PUCT, and chooses the candidates if there is a
    /// limit of them; `None` for what the evaluator made by hand says.
    pub policy: Option<Arc<Weights>>,
    /// A network that evaluates positions and gives moves their priors, for the game's own tree
    /// search, [`TreeMethod::Tuned`](crate::mcts::TreeMethod::Tuned); `None` for what the others say.
    pub network: Option<Arc<Network>>,
    /// Parameters of depth-first search.
    pub search: SearchSettings,
    /// Parameters of Monte-Carlo tree search.
    pub tree: TreeSettings,
    /// Values of the [parameters](crate::parameter) of the game's evaluation, in its order; empty
    /// for its defaults.
    pub evaluation: Vec<f64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            best: Algorithm::Deepening(Method::Pvs),
            candidate_limit: None,
            weights: None,
            policy: None,
            network: None,
            search: SearchSettings::default(),
            tree: TreeSettings::default(),
            evaluation: Vec::new(),
        }
    }
}

impl Settings {
    /// Replaces [`Algorithm::Best`] by the algorithm that it stands for.
    pub fn resolve(&self, algorithm: Algorithm) -> Algorithm {
        match algorithm {
            Algorithm::Best => self.best,
            known => known,
        }
    }
}

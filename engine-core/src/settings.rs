//! The numbers that tune a search for a game.

use crate::mcts::TreeSettings;
use crate::search::SearchSettings;

/// What a game's `engine.rs` sets; the defaults are sound for every game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// How many moves of a node are searched, where the evaluator offers
    /// [candidates](crate::Evaluator::candidates); `None` for all.
    pub width: Option<usize>,
    /// What concerns depth-first search alone.
    pub search: SearchSettings,
    /// What concerns Monte-Carlo tree search alone.
    pub tree: TreeSettings,
}

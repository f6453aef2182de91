//! The numbers that tune a search for a game.

/// What a game's `engine.rs` sets; the defaults are sound for every game.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How many moves of a node are searched, where the evaluator offers
    /// [candidates](crate::Evaluator::candidates); `None` for all.
    pub width: Option<usize>,
    /// Exploration constant of UCT, in points of a game (a win is 1).
    pub exploration: f32,
    /// Playouts that a Monte-Carlo leaf gets before its moves become nodes.
    pub expand_after: u32,
    /// Weight of the evaluation in a new Monte-Carlo node, as a number of playouts; 0 for none.
    pub prior_playouts: u32,
    /// Progressive widening (Coulom 2007): a Monte-Carlo node with n playouts considers its best
    /// `widening` · √n moves by prior, at least two; 0 for all.
    pub widening: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            width: None,
            exploration: 0.7,
            expand_after: 2,
            prior_playouts: 0,
            widening: 0.0,
        }
    }
}

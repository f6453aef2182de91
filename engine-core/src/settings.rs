//! The numbers that tune a search for a game.

/// What a game's `engine.rs` sets; the defaults are sound for every game.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Exploration constant of UCT, in points of a game (a win is 1).
    pub exploration: f32,
    /// Playouts that a Monte-Carlo leaf gets before its moves become nodes.
    pub expand_after: u32,
    /// Weight of the evaluation in a new Monte-Carlo node, as a number of playouts; 0 for none.
    pub prior_playouts: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            exploration: 0.7,
            expand_after: 2,
            prior_playouts: 0.0,
        }
    }
}

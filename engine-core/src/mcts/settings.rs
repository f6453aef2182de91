//! The numbers that tune Monte-Carlo tree search for a game.

/// How a tree grows; the defaults are sound for every game.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSettings {
    /// Exploration constant of UCT, in points of a game (a win is 1).
    pub exploration: f32,
    /// Playouts that a leaf gets before its moves become nodes.
    pub expand_after: u32,
    /// Weight of the evaluation in a new node, as a number of playouts; 0 for none.
    pub prior_playouts: u32,
    /// Progressive widening (Coulom 2007): a node with n playouts considers its best
    /// `widening` · √n moves by prior, at least two; 0 for all.
    pub widening: f32,
}

impl Default for TreeSettings {
    fn default() -> TreeSettings {
        TreeSettings {
            exploration: 0.7,
            expand_after: 2,
            prior_playouts: 0,
            widening: 0.0,
        }
    }
}

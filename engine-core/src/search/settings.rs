//! Which depth-first search plays, and the numbers that tune it for a game.

/// Which depth-first search plays. All but [`Method::Selective`] give plain minimax's value at equal
/// depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Minimax by two functions, one a side.
    Minimax,
    /// Minimax by one function that asks whose turn it is.
    MinimaxOne,
    /// Minimax by one function and a change of sign.
    Negamax,
    /// Alpha-beta in the order of generation, without a table.
    Plain,
    /// Alpha-beta whose values stay within their window.
    FailHard,
    /// Alpha-beta whose values are bounds outside their window.
    FailSoft,
    /// Principal variation search.
    Pvs,
    /// Principal variation search in a small window, re-opened step by step.
    Aspiration,
    /// Principal variation search in a small window, re-opened at once.
    AspirationFull,
    /// A row of null windows from the last iteration's value on.
    Mtdf,
    /// A row of null windows that halve the range of possible values.
    Bisection,
    /// Principal variation search with Star1 alone at chance nodes.
    Star1,
    /// Principal variation search with Star2 at chance nodes.
    Star2,
    /// Principal variation search with all that the game allows to leave out.
    Selective,
}

/// What a game sets for depth-first search; the defaults are sound for every game.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSettings {
    /// Half the first aspiration window, points of the evaluation, at least 1.
    pub aspiration: i32,
    /// Values of MTD(f) closer than this are not told apart, points; 1 for exact values.
    pub grain: i32,
    /// Whether the last answer that cut off is tried early (counter-moves).
    pub counter_moves: bool,
    /// Whether moves are ranked by what they answer, too (continuation history).
    pub continuation: bool,
    /// Whether chance nodes are probed before they are searched (Star2).
    pub star2: bool,
    /// What `selective` may leave out.
    pub selectivity: Selectivity,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            aspiration: 25,
            grain: 1,
            counter_moves: false,
            continuation: false,
            star2: false,
            selectivity: Selectivity::default(),
        }
    }
}

/// What principal variation search may leave out in a game; nothing by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selectivity {
    /// Late-move reductions: moves after the first few of a node lose ln(depth) · ln(place) times
    /// this many plies; 0 for none.
    pub late_move_reduction: f32,
    /// Late-move pruning: up to this depth, plies, only `3 + depth²` unforced moves are looked at.
    pub late_move_pruning: u32,
    /// Null move (needs [`Position::pass`](crate::Position::pass)): if the other side may act twice
    /// and is still not better off by a search so many plies shallower, the node is cut; 0 for never.
    pub null_move: u32,
    /// Futility: next to the leaves, moves are skipped where the evaluation is further below the
    /// window than so many points for each ply left; 0 for never.
    pub futility: i32,
    /// Internal iterative reduction: nodes of at least this depth without a table move are
    /// searched a ply less; 0 for never.
    pub internal_reduction: u32,
    /// Quiescence: at the leaves, moves of the first stage of generation are searched on for at most so
    /// many plies; 0 for none.
    pub quiescence: u32,
    /// Whether a node with a single candidate is searched a ply deeper.
    pub extend_forced: bool,
}

//! Depth-first search methods and their parameters.

/// A depth-first search. All but [`Method::Selective`] return the minimax value at equal depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Principal variation search.
    Pvs,
    /// Principal variation search with an aspiration window that is widened step by step.
    Aspiration,
    /// MTD(f): null windows, starting from the value of the last iteration.
    Mtdf,
    /// Principal variation search with Star1 alone at chance nodes.
    Star1,
    /// Principal variation search with Star2 at chance nodes.
    Star2,
    /// Principal variation search with the selectivity that the game enables.
    Selective,
}

/// A game's parameters of depth-first search; the defaults are sound for every game.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSettings {
    /// Half the size of the first aspiration window, points of the evaluation, at least 1.
    pub aspiration: i32,
    /// Counter-moves: whether the last reply that caused a cutoff is tried early.
    pub counter_moves: bool,
    /// Continuation history: whether moves are also ranked by the action before them.
    pub continuation: bool,
    /// Star2: whether chance nodes are probed before they are searched.
    pub star2: bool,
    /// Pruning and reductions of `selective`.
    pub selectivity: Selectivity,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            aspiration: 25,
            counter_moves: false,
            continuation: false,
            star2: false,
            selectivity: Selectivity::default(),
        }
    }
}

/// Pruning, reductions and extensions of a game; all off by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selectivity {
    /// Late-move reductions: moves after the first of a node are reduced by this factor times
    /// ln(depth) · ln(move number) plies; 0 for none.
    pub late_move_reduction: f32,
    /// Late-move reductions where a cutoff is expected: plies added to them.
    pub cutoff_reduction: f32,
    /// Late-move reductions where the evaluation is not above that two plies ago: plies added to
    /// them. Late-move pruning then searches half as many moves. 0 for neither.
    pub falling_reduction: f32,
    /// Late-move pruning: up to this depth, plies, only the first `3 + depth²` quiet moves are
    /// searched.
    pub late_move_pruning: u32,
    /// Null move (needs [`Position::pass`](crate::Position::pass)): the search after a pass is this
    /// many plies shallower; if it still fails high, the node is cut; 0 for off.
    pub null_move: u32,
    /// Futility: near the leaves, quiet moves are pruned if the evaluation plus this margin for
    /// each ply of remaining depth is not above alpha, points; 0 for off.
    pub futility: i32,
    /// Reverse futility: nodes are cut if the evaluation minus this margin for each ply of remaining
    /// depth is still at least beta, points; 0 for off.
    pub reverse_futility: i32,
    /// Razoring: nodes of depth 1 and 2 are not searched if the evaluation plus this margin for each
    /// ply of remaining depth is not above alpha, points; 0 for off.
    pub razoring: i32,
    /// Internal iterative reduction: nodes of at least this depth without a table move are searched
    /// one ply shallower; 0 for off.
    pub internal_reduction: u32,
    /// ProbCut: a node of depth 5 and more is cut if a search four plies shallower is above beta by so many
    /// points; 0 for off.
    pub probcut: i32,
    /// Singular extension: at nodes of at least this depth, plies, the table move is searched a ply deeper if
    /// a shallower search finds all others worse; 0 for off.
    pub singular: u32,
    /// Correction history: this part of the mean difference between searches and evaluations after the
    /// same action is added to evaluations; 0 for none.
    pub correction: f32,
    /// Late-move reductions: plies by which the move that caused most cutoffs is reduced less, and that
    /// which caused the fewest more.
    pub history_reduction: f32,
    /// Quiescence: maximum number of plies of forcing moves (the first stage of generation)
    /// searched beyond the leaves; 0 for off.
    pub quiescence: u32,
    /// Certain wins: at nodes of at least this depth, plies, the evaluator looks for a win by a search of
    /// its own ([`Evaluator::win`](crate::Evaluator::win)); 0 for off.
    pub win_depth: u32,
    /// Widening: where all candidates of a node lose, its other moves are searched, too, if the node
    /// has at least this depth, plies; 0 for off. Otherwise a win may rest on a defence that is no
    /// candidate. A loss that the table has from a shallower search of the candidates still counts.
    pub widening: u32,
    /// Extension of forced moves: nodes with a single candidate, or with at most this many if the list
    /// is complete, are searched one ply deeper; 0 for off.
    pub extend_forced: u32,
}

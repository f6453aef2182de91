//! Parameters of Monte-Carlo tree search.

/// Parameters of Monte-Carlo tree search for a game; the defaults are sound for every game. Each
/// field is one method of the literature; methods may be combined.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSettings {
    /// Selection rule.
    pub selection: Selection,
    /// Exploration constant of the selection, in points of a game (a win is 1).
    pub exploration: f32,
    /// Number of playouts of a leaf before it is expanded; `u32::MAX` for never, so that only the
    /// root has children.
    pub expand_after: u32,
    /// Weight of the evaluation in a new node, in playouts; 0 for no prior.
    pub prior_playouts: u32,
    /// Progressive widening (Coulom 2007): a node with n playouts considers its best
    /// `widening` · √n moves by prior, at least two; 0 for all.
    pub widening: f32,
    /// Progressive bias (Chaslot 2008): `bias` · prior / (n + 1) is added to a child with n playouts;
    /// 0 for none.
    pub bias: f32,
    /// RAVE (Gelly and Silver 2011): the bias of the AMAF values, in points; `None` for off.
    pub rave: Option<f32>,
    /// Implicit minimax backups (Lanctot and others 2014): the weight of the minimax value of the
    /// evaluations below a node; 0 for off.
    pub implicit: f32,
    /// Last good reply: playouts repeat replies that won (Drake 2009), and forget replies that lost
    /// (Baier and Drake 2010).
    pub last_good_reply: bool,
    /// Early playout termination: number of plies after which the evaluation ends a playout
    /// (Lorentz 2015); `None` for off.
    pub early: Option<u32>,
    /// Transpositions share their children. Only for games in which positions cannot repeat.
    pub transpositions: bool,
    /// Parallelisation method.
    pub parallel: Parallel,
    /// The share of the work that a [proof search beside the tree](crate::proof::WithProver) gets: one of
    /// the threads if that is no more, otherwise a share of each turn; 0 for none. Only for games that
    /// proof search fits, or that have a solver of their own.
    pub proof_share: f32,
}

/// Selection rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002): UCT.
    Ucb,
    /// UCB1-tuned (same paper): exploration by the variance of the results.
    Tuned,
    /// PUCT (Rosin 2011): exploration by priors, which come from a policy, or from the evaluations
    /// after the moves.
    Puct,
}

/// Parallelisation method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parallel {
    /// Tree parallelisation: one shared tree with virtual losses (Chaslot, Winands and van den
    /// Herik 2008).
    Tree,
    /// Root parallelisation: one tree for each thread; the statistics of the roots are summed
    /// (Cazenave and Jouandeau 2007).
    Root,
}

impl Default for TreeSettings {
    fn default() -> TreeSettings {
        TreeSettings {
            selection: Selection::Ucb,
            exploration: 0.7,
            expand_after: 2,
            prior_playouts: 0,
            widening: 0.0,
            bias: 0.0,
            rave: None,
            implicit: 0.0,
            last_good_reply: false,
            early: None,
            transpositions: false,
            parallel: Parallel::Tree,
            proof_share: 0.0,
        }
    }
}

impl TreeSettings {
    /// Whether a new node's children are evaluated.
    pub(super) fn evaluates_children(&self) -> bool {
        self.prior_playouts > 0
            || self.widening > 0.0
            || self.bias > 0.0
            || self.implicit > 0.0
            || self.selection == Selection::Puct
    }

    /// Whether the [priors](crate::Evaluator::priors) of moves, if there are any, are all that the
    /// children of a new node need.
    pub(super) fn prefers_priors(&self) -> bool {
        self.selection == Selection::Puct && self.prior_playouts == 0 && self.implicit == 0.0
    }

    /// Whether children without playouts are selected in the order of their priors.
    pub(super) fn keeps_order(&self) -> bool {
        self.evaluates_children()
            && self.rave.is_none()
            && matches!(self.selection, Selection::Ucb | Selection::Puct)
    }

    /// Whether nodes are selected by UCB1 alone.
    pub(super) fn is_plain(&self) -> bool {
        self.selection == Selection::Ucb
            && self.rave.is_none()
            && self.implicit == 0.0
            && self.bias == 0.0
            && self.widening == 0.0
    }

    /// Whether nodes need an [`Extra`](super::extra::Extra).
    pub(super) fn needs_extras(&self) -> bool {
        self.rave.is_some() || self.implicit > 0.0 || self.selection == Selection::Tuned
    }

    /// Whether playouts record their actions.
    pub(super) fn records_actions(&self) -> bool {
        self.rave.is_some() || self.last_good_reply
    }
}

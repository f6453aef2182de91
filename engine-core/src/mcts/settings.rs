//! The numbers that tune Monte-Carlo tree search for a game.

/// How a tree grows; the defaults are sound for every game. Each field is one idea of the field, and
/// they may be combined.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSettings {
    /// How a child is chosen.
    pub selection: Selection,
    /// Exploration constant of the selection, in points of a game (a win is 1).
    pub exploration: f32,
    /// Playouts that a leaf gets before its moves become nodes; `u32::MAX` for never, so that only
    /// the root has children.
    pub expand_after: u32,
    /// Weight of the evaluation in a new node, as a number of playouts; 0 for none.
    pub prior_playouts: u32,
    /// How unequal the priors of [`Selection::Puct`] are: a move whose chance of winning is better by
    /// this much is e times as likely.
    pub temperature: f32,
    /// Progressive widening (Coulom 2007): a node with n playouts considers its best
    /// `widening` · √n moves by prior, at least two; 0 for all.
    pub widening: f32,
    /// Progressive bias (Chaslot 2008): `bias` · prior / (n + 1) is added to a child with n playouts;
    /// 0 for none.
    pub bias: f32,
    /// RAVE (Gelly and Silver 2011) with this bias of the all-moves-as-first values, in points;
    /// `None` without.
    pub rave: Option<f32>,
    /// Implicit minimax backups (Lanctot and others 2014): the share of the minimax value of the
    /// evaluations below a node in its value; 0 for none.
    pub implicit: f32,
    /// Playouts repeat replies that won (Drake 2009), and forget those that lost (Baier and Drake
    /// 2010).
    pub last_good_reply: bool,
    /// Playouts end in an evaluation after so many plies (Lorentz 2015); `None` for those of the
    /// game's policy.
    pub early: Option<u32>,
    /// Positions that are met on several ways share their children. Only for games that never come
    /// back to a position.
    pub transpositions: bool,
    /// The tree below the new root is kept from one search to the next.
    pub reuse: bool,
    /// What several threads do.
    pub parallel: Parallel,
}

/// How a child is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002): UCT.
    Ucb,
    /// UCB1-tuned (the same): exploration by the variance of the results.
    Tuned,
    /// PUCT (Rosin 2011): exploration by priors from the evaluation.
    Puct,
}

/// How several threads search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parallel {
    /// One tree for all, with virtual losses (Chaslot, Winands and van den Herik 2008).
    Tree,
    /// One tree a thread; the statistics of the roots are added up (Cazenave and Jouandeau 2007).
    Root,
}

impl Default for TreeSettings {
    fn default() -> TreeSettings {
        TreeSettings {
            selection: Selection::Ucb,
            exploration: 0.7,
            expand_after: 2,
            prior_playouts: 0,
            temperature: 0.1,
            widening: 0.0,
            bias: 0.0,
            rave: None,
            implicit: 0.0,
            last_good_reply: false,
            early: None,
            transpositions: false,
            reuse: true,
            parallel: Parallel::Tree,
        }
    }
}

impl TreeSettings {
    /// Whether a new node's children are evaluated.
    pub(super) fn judges(&self) -> bool {
        self.prior_playouts > 0
            || self.widening > 0.0
            || self.bias > 0.0
            || self.implicit > 0.0
            || self.selection == Selection::Puct
    }

    /// Whether nodes need an [`Extra`](super::extra::Extra).
    pub(super) fn needs_extras(&self) -> bool {
        self.rave.is_some() || self.implicit > 0.0 || self.selection == Selection::Tuned
    }

    /// Whether the actions of playouts are noted.
    pub(super) fn notes_actions(&self) -> bool {
        self.rave.is_some() || self.last_good_reply
    }
}

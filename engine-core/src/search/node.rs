//! Where a node stands in the tree, its window, and what its search has found.

use std::ops::Neg;

use crate::position::Move;
use crate::score::Score;
use crate::table::{Bound, Entry};

/// Where a node stands in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Plies still to be searched below it.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
}

/// What of a node's value matters, for its side to act: whether it is at most `alpha`, at least `beta`,
/// or which of the values between. Apart from [`Node`], since two pairs of numbers are passed on in
/// registers, and four numbers are not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// The null window that asks whether a value is more than `alpha`.
    #[inline]
    pub(super) fn above(alpha: Score) -> Window {
        Window::new(alpha, alpha + 1)
    }

    /// Whether there are values between, so that an exact value and a line are wanted.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.beta.value() - self.alpha.value() > 1
    }

    /// Whether a value lies between.
    #[inline]
    pub(super) fn holds(self, value: Score) -> bool {
        value > self.alpha && value < self.beta
    }
}

/// The window as the other side sees it.
impl Neg for Window {
    type Output = Window;

    #[inline]
    fn neg(self) -> Window {
        Window::new(-self.beta, -self.alpha)
    }
}

/// The score of a table entry, if it decides the node.
pub(super) fn decided<M>(entry: &Entry<M>, node: Node, window: Window) -> Option<Score> {
    if (entry.depth as u32) < node.depth {
        return None;
    }
    let score = entry.score.to_root(node.ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    decides.then_some(score)
}

/// What the search of a node has found so far.
pub(super) struct Found<M> {
    pub(super) best: Score,
    pub(super) mv: Option<M>,
    pub(super) alpha: Score,
    /// Moves searched.
    pub(super) searched: u32,
}

impl<M: Move> Found<M> {
    /// Nothing yet; fail-hard values begin at alpha.
    pub(super) fn new(window: Window, hard: bool) -> Found<M> {
        Found {
            best: if hard { window.alpha } else { -Score::INFINITY },
            mv: None,
            alpha: window.alpha,
            searched: 0,
        }
    }

    /// Not all moves were looked at: a loss is then no proof.
    pub(super) fn forget_loss(&mut self) {
        if self.best.plies_to_loss().is_some() {
            self.best = -Score::MAX_EVAL;
        }
    }

    /// What the table is told.
    pub(super) fn entry(&self, node: Node, window: Window) -> Entry<M> {
        let bound = if self.best >= window.beta {
            Bound::Lower
        } else if self.mv.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        Entry {
            mv: self.mv,
            score: self.best.from_root(node.ply),
            depth: node.depth.min(255) as u8,
            bound,
        }
    }
}

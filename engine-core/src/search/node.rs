//! Depth and ply of a node, its window, and the result of its search.

use std::ops::Neg;

use crate::position::{Move, Position};
use crate::score::Score;
use crate::table::{Bound, Entry};

/// Depth and ply of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Remaining depth, plies.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
}

/// The alpha-beta window of a node, for its side to act: values at most `alpha` and at least `beta`
/// are only bounds. Separate from [`Node`], because structs of two numbers are passed in registers
/// and a struct of four is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// The null window that tests whether a value is greater than `alpha`.
    #[inline]
    pub(super) fn above(alpha: Score) -> Window {
        Window::new(alpha, alpha + 1)
    }

    /// Whether this is not a null window, so that an exact value and a principal variation are
    /// needed.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.beta.value() - self.alpha.value() > 1
    }

    /// Whether `value` is strictly inside the window.
    #[inline]
    pub(super) fn holds(self, value: Score) -> bool {
        value > self.alpha && value < self.beta
    }
}

/// The window from the view of the other side.
impl Neg for Window {
    type Output = Window;

    #[inline]
    fn neg(self) -> Window {
        Window::new(-self.beta, -self.alpha)
    }
}

/// The score of a table entry, if it causes a cutoff at the node. In games with repetitions a
/// stored win or loss may depend on the path to the position, so it never causes a cutoff.
pub(super) fn table_cutoff<P: Position>(
    entry: &Entry<P::Move>,
    node: Node,
    window: Window,
) -> Option<Score> {
    if (entry.depth as u32) < node.depth && !entry.solved {
        return None;
    }
    let score = entry.score.to_root(node.ply);
    if P::REPEATS && score.is_proven() {
        return None;
    }
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    decides.then_some(score)
}

/// The result of a node so far.
pub(super) struct Found<M> {
    pub(super) best: Score,
    pub(super) mv: Option<M>,
    pub(super) alpha: Score,
    /// Number of moves searched.
    pub(super) searched: u32,
    /// Whether `best` depends on an estimate, so that a deeper search may change it.
    pub(super) estimated: bool,
}

impl<M: Move> Found<M> {
    /// An empty result; fail-hard values start at alpha.
    pub(super) fn new(window: Window, hard: bool) -> Found<M> {
        Found {
            best: if hard { window.alpha } else { -Score::INFINITY },
            mv: None,
            alpha: window.alpha,
            searched: 0,
            estimated: false,
        }
    }

    /// Moves that may be better were left out. Unless there was a cutoff, the value is an estimate
    /// and a loss is not proven.
    pub(super) fn mark_incomplete(&mut self, beta: Score) {
        if self.best < beta {
            self.estimated = true;
            self.best = unproven_loss(self.best);
        }
    }

    /// The entry to store in the table.
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
            solved: !self.estimated,
        }
    }
}

/// The score; a proven loss becomes the worst evaluation.
pub(super) fn unproven_loss(score: Score) -> Score {
    score.max(-Score::MAX_EVAL)
}

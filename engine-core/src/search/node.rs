//! Depth and ply of a node, its window, and the result of its search.

use std::ops::Neg;

use crate::position::Move;
use crate::score::Score;
use crate::table::{Bound, Entry, Grounds};

/// Scores down to this one are lost games, proven or claimed by the evaluator.
pub(crate) const LOST: Score = Score::points(-50_000);

/// Depth and ply of a node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Remaining depth, plies.
    pub depth: u32,
    /// Plies from the root.
    pub ply: u32,
}

/// The alpha-beta window of a node, for its side to act: values at most `alpha` and at least `beta`
/// are only bounds. Separate from [`Node`], because structs of two numbers are passed in registers
/// and a struct of four is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// A value up to this one is an upper bound.
    pub alpha: Score,
    /// A value from this one on is a lower bound.
    pub beta: Score,
}

impl Window {
    /// The window of all values.
    pub const OPEN: Window =
        Window::new(Score::from_value(-Score::INFINITY.value()), Score::INFINITY);

    /// The window between two values.
    pub const fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// The null window that tests whether a value is greater than `alpha`.
    #[inline]
    pub fn above(alpha: Score) -> Window {
        Window::new(alpha, alpha + 1)
    }

    /// Whether this is not a null window, so that an exact value and a principal variation are
    /// needed.
    #[inline]
    pub fn is_open(self) -> bool {
        self.beta.value() - self.alpha.value() > 1
    }

    /// Whether `value` is strictly inside the window.
    #[inline]
    pub fn holds(self, value: Score) -> bool {
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

/// The score of a table entry, if it causes a cutoff at the node. If positions can repeat, a
/// stored win or loss may depend on the path to the position, so it never causes a cutoff.
pub fn table_cutoff<M>(
    entry: &Entry<M>,
    node: Node,
    window: Window,
    repeats: bool,
) -> Option<Score> {
    if (entry.depth as u32) < node.depth && entry.grounds.may_change() {
        return None;
    }
    let score = entry.score.to_root(node.ply);
    if repeats && score.is_proven() {
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
pub(crate) struct Found<M> {
    pub(crate) best: Score,
    pub(crate) mv: Option<M>,
    pub(crate) alpha: Score,
    /// Number of moves searched.
    pub(crate) searched: u32,
    /// What `best` rests on.
    pub(crate) grounds: Grounds,
}

impl<M: Move> Found<M> {
    /// The result before the first move.
    pub(crate) fn new(window: Window) -> Found<M> {
        Found {
            best: -Score::INFINITY,
            mv: None,
            alpha: window.alpha,
            searched: 0,
            grounds: Grounds::Ends,
        }
    }

    /// Whether all moves so far lose.
    pub(crate) fn is_lost(&self) -> bool {
        self.best <= LOST
    }

    /// Moves that may be better were left out, as `grounds` says. Unless there was a cutoff, the
    /// value rests on that, and a loss is not proven.
    pub(crate) fn mark_incomplete(&mut self, grounds: Grounds, beta: Score) {
        if self.best < beta {
            self.grounds = self.grounds.max(grounds);
            self.best = unproven_loss(self.best);
        }
    }

    /// The entry to store in the table.
    pub(crate) fn entry(&self, node: Node, window: Window, grounds: Grounds) -> Entry<M> {
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
            grounds,
        }
    }
}

/// The score; a proven loss becomes the worst evaluation.
pub(crate) fn unproven_loss(score: Score) -> Score {
    score.max(-Score::MAX_EVAL)
}

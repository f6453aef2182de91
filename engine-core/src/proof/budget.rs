//! What one question may spend.

use crate::limits::Limits;

/// How often the clock and the stop flag are looked at, in positions played: some 50 µs.
const CHECK_EVERY: usize = 512;

/// Counts nodes, and says when to end. A node is a position whose moves are all looked at; games
/// differ a thousandfold in how many these are, so time is watched by the moves.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    limits: &'a Limits,
    nodes: u64,
    /// Moves looked at since the clock was.
    moves: usize,
    over: bool,
}

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &'a Limits) -> Budget<'a> {
        Budget {
            limits,
            nodes: 0,
            moves: CHECK_EVERY,
            over: false,
        }
    }

    /// Nodes spent so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether there is time left after so many more moves, or as much other work.
    #[inline]
    pub(super) fn lasts(&mut self, moves: usize) -> bool {
        self.moves += moves;
        if self.moves >= CHECK_EVERY {
            self.moves = 0;
            self.over |= self.limits.exhausted(self.nodes) || self.limits.enough();
        }
        !self.over
    }

    /// Spends a node with so many moves; false, and nothing spent, if there is nothing left.
    #[inline]
    pub(super) fn spend(&mut self, moves: usize) -> bool {
        self.over |= self.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        let goes_on = self.lasts(moves);
        self.nodes += goes_on as u64;
        goes_on
    }
}

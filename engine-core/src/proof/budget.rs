//! The limits of one proof search.

use crate::limits::Limits;

/// Moves between two checks of the clock and the stop flag: about 50 µs.
const CHECK_EVERY: usize = 512;

/// Counts nodes and checks the limits. A node is a position whose moves are all generated. The
/// number of moves differs a thousandfold between games, so the clock is checked by moves.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    limits: &'a Limits,
    nodes: u64,
    /// Moves since the last check of the clock.
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

    /// Counts `moves` more moves, or equivalent work; returns whether there is time left.
    #[inline]
    pub(super) fn has_time_for(&mut self, moves: usize) -> bool {
        self.moves += moves;
        if self.moves >= CHECK_EVERY {
            self.moves = 0;
            self.over |= self.limits.exhausted(self.nodes) || self.limits.soft_limit_reached();
        }
        !self.over
    }

    /// Counts a node with this many moves; false, and not counted, if the budget is spent.
    #[inline]
    pub(super) fn spend(&mut self, moves: usize) -> bool {
        self.over |= self.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        let goes_on = self.has_time_for(moves);
        self.nodes += goes_on as u64;
        self.limits.spend(goes_on as u64);
        goes_on
    }
}

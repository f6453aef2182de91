//! What a win by threats rests on.

use std::collections::HashSet;

use super::{Attack, ThreatBoard, ThreatSearch};
use crate::limits::Limits;
use crate::position::Move;

impl<M: Move> ThreatSearch<M> {
    /// The moves of the game that a win by threats of `level` may need: those of the attacker, those
    /// with which it threatens to win, and the replies, whatever the defender replies. Each comes once,
    /// in the order of its bits. Parts that the table has lost are searched again, each within the
    /// limits. `None` if there is no win within them.
    pub fn region<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        limits: &Limits,
    ) -> Option<Vec<B::Action>> {
        let (mut region, mut seen) = (Vec::new(), HashSet::new());
        let whole = self.collect(board, (level, limits), &mut seen, &mut region);
        region.sort_unstable_by_key(|action| action.to_bits());
        region.dedup();
        whole.then_some(region)
    }

    /// Appends what the win of the attacker, who is to move, rests on. Returns whether all of it was
    /// found. `seen` are the keys of positions that are in `region`.
    fn collect<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        (level, limits): (u32, &Limits),
        seen: &mut HashSet<u64>,
        region: &mut Vec<B::Action>,
    ) -> bool {
        let known = self.first_move(board, level);
        let Some((mv, plies)) = known.or_else(|| self.find(board, level, limits)) else {
            return false;
        };
        if !seen.insert(board.key()) {
            return true;
        }
        region.extend(B::actions(mv));
        if plies == 1 {
            return true;
        }
        board.play(mv);
        board.aims(region);
        let mut replies = Vec::new();
        board.replies(&mut replies);
        let whole = replies.into_iter().all(|reply| {
            region.extend(B::actions(reply));
            board.play(reply);
            let whole = self.collect(board, (level, limits), seen, region);
            board.undo(reply);
            whole
        });
        board.undo(mv);
        whole
    }
    /// The first move of a known win, and its plies.
    fn first_move<B: ThreatBoard<Move = M>>(&self, board: &mut B, level: u32) -> Option<(M, u32)> {
        // A win by lower threats is stored at their level; one that needs no search, nowhere.
        let stored = (0..=level).rev().find_map(|level| self.known(board, level));
        stored.or_else(|| match board.threats(0, &mut Vec::new()) {
            Attack::Win(mv, plies) => Some((mv, plies)),
            Attack::Threats => None,
        })
    }
}

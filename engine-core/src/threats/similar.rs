//! A win, tried again in a similar position (Kawano, *Using similar positions to search game trees*,
//! 1996): a move elsewhere seldom changes how the attacker wins.

use super::{Attack, Defence, Known, ThreatBoard, ThreatSearch, key_at};
use crate::position::Move;

impl<M: Move> ThreatSearch<M> {
    /// The plies after which the attacker, who is to move, has won by the moves that win in another
    /// position, whatever the defender replies here. `None` if they do not win, or if this takes more
    /// than `left` nodes, which are counted down. `apart` is the XOR of the keys of the two positions.
    pub(super) fn win_as_in<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        apart: u64,
        left: &mut u64,
    ) -> Option<u32> {
        *left = left.checked_sub(1)?;
        let mark = self.moves.len();
        let now = board.threats(0, &mut self.moves);
        self.moves.truncate(mark);
        if let Attack::Win(_, plies) = now {
            return Some(plies);
        }
        let mv = self.winning_move(key_at(board, level) ^ apart)?;
        if !board.can_play(mv) {
            return None;
        }
        board.play(mv);
        let mut plies = match board.replies(&mut self.moves) {
            Defence::Escape => None,
            Defence::Replies(plies) => Some(plies),
        };
        for next in mark..self.moves.len() {
            let Some(longest) = plies else { break };
            let reply = self.moves[next];
            board.play(reply);
            let after = self.win_as_in(board, level, apart, left);
            board.undo(reply);
            plies = after.map(|after| longest.max(after + 1));
        }
        board.undo(mv);
        self.moves.truncate(mark);
        plies.map(|plies| plies + 1)
    }

    fn winning_move(&self, key: u64) -> Option<M> {
        let entry = self.probe(key)?;
        matches!(entry.known, Known::Win(_)).then_some(entry.mv)?
    }
}

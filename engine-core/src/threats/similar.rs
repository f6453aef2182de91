//! A win, tried again in a similar position (Kawano, *Using similar positions to search game trees*,
//! 1996): a move elsewhere seldom changes how the attacker wins.

use super::{Attack, Known, Spent, ThreatBoard, ThreatSearch, key_at};
use crate::position::Move;

/// A board that tells in what positions differ. Its key is an XOR of one part for each piece on a
/// cell and one part for the rest: the same pieces more or less change the same bits.
pub trait SimilarBoard: ThreatBoard {
    /// Whether a move that the attacker has in another position can be played here.
    fn can_play(&self, mv: Self::Move) -> bool;
}

impl<M: Move> ThreatSearch<M> {
    /// The plies to the win of the attacker, who is to move, by the moves that win in another
    /// position; `None` if they do not win here. `apart` is the XOR of the keys of the two positions.
    /// The nodes are taken from `left`.
    pub(super) fn win_as_in<B: SimilarBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        apart: u64,
        left: &mut u64,
    ) -> Result<Option<u32>, Spent> {
        *left = left.checked_sub(1).ok_or(Spent)?;
        let mark = self.moves.len();
        let now = board.threats(0, &mut self.moves);
        self.moves.truncate(mark);
        if let Attack::Win(_, plies) = now {
            return Ok(Some(plies));
        }
        let there = self.winning_move(key_at(board, level) ^ apart);
        let Some(mv) = there.filter(|&mv| board.can_play(mv)) else {
            return Ok(None);
        };
        board.play(mv);
        let plies = self.defend(board, |search, board| {
            search.win_as_in(board, level, apart, left)
        });
        board.undo(mv);
        Ok(plies?.map(|plies| plies + 1))
    }

    /// The move of a known win.
    fn winning_move(&self, key: u64) -> Option<M> {
        let entry = self.probe(key)?;
        matches!(entry.known, Known::Win(_)).then_some(entry.mv)?
    }
}

//! Wins by threats at the nodes of another search.

use super::{SimilarBoard, ThreatSearch};
use crate::limits::Limits;
use crate::position::Move;

/// Two to this power are the entries of the table.
const TABLE_BITS: u32 = 16;
/// Number of answers that are kept, a power of two: 1.5 MiB.
const ANSWERS: usize = 1 << 16;
/// Number of wins that are tried in other positions.
const RECENT: usize = 8;
/// Most nodes of one try.
const TRY_NODES: u64 = 500;

/// A threat-space search for the many positions of another search. It keeps its answers, and first
/// tries whether a win of another position holds here, too: that takes few nodes.
pub struct KnownWins<M> {
    level: u32,
    search: ThreatSearch<M>,
    answers: Box<[Answer]>,
    /// By attacker, the keys of positions that it wins, the last one that was of use first.
    recent: [[u64; RECENT]; 2],
}

#[derive(Clone, Copy)]
struct Answer {
    key: u64,
    /// With so many nodes no search finds more.
    nodes: u64,
    /// The plies of a win.
    win: Option<u32>,
}

impl<M: Move> KnownWins<M> {
    /// Wins by threats of `level`.
    pub fn new(level: u32) -> KnownWins<M> {
        let none = Answer {
            key: 0,
            nodes: 0,
            win: None,
        };
        KnownWins {
            level,
            search: ThreatSearch::new(TABLE_BITS),
            answers: vec![none; ANSWERS].into(),
            recent: [[0; RECENT]; 2],
        }
    }

    /// The plies to the win of the attacker, who is to move; a ply is a move of `board`. The win is
    /// known, holds as in another position, or is found with `nodes` nodes. `attacker` is 0 or 1.
    /// `limits` end all of this; its nodes are added to `spent`.
    pub fn find<B: SimilarBoard<Move = M>>(
        &mut self,
        board: &mut B,
        attacker: usize,
        nodes: u64,
        limits: &Limits,
        spent: &mut u64,
    ) -> Option<u32> {
        let key = board.key();
        let place = key as usize % ANSWERS;
        let known = self.answers[place];
        if known.key == key && (known.win.is_some() || known.nodes >= nodes) {
            return known.win;
        }
        let mut left = limits.nodes.unwrap_or(u64::MAX);
        let all = left;
        let win = match self.as_recently(board, attacker, &mut left) {
            Some(plies) => Some(plies),
            None => self.search_for(board, attacker, nodes, limits, &mut left),
        };
        *spent += all - left;
        let nodes = if self.search.is_refuted(board, self.level) {
            u64::MAX
        } else {
            self.search.nodes()
        };
        self.answers[place] = Answer { key, nodes, win };
        win
    }

    /// The plies of a win as in a position where one was found. The nodes are taken from `left`.
    fn as_recently<B: SimilarBoard<Move = M>>(
        &mut self,
        board: &mut B,
        attacker: usize,
        left: &mut u64,
    ) -> Option<u32> {
        let key = board.key();
        for at in 0..RECENT {
            let apart = key ^ self.recent[attacker][at];
            let most = TRY_NODES.min(*left);
            let mut unused = most;
            let win = (self.search).win_as_in(board, self.level, apart, &mut unused);
            *left -= most - unused;
            if let Ok(Some(plies)) = win {
                self.recent[attacker][..=at].rotate_right(1);
                return Some(plies);
            }
        }
        None
    }

    /// The plies of a win that a search of `nodes` nodes finds, which are taken from `left`.
    fn search_for<B: SimilarBoard<Move = M>>(
        &mut self,
        board: &mut B,
        attacker: usize,
        nodes: u64,
        limits: &Limits,
        left: &mut u64,
    ) -> Option<u32> {
        let mut part = limits.clone();
        part.nodes = Some(nodes.min(*left));
        let win = self.search.find(board, self.level, &part);
        *left -= self.search.nodes();
        let (_, plies) = win?;
        self.recent[attacker].rotate_right(1);
        self.recent[attacker][0] = board.key();
        Some(plies)
    }
}

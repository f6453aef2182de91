//! Threat-space search (Allis, van den Herik and Huntjens, *Go-Moku Solved by New Search
//! Techniques*, 1996): the attacker plays only threats, and the defender only what answers them.
//!
//! A win that it finds is a real one: [`ThreatBoard::replies`] gives every reply after which the
//! attacker does not win at once. That there is no such win proves nothing.
//!
//! Threats have levels. Level 0 are those with a single answer each: continuous fours in Gomoku.
//! They are searched depth first. A level contains the levels below; a search of a higher level is a
//! proof-number search, because the number of answers tells which threat to try first.

mod known;
mod player;
mod proof;
mod region;
mod similar;

pub use known::KnownWins;
pub use player::ThreatPlayer;
pub use similar::SimilarBoard;

use crate::limits::Limits;
use crate::position::Move;
use crate::proof::Numbers;
use crate::score::Score;
use crate::zobrist::mix;
use proof::Child;

/// A game as threat-space search sees it: an attacker, which moves first, and a defender, in turn.
pub trait ThreatBoard {
    /// A move of either side.
    type Move: Move;

    /// A move of the game: a turn may have several.
    type Action: Move;

    /// Most moves of the game that a move consists of.
    const ACTIONS: u32 = 1;

    /// Number of levels of threats, at least 1.
    const LEVELS: u32;

    /// Key of the position, its side to move and the attacker.
    fn key(&self) -> u64;

    /// Plays a move of the side to move.
    fn play(&mut self, mv: Self::Move);

    /// Takes the last move back.
    fn undo(&mut self, mv: Self::Move);

    /// The attacker is to move: its win, or else the threats of a level, appended to `out`, the most
    /// promising first. Moves that turn out to be no threats are allowed.
    fn threats(&mut self, level: u32, out: &mut Vec<Self::Move>) -> Attack<Self::Move>;

    /// The defender is to move: every reply after which the attacker does not win at once, appended
    /// to `out`.
    fn replies(&mut self, out: &mut Vec<Self::Move>) -> Defence;

    /// The defender is to move: appends the moves of the game of which one or more, next, would win for
    /// the attacker, or make a threat that cannot be answered.
    fn aims(&mut self, out: &mut Vec<Self::Action>);

    /// The moves of the game that a move consists of, at most [`ThreatBoard::ACTIONS`].
    fn actions(mv: Self::Move) -> impl Iterator<Item = Self::Action>;
}

/// What the attacker can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attack<M> {
    /// It wins by this move, in this number of plies, which begin with the move.
    Win(M, u32),
    /// It has threats, or none.
    Threats,
}

/// What the defender can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defence {
    /// It is not threatened, or wins itself.
    Escape,
    /// Only the listed replies do not lose at once. If there are none, it loses in this number of
    /// plies.
    Replies(u32),
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// The attacker wins; the game ends after at most this number of plies.
    Win(u32),
    /// The attacker has no win by threats of the level.
    None,
    /// Neither is proven yet. Only above level 0.
    Open(Numbers),
}

#[derive(Clone, Copy)]
struct Entry<M> {
    /// The key of the position, XOR the stamp of the table when the entry was stored.
    key: u64,
    mv: Option<M>,
    known: Known,
}

/// The nodes or the time of a search are used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spent;

/// Nodes between two checks of the limits.
const CHECK_EVERY: u64 = 64;

/// A win of the attacker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreatWin<M> {
    /// The moves of both sides; of the replies, one that delays the win longest.
    pub line: Vec<M>,
    /// Plies to the end of the game, which are moves as in `line`.
    pub plies: u32,
}

/// A threat-space search with its table.
pub struct ThreatSearch<M> {
    table: Box<[Entry<M>]>,
    /// Entries with another stamp are forgotten.
    stamp: u64,
    /// The moves of the nodes on the path.
    moves: Vec<M>,
    /// The children of the nodes on the path, above level 0.
    children: Vec<Child<M>>,
    nodes: u64,
}

impl<M: Move> ThreatSearch<M> {
    /// A search whose table has 2^`bits` entries.
    pub fn new(bits: u32) -> ThreatSearch<M> {
        let empty = Entry {
            key: 0,
            mv: None,
            known: Known::None,
        };
        ThreatSearch {
            table: vec![empty; 1 << bits].into(),
            stamp: mix(1),
            moves: Vec::new(),
            children: Vec::new(),
            nodes: 0,
        }
    }

    /// Forgets all positions. This is cheap: the size of the table does not matter.
    pub fn forget(&mut self) {
        self.stamp = mix(self.stamp);
    }

    /// Nodes of the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The first move of a win by threats of `level`, and the plies after which the game ends at the
    /// latest, if a win is found within the limits of nodes and time. `board` is unchanged
    /// afterwards. A search that its limits ended goes on when it is asked again.
    pub fn find<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        limits: &Limits,
    ) -> Option<(M, u32)> {
        self.nodes = 0;
        self.moves.clear();
        self.children.clear();
        // A search without an answer has left what it knows in the table.
        let _: Result<_, Spent> = match level {
            0 => self.attack(board, limits).map(drop),
            _ => self.solve(board, level, limits),
        };
        self.known(board, level)
    }

    /// What the table knows of a win by threats of `level`.
    fn known<B: ThreatBoard<Move = M>>(&self, board: &B, level: u32) -> Option<(M, u32)> {
        let entry = self.probe(key_at(board, level))?;
        match entry.known {
            Known::Win(plies) => Some((entry.mv?, plies)),
            _ => None,
        }
    }

    /// Whether the search has ended without a win by threats of `level`: more nodes find none.
    fn is_refuted<B: ThreatBoard<Move = M>>(&self, board: &B, level: u32) -> bool {
        let entry = self.probe(key_at(board, level));
        entry.is_some_and(|entry| entry.known == Known::None)
    }

    /// As [`ThreatSearch::find`], with the line of the win.
    pub fn win<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        level: u32,
        limits: &Limits,
    ) -> Option<ThreatWin<M>> {
        let (_, plies) = self.find(board, level, limits)?;
        let mut line = Vec::new();
        self.follow(board, level, &mut line);
        Some(ThreatWin { line, plies })
    }

    /// Counts a node, unless the limits are reached.
    #[inline]
    fn count(&mut self, limits: &Limits) -> Result<(), Spent> {
        let spent = limits.nodes.is_some_and(|most| self.nodes >= most)
            || self.nodes % CHECK_EVERY == CHECK_EVERY - 1 && limits.exhausted(self.nodes);
        if spent {
            return Err(Spent);
        }
        self.nodes += 1;
        limits.spend(1);
        Ok(())
    }

    fn probe(&self, key: u64) -> Option<&Entry<M>> {
        let entry = &self.table[key as usize & (self.table.len() - 1)];
        (entry.key == key ^ self.stamp).then_some(entry)
    }

    fn store(&mut self, key: u64, mv: Option<M>, known: Known) {
        let place = key as usize & (self.table.len() - 1);
        let key = key ^ self.stamp;
        self.table[place] = Entry { key, mv, known };
    }

    /// The plies to a win of the attacker, who is to move, by threats of level 0.
    fn attack<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        limits: &Limits,
    ) -> Result<Option<u32>, Spent> {
        let key = key_at(board, 0);
        match self.probe(key).map(|entry| entry.known) {
            Some(Known::Win(plies)) => return Ok(Some(plies)),
            Some(Known::None) => return Ok(None),
            _ => {}
        }
        self.count(limits)?;
        let mark = self.moves.len();
        let mut found = None;
        match board.threats(0, &mut self.moves) {
            Attack::Win(mv, plies) => found = Some((mv, plies)),
            Attack::Threats => {
                let mut next = mark;
                while found.is_none() && next < self.moves.len() {
                    let mv = self.moves[next];
                    next += 1;
                    board.play(mv);
                    let plies = self.defend(board, |search, board| search.attack(board, limits));
                    board.undo(mv);
                    found = plies?.map(|plies| (mv, plies + 1));
                }
            }
        }
        self.moves.truncate(mark);
        match found {
            Some((mv, plies)) => self.store(key, Some(mv), Known::Win(plies)),
            None => self.store(key, None, Known::None),
        }
        Ok(found.map(|(_, plies)| plies))
    }

    /// The plies to the defender's loss, whatever it replies. `attack` tells the plies to the
    /// attacker's win after a reply.
    fn defend<B: ThreatBoard<Move = M>>(
        &mut self,
        board: &mut B,
        mut attack: impl FnMut(&mut Self, &mut B) -> Result<Option<u32>, Spent>,
    ) -> Result<Option<u32>, Spent> {
        let mark = self.moves.len();
        let mut plies = match board.replies(&mut self.moves) {
            Defence::Escape => None,
            Defence::Replies(plies) => Some(plies),
        };
        for next in mark..self.moves.len() {
            let Some(longest) = plies else { break };
            let mv = self.moves[next];
            board.play(mv);
            let after = attack(self, board).inspect_err(|_| self.moves.truncate(mark));
            board.undo(mv);
            plies = after?.map(|after| longest.max(after + 1));
        }
        self.moves.truncate(mark);
        Ok(plies)
    }

    /// Appends the line of a win that was found.
    fn follow<B: ThreatBoard<Move = M>>(&self, board: &mut B, level: u32, line: &mut Vec<M>) {
        let Some((mv, Known::Win(_))) = self
            .probe(key_at(board, level))
            .and_then(|e| Some((e.mv?, e.known)))
        else {
            return;
        };
        if line.len() as u32 >= Score::MAX_PLY {
            return;
        }
        line.push(mv);
        board.play(mv);
        let mut replies = Vec::new();
        board.replies(&mut replies);
        let mut longest = None;
        for reply in replies {
            board.play(reply);
            let known = self.probe(key_at(board, level)).map(|entry| entry.known);
            board.undo(reply);
            if let Some(Known::Win(plies)) = known
                && longest.is_none_or(|(most, _)| plies > most)
            {
                longest = Some((plies, reply));
            }
        }
        if let Some((_, reply)) = longest {
            line.push(reply);
            board.play(reply);
            self.follow(board, level, line);
            board.undo(reply);
        }
        board.undo(mv);
    }
}

/// Key of a position at a level of threats.
fn key_at<B: ThreatBoard>(board: &B, level: u32) -> u64 {
    board.key() ^ u64::from(level).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

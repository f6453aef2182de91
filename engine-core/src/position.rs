//! What a game is to the search: sides, moves, outcomes, rules. Text is apart, in [`crate::notation`].

use std::fmt::Debug;

use crate::score::Score;

/// One of the two players. Every game maps its colours onto these two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// The side that takes the first turn of the game.
    First = 0,
    /// The other side.
    Second = 1,
}

impl Side {
    /// Both sides, in the order of play.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for `First`, 1 for `Second`: an index into arrays with one element a side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline]
    pub const fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// How a finished game ended: an absolute fact, never relative to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Nobody has won.
    Draw,
}

impl Outcome {
    /// The side that won, if one did.
    #[inline]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }

    /// The result as points of `First`: 1, ½ or 0. What a Monte-Carlo tree sums.
    #[inline]
    pub const fn points_of_first(self) -> f32 {
        match self {
            Outcome::Win(Side::First) => 1.0,
            Outcome::Win(Side::Second) => 0.0,
            Outcome::Draw => 0.5,
        }
    }
}

/// One action of a player: a whole Amazons move, one Connect6 stone, one Dots-and-Boxes edge.
///
/// A move packs into at most 24 bits, so that a table entry has room for it.
pub trait Move: Copy + Eq + Debug + Send + Sync + 'static {
    /// The move as a number in 1..2²⁴. 0 is kept for "no move".
    fn to_bits(self) -> u32;

    /// The inverse of [`Move::to_bits`].
    ///
    /// Bits that no move has (a torn table entry, a hash collision) may give any move at all, and
    /// must not panic; [`Position::is_legal`] is asked before such a move is played.
    fn from_bits(bits: u32) -> Self;
}

/// The rules of a game, as a search needs them: make and unmake on one mutable position.
///
/// # Actions, turns and chance
/// A *ply* is one action. A *turn* is all that one side plays before the other side, or chance, has
/// the word: one or more actions. [`Position::side`] says who acts next, and search asks it after
/// every action instead of assuming that sides alternate.
///
/// At a chance position ([`Position::is_chance`]) nobody chooses: a die with [`Position::FACES`]
/// equally likely faces is cast by [`Position::play_roll`]. `side()` is then the side that will
/// move after the roll.
///
/// # Contracts (checked by [`crate::conformance()`])
/// - `undo` restores the position exactly: equal by `==`, with the same key.
/// - [`Position::generate`] over all stages gives every legal move once, and no other.
/// - The order of generation depends on what `==` compares alone, not on how a position came about.
/// - A finished position generates no moves. One exception: a game that was ended by counting
///   (repetition, a limit of quiet plies) still generates the moves that its pieces have, because
///   perft and lists of legal moves know no counting. Search asks `outcome()` first.
/// - A position that is not over and not at chance has at least one move.
pub trait Position: Clone + Eq + Debug + Send + Sync + 'static {
    /// One action.
    type Move: Move;
    /// What [`Position::undo`] needs to take a move back.
    type Undo: Debug + Send;

    /// Whether `side()` changes at every action. Search then compiles its sign test away.
    const ALTERNATES: bool;
    /// Whether any position of the game is at chance. Search then compiles chance nodes in.
    const HAS_CHANCE: bool = false;
    /// Faces of the die, numbered from 1, all equally likely.
    const FACES: u8 = 1;
    /// Whether a game can end in a draw. Where it cannot, who does not win has lost, and a search
    /// for proofs asks one question instead of two.
    const DRAWS: bool = true;
    /// Whether a position can come again within a game, so that [`Position::key`], which knows no
    /// history, does not tell all that decides the game. A search that takes a proof from a table
    /// then proves nothing.
    const REPEATS: bool = false;
    /// Bound of the size of every score of the game, evaluations and ends. Star1 prunes better the
    /// tighter it is; only games with chance need to set it.
    const MAX_SCORE: Score = Score::WIN;
    /// How many stages [`Position::generate`] has, most forcing first.
    const STAGES: u8 = 1;
    /// One more than the largest [`Position::history_index`].
    const HISTORY_LEN: usize;

    /// The side that acts next.
    fn side(&self) -> Side;

    /// Zobrist key. It covers all that makes two positions play differently for a search: pieces,
    /// side to act, stones left in the turn, the die. History for repetition is not part of it.
    fn key(&self) -> u64;

    /// The result, if the game is over. O(1): `play` keeps it.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves of one stage, 0 ≤ `stage` < [`Position::STAGES`].
    ///
    /// The stages partition the legal moves. Nothing is appended at a chance position.
    fn generate(&self, stage: u8, out: &mut impl Extend<Self::Move>);

    /// Whether `mv`, which may be any value that [`Move::from_bits`] can give, is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Plays a legal move. An illegal one may panic or leave an unspecified position.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back `mv`, the last action played, with what `play` returned for it.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// Where a move's history is kept: a number below [`Position::HISTORY_LEN`]. Moves that tend
    /// to be good or bad together may share one.
    fn history_index(&self, mv: Self::Move) -> usize;

    /// Whether the side to act is within its turn, so that the position should not be evaluated
    /// (nor passed by a null move) before the turn has ended.
    #[inline]
    fn mid_turn(&self) -> bool {
        false
    }

    /// Hands the turn over without an action, between turns, for null-move pruning; false, and
    /// nothing done, where a side could be glad to (zugzwang), or the rules cannot express it. Key
    /// and `side()` follow.
    #[inline]
    fn pass(&mut self) -> bool {
        false
    }

    /// Takes back a [`Position::pass`] that returned true.
    #[inline]
    fn undo_pass(&mut self) {}

    /// Whether the die is to be cast next.
    #[inline]
    fn is_chance(&self) -> bool {
        false
    }

    /// Appends `(face, weight)` for the rolls that differ: faces after which the game goes on alike
    /// are merged into one of them. The weights sum to [`Position::FACES`].
    fn rolls(&self, out: &mut impl Extend<(u8, i32)>) {
        let _ = out;
    }

    /// Casts the die: any face in 1..=[`Position::FACES`], merged or not.
    fn play_roll(&mut self, face: u8) {
        let _ = face;
    }

    /// Takes back [`Position::play_roll`] of the same face.
    fn undo_roll(&mut self, face: u8) {
        let _ = face;
    }

    /// The exact score of a finished position, `ply` plies below the root of a search, from the
    /// view of `side()`; `None` while the game goes on.
    ///
    /// A game whose results have a size (boxes won, a probability) gives that instead of win-in-n,
    /// in the units of its evaluation.
    #[inline]
    fn terminal(&self, ply: u32) -> Option<Score> {
        self.outcome().map(|outcome| match outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == self.side() => Score::win_in(ply),
            Outcome::Win(_) => Score::loss_in(ply),
        })
    }

    /// All legal moves, of all stages, in the order of generation.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        for stage in 0..Self::STAGES {
            self.generate(stage, &mut moves);
        }
        moves
    }
}

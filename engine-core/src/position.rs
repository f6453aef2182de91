//! The interface of a game for the search: sides, moves, outcomes, rules. Text is separate, in
//! [`crate::notation`].

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

    /// 0 for `First`, 1 for `Second`: an array index.
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

/// The outcome of a finished game. Absolute, not relative to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Nobody has won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[inline]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }

    /// The result as points of `First`: 1, ½ or 0. Monte-Carlo trees sum these.
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
/// A move fits into 24 bits, so that a table entry can store it.
pub trait Move: Copy + Eq + Debug + Send + Sync + 'static {
    /// The move as a number in 1..2²⁴. 0 means "no move".
    fn to_bits(self) -> u32;

    /// The inverse of [`Move::to_bits`].
    ///
    /// Invalid bits (a torn table entry, a hash collision) may give any move, but must not panic.
    /// [`Position::is_legal`] is called before such a move is played.
    fn from_bits(bits: u32) -> Self;
}

/// The rules of a game for a search: make and unmake on one mutable position.
///
/// # Actions, turns and chance
/// A *ply* is one action. A *turn* is the sequence of actions, one or more, that a side plays until
/// it is the other side's turn or a roll comes. [`Position::side`] is the side that acts next.
/// Search calls it after every action and does not assume that sides alternate.
///
/// At a chance position ([`Position::is_chance`]) no side acts: [`Position::play_roll`] casts a die
/// with [`Position::FACES`] equally likely faces. `side()` is the side that acts after the roll.
///
/// # Contracts (checked by [`crate::conformance()`])
/// - `undo` restores the position exactly: it is equal by `==` and has the same key.
/// - [`Position::generate`] over all stages generates every legal move once, and no other move.
/// - The order of generation depends only on what `==` compares, not on the path to the position.
/// - A finished position generates no moves. One exception: a game that ended by a counter
///   (repetition, a limit of quiet plies) still generates the moves of its pieces, because perft
///   and lists of legal moves ignore these counters. Search checks `outcome()` first.
/// - An unfinished position that is not a chance position has at least one move.
pub trait Position: Clone + Eq + Debug + Send + Sync + 'static {
    /// One action.
    type Move: Move;
    /// The information that [`Position::undo`] needs.
    type Undo: Debug + Send;

    /// Whether `side()` changes after every action. Search then omits its sign test at compile
    /// time.
    const ALTERNATES: bool;
    /// Whether the game has chance positions. Search includes chance nodes only then, at compile
    /// time.
    const HAS_CHANCE: bool = false;
    /// Faces of the die, numbered from 1, all equally likely.
    const FACES: u8 = 1;
    /// Whether a game can end in a draw. If not, the side that does not win has lost, and a proof
    /// search needs one question instead of two.
    const DRAWS: bool = true;
    /// Whether a position can repeat within a game. [`Position::key`] does not contain the history,
    /// so it then does not identify the result, and a search cannot take proofs from a table.
    const REPEATS: bool = false;
    /// Maximum absolute score of the game, for evaluations and final positions. A tighter bound
    /// improves the pruning of Star1; only games with chance need to set it.
    const MAX_SCORE: Score = Score::WIN;
    /// Number of stages of [`Position::generate`], the most forcing first.
    const STAGES: u8 = 1;
    /// One more than the largest [`Position::history_index`].
    const HISTORY_LEN: usize;

    /// The side that acts next.
    fn side(&self) -> Side;

    /// Zobrist key of everything that matters for search: pieces, side to act, stones left in the
    /// turn, the die. The history for repetitions is not included.
    fn key(&self) -> u64;

    /// The outcome, if the game is over. O(1): `play` updates it.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves of one stage, 0 ≤ `stage` < [`Position::STAGES`].
    ///
    /// The stages partition the legal moves. Nothing is appended at a chance position.
    fn generate(&self, stage: u8, out: &mut impl Extend<Self::Move>);

    /// Whether `mv` is legal here. `mv` may be any value that [`Move::from_bits`] returns.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Plays a legal move. An illegal move may panic or leave an unspecified position.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Undoes `mv`, the last action played; `undo` is what `play` returned for it.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// Index of a move in the history tables, below [`Position::HISTORY_LEN`]. Moves that tend to
    /// be good or bad together may share an index.
    fn history_index(&self, mv: Self::Move) -> usize;

    /// Whether the side to act is in the middle of its turn. Such a position should not be
    /// evaluated, and a null move is not allowed.
    #[inline]
    fn mid_turn(&self) -> bool {
        false
    }

    /// Passes the turn without an action, for null-move pruning; only between turns. Updates key
    /// and `side()`. Returns false, and changes nothing, if passing could be an advantage
    /// (zugzwang) or the rules cannot express it.
    #[inline]
    fn pass(&mut self) -> bool {
        false
    }

    /// Undoes a [`Position::pass`] that returned true.
    #[inline]
    fn undo_pass(&mut self) {}

    /// Whether the next event is a roll.
    #[inline]
    fn is_chance(&self) -> bool {
        false
    }

    /// Appends `(face, weight)` for each distinct roll: faces with equivalent continuations are
    /// merged into one of them. The weights sum to [`Position::FACES`].
    fn rolls(&self, out: &mut impl Extend<(u8, i32)>) {
        let _ = out;
    }

    /// Plays a roll of any face in 1..=[`Position::FACES`], merged or not.
    fn play_roll(&mut self, face: u8) {
        let _ = face;
    }

    /// Undoes [`Position::play_roll`] of the same face.
    fn undo_roll(&mut self, face: u8) {
        let _ = face;
    }

    /// The exact score of a finished position, `ply` plies below the search root, from the view of
    /// `side()`; `None` while the game goes on.
    ///
    /// A game whose results have a margin (boxes won, a probability) returns that instead of
    /// win-in-n, in the units of its evaluation.
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

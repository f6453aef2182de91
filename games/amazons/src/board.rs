//! The position: amazons and arrows on bitboards, and the rules.

use engine_core::{Outcome, Position, Side, zobrist};

use crate::geometry::{Board, Lines, STRIDE, full_board, squares};
use crate::moves::{self, Action};

/// A position of Amazons on a board of up to 10×10 squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Amazons {
    /// The squares that are neither occupied, nor shot at, nor off the board.
    empty: Board,
    amazons: [Board; 2],
    /// The same as `empty`, line by line.
    lines: Lines,
    key: u64,
    side: Side,
    /// Whether the side to move has no move.
    blocked: bool,
    columns: u8,
    rows: u8,
}

/// Keys of the amazons of both sides and of the arrows, by square.
static KEYS: [[u64; 128]; 3] = [
    zobrist::keys(0xa3a2_0001),
    zobrist::keys(0xa3a2_0002),
    zobrist::keys(0xa3a2_0003),
];

/// In the key while `Second` is to move.
const SECOND_KEY: u64 = zobrist::mix(0xa3a2_0004);

/// Which of [`KEYS`] are the arrows'.
const ARROW: usize = 2;

/// The squares next to those of `set`, and the set itself; squares off the board may be among them.
#[inline]
pub(crate) const fn grown(set: Board) -> Board {
    let wide = set | set << 1 | set >> 1;
    wide | wide << STRIDE | wide >> STRIDE
}

impl Amazons {
    /// The position with these amazons and arrows on a board of `columns` × `rows`, both at most
    /// [`crate::MAX_SIZE`]. The sets must be on the board and have no square in common.
    pub(crate) fn new(
        (columns, rows): (u8, u8),
        amazons: [Board; 2],
        arrows: Board,
        side: Side,
    ) -> Amazons {
        let board = full_board(columns, rows);
        let occupied = amazons[0] | amazons[1] | arrows;
        debug_assert_eq!(occupied & !board, 0);
        let empty = board & !occupied;
        let mut position = Amazons {
            empty,
            amazons,
            lines: Lines::new(empty),
            key: 0,
            side,
            blocked: false,
            columns,
            rows,
        };
        position.key = position.fresh_key();
        position.blocked = position.is_blocked();
        position
    }

    /// The number of columns.
    pub fn columns(&self) -> u8 {
        self.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// The squares of one side's amazons.
    #[inline]
    pub fn amazons(&self, side: Side) -> Board {
        self.amazons[side.index()]
    }

    /// The squares on which nothing stands and no arrow has landed.
    #[inline]
    pub fn empty(&self) -> Board {
        self.empty
    }

    /// The squares that arrows have blocked.
    pub fn arrows(&self) -> Board {
        let occupied = self.empty | self.amazons[0] | self.amazons[1];
        full_board(self.columns, self.rows) & !occupied
    }

    #[inline]
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The key, from the board alone.
    pub(crate) fn fresh_key(&self) -> u64 {
        let sets = [self.amazons[0], self.amazons[1], self.arrows()];
        let side = match self.side {
            Side::First => 0,
            Side::Second => SECOND_KEY,
        };
        (0..3)
            .flat_map(|kind| squares(sets[kind]).map(move |square| KEYS[kind][square.index()]))
            .fold(side, |key, square| key ^ square)
    }

    /// Whether no amazon of the side to move has an empty square beside it.
    #[inline]
    fn is_blocked(&self) -> bool {
        grown(self.amazons[self.side.index()]) & self.empty == 0
    }

    /// Plays, or takes back, an action of `side`, on the squares.
    #[inline]
    fn toggle(&mut self, side: Side, action: Action) {
        self.lines.toggle(action.from());
        self.lines.toggle(action.to());
        self.lines.toggle(action.arrow());
        self.toggle_sets(side, action);
    }

    /// The part of [`Amazons::toggle`] beside the lines.
    #[inline]
    fn toggle_sets(&mut self, side: Side, action: Action) {
        let (from, to, arrow) = (action.from(), action.to(), action.arrow());
        let own = &KEYS[side.index()];
        self.key ^= own[from.index()] ^ own[to.index()] ^ KEYS[ARROW][arrow.index()] ^ SECOND_KEY;
        let run = from.bit() ^ to.bit();
        self.amazons[side.index()] ^= run;
        self.empty ^= run ^ arrow.bit();
    }

    /// Plays the turn that `draw` chooses and has played on the lines, if it finds one.
    ///
    /// Leaves it open whether the other side is blocked, which most playouts need not know: call
    /// [`Amazons::settle`] before anything else than the next turn.
    #[inline]
    pub(crate) fn play_drawn(&mut self, draw: impl FnOnce(&mut Lines) -> Option<Action>) -> bool {
        let Some(action) = draw(&mut self.lines) else {
            return false;
        };
        self.toggle_sets(self.side, action);
        self.side = self.side.opponent();
        true
    }

    /// Finds out whether the side to move is blocked.
    #[inline]
    pub(crate) fn settle(&mut self) {
        self.blocked = self.is_blocked();
    }
}

impl Position for Amazons {
    type Move = Action;
    type Undo = ();

    const ALTERNATES: bool = true;
    /// Who cannot move has lost.
    const DRAWS: bool = false;
    /// By target and arrow: a turn is mostly good for where its arrow lands and whence it came, and
    /// from and target alone would leave some 25 turns alike.
    const HISTORY_LEN: usize = 1 << 14;

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.blocked.then(|| Outcome::Win(self.side.opponent()))
    }

    #[inline]
    fn generate(&self, _stage: u8, out: &mut impl Extend<Action>) {
        moves::generate(self, out);
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        let (from, to, arrow) = (action.from(), action.to(), action.arrow());
        if self.amazons(self.side) & from.bit() == 0
            || self.empty & to.bit() == 0
            || (self.empty | from.bit()) & !to.bit() & arrow.bit() == 0
        {
            return false;
        }
        if !moves::sees(&self.lines, from, to) {
            return false;
        }
        let mut vacated = self.lines.clone();
        vacated.toggle(from);
        moves::sees(&vacated, to, arrow)
    }

    #[inline]
    fn play(&mut self, action: Action) {
        self.toggle(self.side, action);
        self.side = self.side.opponent();
        self.settle();
    }

    #[inline]
    fn undo(&mut self, action: Action, _undo: ()) {
        self.side = self.side.opponent();
        self.toggle(self.side, action);
        self.blocked = false;
    }

    /// A move is nearly always worth more than none until the territories are filled.
    fn pass(&mut self) -> bool {
        if self.blocked {
            return false;
        }
        self.undo_pass();
        let possible = !self.is_blocked();
        if !possible {
            self.undo_pass();
        }
        possible
    }

    fn undo_pass(&mut self) {
        self.side = self.side.opponent();
        self.key ^= SECOND_KEY;
    }

    #[inline]
    fn history_index(&self, action: Action) -> usize {
        action.to().index() << 7 | action.arrow().index()
    }
}

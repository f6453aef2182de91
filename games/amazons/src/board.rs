//! The position: amazons and arrows as bitboards, and the rules.

use engine_core::{Outcome, Position, Side, zobrist};

use crate::geometry::{Board, Lines, STRIDE, full_board, squares};
use crate::moves::{self, Action};

/// A position of Amazons on a board of up to 10×10 squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Amazons {
    /// The squares on the board without an amazon or an arrow.
    empty: Board,
    amazons: [Board; 2],
    /// The same squares as `empty`, by line.
    lines: Lines,
    key: u64,
    side: Side,
    /// Whether the side to move has no legal move.
    blocked: bool,
    columns: u8,
    rows: u8,
}

/// Keys by square: the amazons of both sides, and the arrows.
static KEYS: [[u64; 128]; 3] = [
    zobrist::keys(0xa3a2_0001),
    zobrist::keys(0xa3a2_0002),
    zobrist::keys(0xa3a2_0003),
];

/// Part of the key while `Second` is to move.
const SECOND_KEY: u64 = zobrist::mix(0xa3a2_0004);

/// The index of the arrows in [`KEYS`].
const ARROW: usize = 2;

/// `set` and all adjacent squares; may include squares off the board.
#[inline]
pub(crate) const fn grown(set: Board) -> Board {
    let wide = set | set << 1 | set >> 1;
    wide | wide << STRIDE | wide >> STRIDE
}

impl Amazons {
    /// The position with these amazons and arrows on a board of `columns` × `rows`, both at most
    /// [`crate::MAX_SIZE`]. The sets must be on the board and disjoint.
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

    /// The squares without an amazon or an arrow.
    #[inline]
    pub fn empty(&self) -> Board {
        self.empty
    }

    /// The squares with arrows.
    pub fn arrows(&self) -> Board {
        let occupied = self.empty | self.amazons[0] | self.amazons[1];
        full_board(self.columns, self.rows) & !occupied
    }

    #[inline]
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The key, computed from the board alone.
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

    /// Whether no amazon of the side to move has an adjacent empty square.
    #[inline]
    fn is_blocked(&self) -> bool {
        grown(self.amazons[self.side.index()]) & self.empty == 0
    }

    /// How many amazons of a side have no adjacent empty square.
    pub(crate) fn walled_in(&self, side: Side) -> u32 {
        let amazons = self.amazons[side.index()];
        (amazons & !grown(self.empty)).count_ones()
    }

    /// Plays or undoes an action of `side` on the board.
    #[inline]
    fn toggle(&mut self, side: Side, action: Action) {
        self.lines.toggle(action.from());
        self.lines.toggle(action.to());
        self.lines.toggle(action.arrow());
        self.toggle_sets(side, action);
    }

    /// The part of [`Amazons::toggle`] that does not update `lines`.
    #[inline]
    fn toggle_sets(&mut self, side: Side, action: Action) {
        let (from, to, arrow) = (action.from(), action.to(), action.arrow());
        let own = &KEYS[side.index()];
        self.key ^= own[from.index()] ^ own[to.index()] ^ KEYS[ARROW][arrow.index()] ^ SECOND_KEY;
        let run = from.bit() ^ to.bit();
        self.amazons[side.index()] ^= run;
        self.empty ^= run ^ arrow.bit();
    }

    /// Plays the turn that `draw` chooses and has already played on `lines`, if any.
    ///
    /// Does not determine whether the other side is blocked, because most playouts need not know.
    /// Call [`Amazons::settle`] before anything except the next turn.
    #[inline]
    pub(crate) fn play_drawn(&mut self, draw: impl FnOnce(&mut Lines) -> Option<Action>) -> bool {
        let Some(action) = draw(&mut self.lines) else {
            return false;
        };
        self.toggle_sets(self.side, action);
        self.side = self.side.opponent();
        true
    }

    /// Determines whether the side to move is blocked.
    #[inline]
    pub(crate) fn settle(&mut self) {
        self.blocked = self.is_blocked();
    }
}

impl Position for Amazons {
    type Move = Action;
    type Undo = ();

    const ALTERNATES: bool = true;
    /// The side that cannot move loses.
    const DRAWS: bool = false;
    /// Indexed by target and arrow: a turn's value depends mostly on the arrow's square and the
    /// square it was shot from. An index by origin and target would be shared by some 25 turns.
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
        moves::sees(&self.lines, from, to) && moves::sees_past(&self.lines, from, to, arrow)
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

    /// A move is nearly always better than a pass until the territories are filled.
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

//! The position and the rules.

use engine_core::{Checked, Outcome, Position, Side, Symmetric, zobrist};

use crate::moves::Cell;

/// Cells of the board.
pub(crate) const CELLS: usize = 9;
/// All cells, one bit per cell.
const BOARD: u16 = (1 << CELLS) - 1;

/// The eight lines of three cells: rows, columns, diagonals.
pub const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Keys of the marks: `First`'s by cell, then `Second`'s.
static MARK_KEYS: [u64; 2 * CELLS] = zobrist::keys(0x333);
/// Key of `Second` to move.
const SECOND_KEY: u64 = zobrist::mix(0x333_333);

/// A position of tic-tac-toe.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TicTacToe {
    /// The cells of each side, one bit per cell.
    cells: [u16; 2],
    key: u64,
    side: Side,
    outcome: Option<Outcome>,
}

impl Default for TicTacToe {
    /// The empty board; crosses are to move.
    fn default() -> TicTacToe {
        TicTacToe {
            cells: [0; 2],
            key: 0,
            side: Side::First,
            outcome: None,
        }
    }
}

impl TicTacToe {
    /// A position with these cells of each side, which must not overlap. The numbers of marks may be
    /// unreachable in a game. `None` if both sides have three in a row.
    pub(crate) fn set_up(cells: [u16; 2], side: Side) -> Option<TicTacToe> {
        let mut position = TicTacToe {
            cells,
            side,
            ..TicTacToe::default()
        };
        position.outcome = match Side::BOTH.map(|side| position.has_line(side)) {
            [true, true] => return None,
            [true, false] => Some(Outcome::Win(Side::First)),
            [false, true] => Some(Outcome::Win(Side::Second)),
            [false, false] => (position.empty() == 0).then_some(Outcome::Draw),
        };
        position.key = position.key_from_scratch();
        Some(position)
    }

    /// The cells of a side, one bit per [`Cell::index`].
    #[inline]
    pub fn cells(&self, side: Side) -> u16 {
        self.cells[side.index()]
    }

    /// The empty cells, one bit per [`Cell::index`].
    #[inline]
    pub fn empty(&self) -> u16 {
        BOARD & !(self.cells[0] | self.cells[1])
    }

    /// The owner of the mark on a cell of the board.
    pub fn at(&self, cell: Cell) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.cells(*side) >> cell.index() & 1 == 1)
    }

    fn has_line(&self, side: Side) -> bool {
        LINES.iter().any(|&line| line & !self.cells(side) == 0)
    }

    fn mark_key(side: Side, cell: Cell) -> u64 {
        MARK_KEYS[side.index() * CELLS + cell.index()]
    }
}

/// The cells of a set of bits, in the order of [`Cell::index`].
pub(crate) fn cells_of(bits: u16) -> impl Iterator<Item = Cell> {
    let held = move |cell: &Cell| bits >> cell.index() & 1 == 1;
    (0..CELLS as u8).map(Cell::from_index).filter(held)
}

impl Position for TicTacToe {
    type Move = Cell;
    type Undo = ();
    const ALTERNATES: bool = true;
    const HISTORY_LEN: usize = CELLS;

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
        self.outcome
    }

    fn generate(&self, _stage: u8, out: &mut impl Extend<Cell>) {
        if self.outcome.is_none() {
            out.extend(cells_of(self.empty()));
        }
    }

    #[inline]
    fn is_legal(&self, cell: Cell) -> bool {
        self.outcome.is_none() && cell.index() < CELLS && self.empty() >> cell.index() & 1 == 1
    }

    #[inline]
    fn play(&mut self, cell: Cell) {
        debug_assert!(self.is_legal(cell), "{cell:?}");
        let side = self.side;
        self.cells[side.index()] |= 1 << cell.index();
        if self.has_line(side) {
            self.outcome = Some(Outcome::Win(side));
        } else if self.empty() == 0 {
            self.outcome = Some(Outcome::Draw);
        }
        self.side = side.opponent();
        self.key ^= Self::mark_key(side, cell) ^ SECOND_KEY;
    }

    #[inline]
    fn undo(&mut self, cell: Cell, (): ()) {
        self.side = self.side.opponent();
        self.cells[self.side.index()] &= !(1 << cell.index());
        self.outcome = None;
        self.key ^= Self::mark_key(self.side, cell) ^ SECOND_KEY;
    }

    #[inline]
    fn history_index(&self, cell: Cell) -> usize {
        cell.index()
    }

    /// An extra mark never hurts.
    fn pass(&mut self) -> bool {
        let possible = self.outcome.is_none();
        if possible {
            self.undo_pass();
        }
        possible
    }

    fn undo_pass(&mut self) {
        self.side = self.side.opponent();
        self.key ^= SECOND_KEY;
    }
}

impl Checked for TicTacToe {
    fn key_from_scratch(&self) -> u64 {
        let side = match self.side {
            Side::First => 0,
            Side::Second => SECOND_KEY,
        };
        let marks = Side::BOTH
            .into_iter()
            .flat_map(|side| cells_of(self.cells(side)).map(move |cell| (side, cell)));
        marks.fold(side, |key, (side, cell)| key ^ Self::mark_key(side, cell))
    }
}

impl Symmetric for TicTacToe {
    fn symmetries(&self) -> u8 {
        8
    }

    fn transform(&self, symmetry: u8) -> TicTacToe {
        let images = |side| {
            cells_of(self.cells(side)).fold(0, |bits, cell| {
                bits | 1 << self.transform_move(symmetry, cell).index()
            })
        };
        TicTacToe::set_up(Side::BOTH.map(images), self.side)
            .expect("a position has at most one winner")
    }

    /// As [`engine_core::mirrored`].
    fn transform_move(&self, symmetry: u8, cell: Cell) -> Cell {
        let (column, row) = engine_core::mirrored(symmetry, (2, 2), (cell.column(), cell.row()));
        Cell::new(column, row)
    }
}

//! The position and the rules.

use engine_core::{Checked, Outcome, Position, Side, Symmetric, zobrist};

use crate::geometry::{CELLS, LINES, MASKS, MIN_SIZE, OfBoard, sixes};
use crate::moves::{Cells, Stone};

/// Keys of the stones: `First`'s by cell, then `Second`'s.
static STONE_KEYS: [u64; 2 * CELLS] = zobrist::keys(0xc6);
/// Keys of the turn, indexed by twice the side plus the stones left minus one.
static TURN_KEYS: [u64; 4] = zobrist::keys(0x7c6);

/// A position of Connect6.
///
/// Every stone is stored in four words, those of its row, column and diagonals; they show a six
/// through a new stone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Connect6 {
    lines: [[u32; LINES]; 2],
    key: u64,
    stones: u16,
    size: u8,
    left: u8,
    side: Side,
    outcome: Option<Outcome>,
}

impl Connect6 {
    /// The empty board of `size` columns and rows; black is to place one stone.
    ///
    /// # Panics
    /// If `size` is not 6 to 19; [`game::Game::start`] checks a variant first.
    pub fn new(size: u8) -> Connect6 {
        assert!((6..=19).contains(&size), "no board of size {size}");
        let mut position = Connect6 {
            lines: [[0; LINES]; 2],
            key: 0,
            stones: 0,
            size,
            left: 1,
            side: Side::First,
            outcome: None,
        };
        position.key = position.key_from_scratch();
        position
    }

    /// A position with these stones, on different cells of the board; `side` has `left` stones (1
    /// or 2) to place. The numbers of stones may be unreachable in a game. `None` if both sides
    /// have six in a row.
    pub(crate) fn set_up(
        size: u8,
        stones: impl IntoIterator<Item = (Side, Stone)>,
        side: Side,
        left: u8,
    ) -> Option<Connect6> {
        let mut position = Connect6::new(size);
        let mut winners = [false; 2];
        for (owner, stone) in stones {
            winners[owner.index()] |= position.put(owner, stone);
            position.stones += 1;
        }
        position.side = side;
        position.left = left;
        position.outcome = match winners {
            [true, true] => return None,
            [true, false] => Some(Outcome::Win(Side::First)),
            [false, true] => Some(Outcome::Win(Side::Second)),
            [false, false] => position.is_full().then_some(Outcome::Draw),
        };
        position.key = position.key_from_scratch();
        Some(position)
    }

    /// Columns and rows of the board, 6 to 19.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Stones on the board.
    #[inline]
    pub fn stones(&self) -> u16 {
        self.stones
    }

    /// Stones that the side to move must still place in this turn: 2, or 1 in the first turn of a
    /// game and after the first stone of a turn.
    #[inline]
    pub fn stones_left(&self) -> u8 {
        self.left
    }

    /// The owner of the stone at a column and row, both from 0. `None` also off the board.
    #[inline]
    pub fn at(&self, column: usize, row: usize) -> Option<Side> {
        let holds = |side: &Side| {
            self.lines(*side)
                .get(row)
                .is_some_and(|r| r >> column & 1 == 1)
        };
        if row >= self.size as usize || column >= self.size as usize {
            return None;
        }
        Side::BOTH.into_iter().find(holds)
    }

    /// Whether a cell of the board is empty.
    #[inline]
    pub(crate) fn is_empty(&self, stone: Stone) -> bool {
        self.occupied(stone.row() as usize) >> stone.column() & 1 == 0
    }

    /// The words of all lines of a side, rows first.
    #[inline]
    pub(crate) fn lines(&self, side: Side) -> &[u32; LINES] {
        &self.lines[side.index()]
    }

    /// The cells of every line that are on the board.
    #[inline]
    pub(crate) fn masks(&self) -> &'static [u32; LINES] {
        &MASKS[self.size as usize - MIN_SIZE]
    }

    /// The stones of both sides in a row.
    #[inline]
    pub(crate) fn occupied(&self, row: usize) -> u32 {
        self.lines[0][row] | self.lines[1][row]
    }

    /// The stones on the board and their owners.
    pub(crate) fn all_stones(&self) -> impl Iterator<Item = (Side, Stone)> {
        Side::BOTH.into_iter().flat_map(|side| {
            let rows = Cells::new(std::array::from_fn(|row| self.lines(side)[row]));
            rows.cells().map(move |stone| (side, stone))
        })
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.stones == self.size as u16 * self.size as u16
    }

    /// Puts a stone on the board and returns whether it makes six or more in a row.
    #[inline(always)]
    fn put(&mut self, side: Side, stone: Stone) -> bool {
        let words = &mut self.lines[side.index()];
        let mut found = 0;
        for (line, bit) in OfBoard::through(stone.column() as usize, stone.row() as usize) {
            let word = words[line] | 1 << bit;
            words[line] = word;
            found |= sixes(word);
        }
        found != 0
    }

    #[inline]
    fn turn_key(&self) -> u64 {
        TURN_KEYS[2 * self.side.index() + self.left as usize - 1]
    }

    /// The part of the key that the stones make.
    pub(crate) fn stones_key(&self) -> u64 {
        self.key ^ self.turn_key()
    }

    /// What a stone adds to the key.
    #[inline]
    pub(crate) fn stone_key(side: Side, stone: Stone) -> u64 {
        STONE_KEYS[side.index() * CELLS + stone.cell()]
    }
}

impl Position for Connect6 {
    type Move = Stone;
    type Undo = ();
    const ALTERNATES: bool = false;
    const STAGES: u8 = 3;
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

    fn generate(&self, stage: u8, out: &mut impl Extend<Stone>) {
        out.extend(self.stage_cells(stage).cells());
    }

    #[inline]
    fn is_legal(&self, stone: Stone) -> bool {
        self.outcome.is_none()
            && stone.row() < self.size as u16
            && stone.column() < self.size
            && self.is_empty(stone)
    }

    #[inline]
    fn play(&mut self, stone: Stone) {
        debug_assert!(self.is_legal(stone), "{stone:?}");
        let (side, before) = (self.side, self.turn_key());
        let six = self.put(side, stone);
        self.stones += 1;
        if six {
            self.outcome = Some(Outcome::Win(side));
        } else if self.is_full() {
            self.outcome = Some(Outcome::Draw);
        }
        if self.left == 2 {
            self.left = 1;
        } else {
            self.left = 2;
            self.side = side.opponent();
        }
        self.key ^= Self::stone_key(side, stone) ^ before ^ self.turn_key();
    }

    #[inline]
    fn undo(&mut self, stone: Stone, _: ()) {
        let after = self.turn_key();
        if self.left == 2 {
            self.left = 1;
            self.side = self.side.opponent();
        } else {
            self.left = 2;
        }
        let words = &mut self.lines[self.side.index()];
        for (line, bit) in OfBoard::through(stone.column() as usize, stone.row() as usize) {
            words[line] &= !(1 << bit);
        }
        self.stones -= 1;
        self.outcome = None;
        self.key ^= Self::stone_key(self.side, stone) ^ after ^ self.turn_key();
    }

    #[inline]
    fn history_index(&self, stone: Stone) -> usize {
        stone.cell()
    }

    /// An extra stone never hurts.
    fn pass(&mut self) -> bool {
        let possible = self.left == 2 && self.outcome.is_none();
        if possible {
            self.undo_pass();
        }
        possible
    }

    fn undo_pass(&mut self) {
        let before = self.turn_key();
        self.side = self.side.opponent();
        self.key ^= before ^ self.turn_key();
    }

    #[inline]
    fn mid_turn(&self) -> bool {
        self.left == 1 && self.stones > 0 && self.outcome.is_none()
    }
}

impl Checked for Connect6 {
    fn key_from_scratch(&self) -> u64 {
        self.all_stones()
            .map(|(side, stone)| Self::stone_key(side, stone))
            .fold(self.turn_key(), |key, stone| key ^ stone)
    }
}

impl Symmetric for Connect6 {
    fn symmetries(&self) -> u8 {
        8
    }

    /// As [`engine_core::mirrored`].
    fn transform(&self, symmetry: u8) -> Connect6 {
        let stones = self
            .all_stones()
            .map(|(side, stone)| (side, self.transform_move(symmetry, stone)));
        Connect6::set_up(self.size, stones, self.side, self.left)
            .expect("a position has at most one winner")
    }

    fn transform_move(&self, symmetry: u8, stone: Stone) -> Stone {
        let last = self.size - 1;
        let at = (stone.column(), stone.row() as u8);
        let (column, row) = engine_core::mirrored(symmetry, (last, last), at);
        Stone::new(column, row)
    }
}

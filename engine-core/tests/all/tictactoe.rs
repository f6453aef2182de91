//! Tic-tac-toe for tests: a draw, and small enough for every algorithm to solve.

use engine_core::zobrist::mix;
use engine_core::{Evaluator, Move, Outcome, Position, Score, Side};

/// A cell, 0 to 8, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(pub u8);

impl Move for Cell {
    fn to_bits(self) -> u32 {
        self.0 as u32 + 1
    }
    fn from_bits(bits: u32) -> Cell {
        Cell(bits.wrapping_sub(1) as u8)
    }
}

/// The cells of each side, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicTacToe {
    pub cells: [u16; 2],
    side: Side,
}

impl Default for TicTacToe {
    fn default() -> Self {
        TicTacToe {
            cells: [0; 2],
            side: Side::First,
        }
    }
}

const LINES: [u16; 8] = [
    0b111,
    0b111_000,
    0b111_000_000,
    0b1_001_001,
    0b10_010_010,
    0b100_100_100,
    0b100_010_001,
    0b1_010_100,
];

impl TicTacToe {
    fn won(&self, side: Side) -> bool {
        let own = self.cells[side.index()];
        LINES.iter().any(|&line| line & !own == 0)
    }

    fn empty(&self) -> u16 {
        0b111_111_111 & !(self.cells[0] | self.cells[1])
    }
}

impl Position for TicTacToe {
    type Move = Cell;
    type Undo = ();
    const ALTERNATES: bool = true;
    const HISTORY_LEN: usize = 9;

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        mix((self.cells[0] as u64) << 16 | (self.cells[1] as u64) << 1 | self.side as u64)
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|&side| self.won(side));
        match winner {
            Some(side) => Some(Outcome::Win(side)),
            None => (self.empty() == 0).then_some(Outcome::Draw),
        }
    }

    fn generate(&self, _: u8, out: &mut impl Extend<Cell>) {
        if self.outcome().is_none() {
            out.extend((0..9).filter(|n| self.empty() >> n & 1 == 1).map(Cell));
        }
    }

    fn is_legal(&self, mv: Cell) -> bool {
        mv.0 < 9 && self.outcome().is_none() && self.empty() >> mv.0 & 1 == 1
    }

    fn play(&mut self, mv: Cell) {
        self.cells[self.side.index()] |= 1 << mv.0;
        self.side = self.side.opponent();
    }

    fn undo(&mut self, mv: Cell, (): ()) {
        self.side = self.side.opponent();
        self.cells[self.side.index()] &= !(1 << mv.0);
    }

    fn history_index(&self, mv: Cell) -> usize {
        mv.0 as usize
    }
}

/// Evaluation: 10 points for each line that is still open.
#[derive(Default)]
pub struct OpenLines;

impl Evaluator<TicTacToe> for OpenLines {
    fn evaluate(&mut self, position: &TicTacToe) -> Score {
        let open = |side: Side| {
            let enemy = position.cells[side.opponent().index()];
            LINES.iter().filter(|&&line| enemy & line == 0).count() as i32
        };
        let side = position.side();
        Score::points(10 * (open(side) - open(side.opponent())))
    }
}

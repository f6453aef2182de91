//! Connect Four: what other libraries of game search are measured on, and so what this one is
//! compared with them on. The board is two words of seven bits a column, the top bit always empty.

use engine_core::zobrist::mix;
use engine_core::{Evaluator, Move, Outcome, Playout, Position, Rng, Score, Side};

/// Columns of the board.
pub const COLUMNS: u32 = 7;
/// Rows of the board.
pub const ROWS: u32 = 6;
/// Bits of a column.
const COLUMN_BITS: u32 = ROWS + 1;
/// The lowest square of every column.
const BOTTOM: u64 = {
    let (mut bottom, mut column) = (0, 0);
    while column < COLUMNS {
        bottom |= 1 << (column * COLUMN_BITS);
        column += 1;
    }
    bottom
};
/// All squares.
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The columns at most 0, 1 and 2 columns from the middle one.
const MIDDLE: [u64; 3] = {
    let column = ((1 << ROWS) - 1) << (3 * COLUMN_BITS);
    let three = column | column << COLUMN_BITS | column >> COLUMN_BITS;
    let five = three | three << COLUMN_BITS | three >> COLUMN_BITS;
    [column, three, five]
};

/// A drop into a column, 0–6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drop(pub u8);

impl Move for Drop {
    #[inline]
    fn to_bits(self) -> u32 {
        self.0 as u32 + 1
    }

    #[inline]
    fn from_bits(bits: u32) -> Drop {
        Drop((bits as u8).wrapping_sub(1))
    }
}

/// A position of Connect Four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ConnectFour {
    /// Stones of the side to move.
    own: u64,
    /// All stones.
    all: u64,
    /// Whether the other side has four in a row.
    lost: bool,
}

/// What [`Position::undo`] takes away: the square of the last stone.
#[derive(Clone, Copy, Debug)]
pub struct Undo(u64);

impl ConnectFour {
    /// The squares that stones can be dropped on.
    #[inline]
    fn landings(&self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    /// Whether the side that moved last has four in a row.
    #[inline]
    pub fn is_won(&self) -> bool {
        self.lost
    }

    /// Whether the board is full.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.all == BOARD
    }

    /// Drops a stone on a landing square.
    #[inline]
    fn drop_on(&mut self, square: u64) {
        let mover = self.own | square;
        self.own ^= self.all;
        self.all |= square;
        self.lost = has_four(mover);
    }

    /// Drops a stone into a column that has room.
    #[inline]
    pub fn drop(&mut self, column: u8) {
        let column = 0x7f << (column as u32 * COLUMN_BITS);
        self.drop_on(self.landings() & column);
    }
}

/// Four stones in a row, in any direction: each step halves the length that is left to see.
#[inline]
fn has_four(stones: u64) -> bool {
    [1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1]
        .into_iter()
        .any(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
}

impl Position for ConnectFour {
    type Move = Drop;
    type Undo = Undo;

    const ALTERNATES: bool = true;
    const HISTORY_LEN: usize = (COLUMNS * ROWS) as usize;

    #[inline]
    fn side(&self) -> Side {
        if self.all.count_ones().is_multiple_of(2) {
            Side::First
        } else {
            Side::Second
        }
    }

    /// The stones of the side to move above a bit that marks the height of each column tell all
    /// positions apart.
    #[inline]
    fn key(&self) -> u64 {
        mix(self.own + self.all + BOTTOM)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.is_won() {
            Some(Outcome::Win(self.side().opponent()))
        } else {
            self.is_full().then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn generate(&self, _stage: u8, out: &mut impl Extend<Drop>) {
        if self.is_won() {
            return;
        }
        let mut landings = self.landings();
        out.extend(std::iter::from_fn(|| {
            (landings != 0).then(|| {
                let column = landings.trailing_zeros() / COLUMN_BITS;
                landings &= landings - 1;
                Drop(column as u8)
            })
        }));
    }

    fn is_legal(&self, mv: Drop) -> bool {
        (mv.0 as u32) < COLUMNS
            && !self.is_won()
            && self.landings() >> (mv.0 as u32 * COLUMN_BITS) & 0x7f != 0
    }

    #[inline]
    fn play(&mut self, mv: Drop) -> Undo {
        let before = self.all;
        self.drop(mv.0);
        Undo(before ^ self.all)
    }

    #[inline]
    fn undo(&mut self, _: Drop, Undo(square): Undo) {
        self.all ^= square;
        self.own ^= self.all;
        self.lost = false;
    }

    /// The square that the stone comes to.
    #[inline]
    fn history_index(&self, mv: Drop) -> usize {
        let column = self.all >> (mv.0 as u32 * COLUMN_BITS) & 0x7f;
        (mv.0 as u32 * ROWS + column.count_ones()) as usize
    }

    #[inline]
    fn terminal(&self, ply: u32) -> Option<Score> {
        if self.is_won() {
            Some(Score::loss_in(ply))
        } else {
            self.is_full().then_some(Score::DRAW)
        }
    }
}

/// Every position that is not over is worth nothing: the searches are compared, not their knowledge.
#[derive(Clone, Copy, Default)]
pub struct Nothing;

/// Stones near the middle are worth more: what little knowledge makes values differ.
#[derive(Clone, Copy, Default)]
pub struct Centre;

impl Centre {
    /// Points of the side to move.
    #[inline]
    pub fn points(position: &ConnectFour) -> i32 {
        let worth = |stones: u64| {
            let points = |columns: u64| (stones & columns).count_ones() as i32;
            MIDDLE.into_iter().map(points).sum::<i32>()
        };
        worth(position.own) - worth(position.own ^ position.all)
    }
}

impl Evaluator<ConnectFour> for Centre {
    #[inline]
    fn evaluate(&mut self, position: &ConnectFour) -> Score {
        Score::points(Centre::points(position))
    }
}

impl Evaluator<ConnectFour> for Nothing {
    #[inline]
    fn evaluate(&mut self, _: &ConnectFour) -> Score {
        Score::DRAW
    }
}

/// Uniformly random drops.
#[derive(Clone, Copy, Default)]
pub struct Uniform;

impl Uniform {
    /// One of the landing squares: any column, until one has room.
    #[inline]
    fn square(position: &ConnectFour, rng: &mut Rng) -> u64 {
        let landings = position.landings();
        loop {
            let column = 0x7f << (rng.below(COLUMNS) * COLUMN_BITS);
            if landings & column != 0 {
                return landings & column;
            }
        }
    }
}

impl Playout<ConnectFour> for Uniform {
    #[inline]
    fn choose(&mut self, position: &ConnectFour, rng: &mut Rng) -> Drop {
        Drop((Self::square(position, rng).trailing_zeros() / COLUMN_BITS) as u8)
    }

    #[inline]
    fn run(&mut self, position: &mut ConnectFour, rng: &mut Rng) -> f32 {
        let mut side = position.side();
        while !position.is_won() {
            if position.is_full() {
                return Outcome::Draw.points_of_first();
            }
            let square = Self::square(position, rng);
            position.drop_on(square);
            side = side.opponent();
        }
        Outcome::Win(side.opponent()).points_of_first()
    }
}

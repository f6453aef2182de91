//! A position without its stones, and the keys of everything.

use engine_core::Outcome;
use engine_core::zobrist::keys;

use crate::board::Colour;
use crate::forbidden::Forbidden;
use crate::geometry::{CELLS, Cell, EARLIER_CELLS};
use crate::opening::{MOST_OFFERS, Offers, Stage};
use crate::variant::Opening;

/// What the last action leaves behind, besides a stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Last {
    /// Nothing.
    Stone,
    /// The right to end the game by passing, too.
    Pass,
    /// Both have passed.
    Passes,
    /// Black's stone was forbidden: it has lost, or white may claim it.
    Forbidden(Forbidden),
    /// White has claimed a forbidden move.
    Claim(Forbidden),
}

impl Last {
    pub(crate) const COUNT: usize = 9;

    const fn index(self) -> usize {
        match self {
            Last::Stone => 0,
            Last::Pass => 1,
            Last::Passes => 2,
            Last::Forbidden(kind) => 3 + kind as usize,
            Last::Claim(kind) => 6 + kind as usize,
        }
    }
}

/// Keys of the cells: with a black stone, with a white stone, offered.
static CELL_KEYS: [[u64; CELLS]; 3] = [cell_keys(0), cell_keys(1), cell_keys(2)];
/// One key for white to move, one for exchanged colours.
static FLAG_KEYS: [u64; 2] = keys(0x474d_4b02);
/// Keys of the stages.
static STAGE_KEYS: [u64; 6] = keys(0x474d_4b03);
/// Keys of the numbers of fifth stones.
static COUNT_KEYS: [u64; MOST_OFFERS + 1] = keys(0x474d_4b04);
/// Keys of what the last action left behind.
static LAST_KEYS: [u64; Last::COUNT] = keys(0x474d_4b05);

/// The part of [`CELL_KEYS`] at `kind`. One sequence of keys has the earlier cells of all kinds, and
/// then the later ones.
const fn cell_keys(kind: usize) -> [u64; CELLS] {
    const LATER: usize = CELLS - EARLIER_CELLS;
    let sequence: [u64; 3 * CELLS] = keys(0x474d_4b01);
    let mut keys = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        keys[cell] = match cell.checked_sub(EARLIER_CELLS) {
            None => sequence[kind * EARLIER_CELLS + cell],
            Some(later) => sequence[3 * EARLIER_CELLS + kind * LATER + later],
        };
        cell += 1;
    }
    keys
}

/// A position without its stones: what [`Position::undo`] restores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) key: u64,
    pub(crate) offers: Offers,
    /// Number of fifth stones to offer; 0 before it is known and after the offer.
    pub(crate) count: u8,
    pub(crate) stage: Stage,
    /// The colour of the next stone.
    pub(crate) to_move: Colour,
    /// Whether Second plays black.
    pub(crate) exchanged: bool,
    pub(crate) last: Last,
    pub(crate) outcome: Option<Outcome>,
}

impl State {
    /// The state of an empty board. The key is that of a position without stones.
    pub(crate) fn new(opening: Opening) -> State {
        let mut state = State {
            key: 0,
            offers: Offers::NONE,
            count: 0,
            stage: match opening {
                Opening::Prescribed => Stage::Setup,
                Opening::Free => Stage::Play,
            },
            to_move: Colour::Black,
            exchanged: false,
            last: Last::Stone,
            outcome: None,
        };
        state.key = state.own_key();
        state
    }

    /// The key of all but the stones.
    pub(crate) fn own_key(&self) -> u64 {
        let offers = self.offers.cells().iter().copied().map(offer_key);
        let flags = [self.to_move == Colour::White, self.exchanged];
        let flags = FLAG_KEYS.into_iter().zip(flags);
        let flags = flags.filter(|(_, set)| *set).map(|(key, _)| key);
        let others = [
            STAGE_KEYS[self.stage as usize],
            COUNT_KEYS[self.count as usize],
            LAST_KEYS[self.last.index()],
        ];
        let keys = offers.chain(flags).chain(others);
        keys.fold(0, |key, part| key ^ part)
    }

    /// Exchanges the colours of the players.
    pub(crate) fn exchange(&mut self) {
        self.exchanged = !self.exchanged;
        self.key ^= FLAG_KEYS[1];
    }

    #[inline]
    pub(crate) fn set_last(&mut self, last: Last) {
        self.key ^= LAST_KEYS[self.last.index()] ^ LAST_KEYS[last.index()];
        self.last = last;
    }

    pub(crate) fn set_stage(&mut self, stage: Stage) {
        self.key ^= STAGE_KEYS[self.stage as usize] ^ STAGE_KEYS[stage as usize];
        self.stage = stage;
    }

    pub(crate) fn set_count(&mut self, count: u8) {
        self.key ^= COUNT_KEYS[self.count as usize] ^ COUNT_KEYS[count as usize];
        self.count = count;
    }

    #[inline]
    pub(crate) fn pass_on(&mut self) {
        self.to_move = self.to_move.other();
        self.key ^= FLAG_KEYS[0];
    }
}

#[inline]
pub(crate) fn stone_key(colour: Colour, cell: Cell) -> u64 {
    CELL_KEYS[colour as usize][cell.index()]
}

pub(crate) fn offer_key(cell: Cell) -> u64 {
    CELL_KEYS[2][cell.index()]
}

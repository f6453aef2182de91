//! The position and the rules.

use engine_core::{Checked, Outcome, Position, Side};

use crate::geometry::{
    Cell, Cells, LINES, Lines, MASKS, MIN_SIZE, exact_fives, fives, lines_through,
};
use crate::moves::Action;
use crate::opening::{MOST_OFFERS, Offers, Stage};
use crate::state::{Last, State, stone_key};
use crate::variant::{ForbiddenRule, Opening, Variant};

/// A colour of stones. First plays black, unless Second has swapped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Colour {
    /// Plays the first stone. Some moves are forbidden to it.
    Black = 0,
    /// The other colour.
    White = 1,
}

impl Colour {
    /// Both colours.
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// The other colour.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }
}

/// A position of Gomoku.
///
/// Stones are stored by colour: a swap changes who plays a colour. Every stone is stored in four
/// words, those of its row, column and diagonals; they show a five through a new stone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gomoku {
    lines: [Lines; 2],
    stones: u16,
    variant: Variant,
    pub(crate) state: State,
}

/// Data for undoing an action.
#[derive(Clone, Copy, Debug)]
pub struct Undo(State);

/// A position as its text describes it.
pub(crate) struct Description {
    pub(crate) stones: Vec<(Colour, Cell)>,
    pub(crate) to_move: Colour,
    /// Number of fifth stones to offer, or 0.
    pub(crate) count: u8,
    pub(crate) offers: Vec<Cell>,
    pub(crate) exchanged: bool,
    pub(crate) last: Last,
}

impl Gomoku {
    /// The empty board of a checked variant.
    pub(crate) fn empty_board(variant: Variant) -> Gomoku {
        Gomoku {
            lines: [[0; LINES]; 2],
            stones: 0,
            variant,
            state: State::new(variant.opening),
        }
    }

    /// A position with these stones, on different cells of the board. The numbers of stones may be
    /// unreachable in a game. The description must be consistent with the stage that follows from
    /// its number of stones. `None` if both colours have five in a row.
    pub(crate) fn set_up(variant: Variant, described: Description) -> Option<Gomoku> {
        let mut position = Gomoku::empty_board(variant);
        for (colour, cell) in described.stones {
            position.put(colour, cell);
        }
        let offers: Offers = described.offers.into_iter().collect();
        position.state.stage = match (position.stones, described.count) {
            _ if variant.opening == Opening::Free => Stage::Play,
            (..3, _) => Stage::Setup,
            (3, 0) => Stage::Count,
            (3, _) => Stage::Fourth,
            (4, count) if offers.count() < count => Stage::Offer,
            (4, _) => Stage::Keep,
            (5.., _) => Stage::Play,
        };
        position.state.offers = offers;
        position.state.count = described.count;
        position.state.to_move = described.to_move;
        position.state.exchanged = described.exchanged;
        position.state.last = described.last;
        position.state.outcome = match Colour::BOTH.map(|colour| position.has_winning_row(colour)) {
            [true, true] => return None,
            [true, false] => Some(Outcome::Win(position.side_of(Colour::Black))),
            [false, true] => Some(Outcome::Win(position.side_of(Colour::White))),
            [false, false] => position.outcome_without_five(),
        };
        position.state.key = position.key_from_scratch();
        Some(position)
    }

    /// The same stones with another colour to move, in the ordinary game.
    pub(crate) fn with_to_move(&self, colour: Colour) -> Option<Gomoku> {
        let mut position = self.clone();
        if self.state.to_move != colour {
            if self.state.stage != Stage::Play || self.state.last != Last::Stone {
                return None;
            }
            position.state.pass_on();
        }
        Some(position)
    }

    /// Columns and rows of the board, 5 to 20.
    #[inline]
    pub fn size(&self) -> u8 {
        self.variant.size
    }

    /// The rule settings.
    #[inline]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Stones on the board.
    #[inline]
    pub fn stones(&self) -> u16 {
        self.stones
    }

    /// The next event.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.state.stage
    }

    /// The colour of the next stone. In [`Stage::Setup`], First places the stones of both colours.
    #[inline]
    pub fn to_move(&self) -> Colour {
        self.state.to_move
    }

    /// The side that plays a colour.
    #[inline]
    pub fn side_of(&self, colour: Colour) -> Side {
        Side::BOTH[colour as usize ^ self.state.exchanged as usize]
    }

    /// Whether Second has taken the black stones.
    #[inline]
    pub fn is_exchanged(&self) -> bool {
        self.state.exchanged
    }

    /// Number of fifth stones that black has said it will offer; 0 before that and when the offer is
    /// over.
    #[inline]
    pub fn offer_count(&self) -> u8 {
        self.state.count
    }

    /// The fifth stones offered so far, in ascending order.
    #[inline]
    pub fn offers(&self) -> &[Cell] {
        self.state.offers.cells()
    }

    /// What the last action left behind.
    #[inline]
    pub fn last(&self) -> Last {
        self.state.last
    }

    /// The colour of the stone on a cell. `None` also off the board.
    #[inline]
    pub fn at(&self, cell: Cell) -> Option<Colour> {
        let holds = |colour: &Colour| {
            let row = self.lines(*colour)[..self.size() as usize].get(cell.row() as usize);
            row.is_some_and(|row| row >> cell.column() & 1 == 1)
        };
        Colour::BOTH.into_iter().find(holds)
    }

    /// Whether a cell is on the board and empty.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        cell.is_on(self.size()) && self.occupied(cell.row() as usize) >> cell.column() & 1 == 0
    }

    /// The stones of a colour.
    pub fn cells_of(&self, colour: Colour) -> Cells {
        Cells::new(std::array::from_fn(|row| self.lines(colour)[row]))
    }

    /// The words of all lines of a colour, rows first.
    #[inline]
    pub(crate) fn lines(&self, colour: Colour) -> &Lines {
        &self.lines[colour as usize]
    }

    /// The cells of every line that are on the board.
    #[inline]
    pub(crate) fn masks(&self) -> &'static Lines {
        &MASKS[self.size() as usize - MIN_SIZE]
    }

    /// The stones of both colours in a row.
    #[inline]
    pub(crate) fn occupied(&self, row: usize) -> u32 {
        self.lines[0][row] | self.lines[1][row]
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.stones == self.size() as u16 * self.size() as u16
    }

    /// Whether white may claim a forbidden move.
    #[inline]
    pub fn may_claim(&self) -> bool {
        matches!(self.state.last, Last::Forbidden(_)) && self.state.outcome.is_none()
    }

    /// Whether a swap is legal.
    #[inline]
    pub fn may_swap(&self) -> bool {
        self.state.stage == Stage::Fourth && !self.state.exchanged
    }

    /// Whether a pass is legal: from the sixth stone on if the opening is prescribed, and always for
    /// white instead of a claim on a full board.
    #[inline]
    pub fn may_pass(&self) -> bool {
        self.state.outcome.is_none()
            && self.state.stage == Stage::Play
            && (self.variant.opening == Opening::Prescribed || self.is_full())
    }

    /// Whether only a row of exactly five wins for a colour.
    #[inline]
    fn needs_exactly_five(&self, colour: Colour) -> bool {
        match self.variant.forbidden {
            ForbiddenRule::Off => self.variant.exactly_five,
            ForbiddenRule::AtOnce | ForbiddenRule::Claimed => colour == Colour::Black,
        }
    }

    /// Puts a stone on the board and returns whether it makes a winning row. The key is not updated.
    #[inline(always)]
    pub(crate) fn put(&mut self, colour: Colour, cell: Cell) -> bool {
        self.stones += 1;
        let words = &mut self.lines[colour as usize];
        let mut found = 0;
        for (line, bit) in lines_through(cell) {
            let word = words[line] | 1 << bit;
            words[line] = word;
            found |= fives(word);
        }
        found != 0 && (!self.needs_exactly_five(colour) || self.has_winning_row(colour))
    }

    /// Whether a colour has won by a row anywhere on the board.
    #[cold]
    fn has_winning_row(&self, colour: Colour) -> bool {
        let wins = if self.needs_exactly_five(colour) {
            exact_fives
        } else {
            fives
        };
        self.lines(colour).iter().any(|&line| wins(line) != 0)
    }

    #[inline(always)]
    fn remove(&mut self, colour: Colour, cell: Cell) {
        self.stones -= 1;
        for (line, bit) in lines_through(cell) {
            self.lines[colour as usize][line] &= !(1 << bit);
        }
    }

    /// The outcome of a position in which no stone has just made a winning row.
    #[inline]
    fn outcome_without_five(&self) -> Option<Outcome> {
        let white = Outcome::Win(self.side_of(Colour::White));
        match self.state.last {
            Last::Claim(_) => Some(white),
            Last::Forbidden(_) if self.variant.forbidden == ForbiddenRule::AtOnce => Some(white),
            Last::Forbidden(_) => None,
            Last::Passes => Some(Outcome::Draw),
            Last::Stone | Last::Pass => self.is_full().then_some(Outcome::Draw),
        }
    }

    /// Places a stone in the ordinary game.
    #[inline(always)]
    fn place(&mut self, cell: Cell) {
        let colour = self.state.to_move;
        let mut last = Last::Stone;
        if colour == Colour::Black
            && self.variant.forbidden != ForbiddenRule::Off
            && let Some(kind) = self.forbidden(cell)
        {
            last = Last::Forbidden(kind);
        }
        if last != self.state.last {
            self.state.set_last(last);
        }
        self.state.key ^= stone_key(colour, cell);
        let five = self.put(colour, cell);
        self.state.outcome = if five {
            Some(Outcome::Win(self.side_of(colour)))
        } else {
            self.outcome_without_five()
        };
        self.state.pass_on();
    }

    fn play_word(&mut self, action: Action) {
        match action {
            Action::Count(count) => {
                self.state.set_count(count);
                self.state.pass_on();
                self.state.set_stage(Stage::Fourth);
            }
            // White is still to move, but First now plays white.
            Action::Swap => self.state.exchange(),
            Action::Pass => {
                let last = match self.state.last {
                    Last::Pass => Last::Passes,
                    _ => Last::Pass,
                };
                self.state.set_last(last);
                self.state.pass_on();
                self.state.outcome = self.outcome_without_five();
            }
            Action::Claim => {
                if let Last::Forbidden(kind) = self.state.last {
                    self.state.set_last(Last::Claim(kind));
                }
                self.state.pass_on();
                self.state.outcome = self.outcome_without_five();
            }
            Action::Cell(_) => {}
        }
    }
}

impl Position for Gomoku {
    type Move = Action;
    type Undo = Undo;
    const ALTERNATES: bool = false;
    const STAGES: u8 = 3;
    const HISTORY_LEN: usize = Action::COUNT;

    #[inline]
    fn side(&self) -> Side {
        match self.state.stage {
            Stage::Setup | Stage::Count => Side::First,
            _ => self.side_of(self.state.to_move),
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.state.key
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    /// Stage 0 has the forcing moves, 1 cells near stones, 2 all others and the pass. The actions of
    /// the ceremony are all in stage 0.
    fn generate(&self, stage: u8, out: &mut impl Extend<Action>) {
        if self.state.outcome.is_some() {
            return;
        }
        if self.state.stage != Stage::Play {
            if stage == 0 {
                self.generate_ceremony(out);
            }
            return;
        }
        if stage == 0 && self.may_claim() {
            out.extend([Action::Claim]);
        }
        out.extend(self.stage_cells(stage).cells().map(Action::Cell));
        if stage == Self::STAGES - 1 && self.may_pass() {
            out.extend([Action::Pass]);
        }
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        if self.state.outcome.is_some() {
            return false;
        }
        match action {
            Action::Cell(cell) if self.state.stage == Stage::Play => self.is_empty(cell),
            Action::Cell(cell) => self.ceremony_cells().contains(cell),
            Action::Count(count) => {
                self.state.stage == Stage::Count && (1..=MOST_OFFERS as u8).contains(&count)
            }
            Action::Swap => self.may_swap(),
            Action::Pass => self.may_pass(),
            Action::Claim => self.may_claim(),
        }
    }

    #[inline]
    fn play(&mut self, action: Action) -> Undo {
        debug_assert!(self.is_legal(action), "{action:?}");
        let undo = Undo(self.state);
        match action {
            Action::Cell(cell) if self.state.stage == Stage::Play => self.place(cell),
            Action::Cell(cell) => self.play_ceremony(cell),
            _ => self.play_word(action),
        }
        undo
    }

    #[inline]
    fn undo(&mut self, action: Action, undo: Undo) {
        let before = undo.0;
        if let Action::Cell(cell) = action {
            match before.stage {
                Stage::Offer => {}
                Stage::Keep => self.remove(Colour::Black, cell),
                _ => self.remove(before.to_move, cell),
            }
        }
        self.state = before;
    }

    #[inline]
    fn history_index(&self, action: Action) -> usize {
        action.index()
    }

    /// An offer counts as a turn of its own for each stone: a search could not look to the end of a
    /// turn of twelve.
    #[inline]
    fn mid_turn(&self) -> bool {
        match self.state.stage {
            Stage::Setup => self.stones > 0,
            Stage::Count => true,
            // White has kept a stone, and plays the sixth.
            Stage::Play => {
                self.stones == 5
                    && self.variant.opening == Opening::Prescribed
                    && self.state.to_move == Colour::White
                    && self.state.last == Last::Stone
            }
            Stage::Fourth | Stage::Offer | Stage::Keep => false,
        }
    }

    /// An extra stone never hurts a colour that wins by five or more and has no forbidden moves.
    fn pass(&mut self) -> bool {
        let possible = self.state.stage == Stage::Play
            && self.state.outcome.is_none()
            && self.state.last == Last::Stone
            && !self.needs_exactly_five(self.state.to_move)
            && !self.mid_turn();
        if possible {
            self.state.pass_on();
        }
        possible
    }

    fn undo_pass(&mut self) {
        self.state.pass_on();
    }
}

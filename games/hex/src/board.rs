//! The rules: [`Hex`], one game in progress.

use engine_core::zobrist::keys;
use engine_core::{Checked, Outcome, Position, Side, Symmetric};

use crate::geometry::{Cell, CellSet, MAX_SIZE};
use crate::moves::Action;
use crate::variant::{Opening, Swap, Variant};

/// A colour and its two edges. `First` plays red unless a swap of sides exchanged the colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Colour {
    /// Moves first; connects the top and bottom edges.
    Red = 0,
    /// Connects the left and right edges.
    Blue = 1,
}

impl Colour {
    /// The other colour.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Blue,
            Colour::Blue => Colour::Red,
        }
    }
}

/// One key per stone, red first.
static STONE_KEYS: [u64; 2 * MAX_SIZE * MAX_SIZE] = keys(0x4845_5801);
/// One key for blue to move, one for exchanged colours.
static FLAG_KEYS: [u64; 2] = keys(0x4845_5802);

/// A game of Hex in progress.
///
/// Stones are stored by colour: a swap of sides changes who plays a colour, but not its stones or
/// its edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hex {
    variant: Variant,
    /// By colour.
    stones: [CellSet; 2],
    /// The stones of each colour that are connected to its first edge (red: top, blue: left), and
    /// that edge's border cells. The colour wins when this set reaches the opposite edge.
    linked: [CellSet; 2],
    empty: u16,
    to_move: Colour,
    /// Whether a swap of sides has given red to `Second`.
    exchanged: bool,
    winner: Option<Colour>,
    key: u64,
}

/// Data for undoing an action.
#[derive(Debug)]
pub struct Undo {
    /// The mover's `linked` set before the action.
    linked: CellSet,
}

impl Hex {
    /// The empty board of a checked variant.
    pub(crate) fn empty_board(variant: Variant) -> Hex {
        let size = variant.size;
        Hex {
            variant,
            stones: [CellSet::EMPTY; 2],
            linked: [CellSet::above(size), CellSet::left(size)],
            empty: size as u16 * size as u16,
            to_move: Colour::Red,
            exchanged: false,
            winner: None,
            key: 0,
        }
    }

    /// A position with these stones. The variant must be checked, and the cells must be on its
    /// board.
    pub(crate) fn set_up(
        variant: Variant,
        stones: impl IntoIterator<Item = (Colour, Cell)>,
        to_move: Colour,
        exchanged: bool,
    ) -> Hex {
        let mut position = Hex::empty_board(variant);
        for (colour, cell) in stones {
            position.place(colour, cell);
        }
        if position.to_move != to_move {
            position.pass_on();
        }
        if exchanged {
            position.exchange();
        }
        position
    }

    /// Columns and rows of the board.
    #[inline]
    pub fn size(&self) -> u8 {
        self.variant.size
    }

    /// The rule settings.
    #[inline]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The stones of a colour.
    #[inline]
    pub fn stones(&self, colour: Colour) -> &CellSet {
        &self.stones[colour as usize]
    }

    /// The empty cells.
    #[inline]
    pub fn empty_cells(&self) -> CellSet {
        CellSet::board(self.size()).without(&self.stones[0].union(&self.stones[1]))
    }

    /// Number of empty cells.
    #[inline]
    pub fn empty_count(&self) -> u32 {
        self.empty as u32
    }

    /// Number of stones on the board.
    #[inline]
    pub fn stone_count(&self) -> u32 {
        self.size() as u32 * self.size() as u32 - self.empty_count()
    }

    /// The colour on a cell of the board.
    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        [Colour::Red, Colour::Blue]
            .into_iter()
            .find(|&colour| self.stones(colour).contains(cell))
    }

    /// The colour that moves next.
    #[inline]
    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    /// Whether a swap of sides has given red to `Second` and blue to `First`.
    #[inline]
    pub fn is_exchanged(&self) -> bool {
        self.exchanged
    }

    /// The colour that has connected its edges.
    #[inline]
    pub fn winner(&self) -> Option<Colour> {
        self.winner
    }

    /// The side that plays a colour.
    #[inline]
    pub fn side_of(&self, colour: Colour) -> Side {
        Side::BOTH[colour as usize ^ self.exchanged as usize]
    }

    /// Whether a swap is legal: the only stone is the first one, and red.
    #[inline]
    pub fn may_swap(&self) -> bool {
        self.variant.opening == Opening::Swap
            && self.stone_count() == 1
            && self.to_move == Colour::Blue
            && !self.exchanged
            && self.stones(Colour::Red).count() == 1
    }

    /// The forced cell of the first stone, if the opening has one and it is due.
    #[inline]
    pub(crate) fn forced_cell(&self) -> Option<Cell> {
        match self.variant.opening {
            Opening::Forced(cell) if self.stone_count() == 0 => Some(cell),
            _ => None,
        }
    }

    /// Whether a legal action other than "a stone on any empty cell" can still come.
    #[inline]
    pub(crate) fn in_opening(&self) -> bool {
        match self.variant.opening {
            Opening::Free => false,
            Opening::Swap => self.stone_count() == 0 || self.may_swap(),
            Opening::Forced(_) => self.stone_count() == 0,
        }
    }

    /// The key, computed from scratch.
    pub(crate) fn full_key(&self) -> u64 {
        let stones = [Colour::Red, Colour::Blue].into_iter().flat_map(|colour| {
            let cells = self.stones(colour).cells();
            cells.map(move |cell| stone_key(colour, cell))
        });
        let flags = [self.to_move == Colour::Blue, self.exchanged];
        let flags = FLAG_KEYS
            .into_iter()
            .zip(flags)
            .map(|(key, set)| if set { key } else { 0 });
        stones.chain(flags).fold(0, |key, part| key ^ part)
    }

    /// The position rotated by 180°.
    pub(crate) fn rotated(&self) -> Hex {
        let size = self.size();
        let mut variant = self.variant;
        if let Opening::Forced(cell) = variant.opening {
            variant.opening = Opening::Forced(cell.rotated(size));
        }
        let stones = [Colour::Red, Colour::Blue].into_iter().flat_map(|colour| {
            let cells = self.stones(colour).cells();
            cells.map(move |cell| (colour, cell.rotated(size)))
        });
        Hex::set_up(variant, stones, self.to_move, self.exchanged)
    }

    /// The same stones with `colour` to move.
    pub(crate) fn with_to_move(&self, colour: Colour) -> Hex {
        let mut position = self.clone();
        if position.to_move != colour {
            position.pass_on();
        }
        position
    }

    /// The same stones with the colours of the players exchanged, in the variant with that swap.
    pub(crate) fn with_sides_exchanged(&self) -> Hex {
        let mut position = self.clone();
        position.variant.swap = Swap::Sides;
        position.exchange();
        position
    }

    /// The position with more stones on empty cells.
    pub(crate) fn with_stones(&self, stones: &[(Colour, Cell)]) -> Hex {
        let mut position = self.clone();
        for &(colour, cell) in stones {
            position.place(colour, cell);
        }
        position
    }

    /// Puts a stone on an empty cell, whichever side is to move.
    #[inline]
    fn place(&mut self, colour: Colour, cell: Cell) {
        let own = &mut self.stones[colour as usize];
        own.insert(cell);
        self.empty -= 1;
        self.key ^= stone_key(colour, cell);
        if self.linked[colour as usize].around(cell) != 0 {
            self.link(colour, cell);
        }
    }

    /// Adds a stone next to linked ones, and all stones that it connects to them.
    fn link(&mut self, colour: Colour, cell: Cell) {
        let size = self.size();
        let linked = &mut self.linked[colour as usize];
        let loose = self.stones[colour as usize].without(linked);
        let mut new = CellSet::EMPTY;
        new.insert(cell);
        if loose.around(cell) != 0 {
            new = loose.joined_to(&new, size);
        }
        *linked = linked.union(&new);
        let crossed = match colour {
            Colour::Red => new.touches_bottom(size),
            Colour::Blue => new.touches_right(size),
        };
        if crossed {
            self.winner = Some(colour);
        }
    }

    #[inline]
    fn pass_on(&mut self) {
        self.to_move = self.to_move.other();
        self.key ^= FLAG_KEYS[0];
    }

    fn exchange(&mut self) {
        self.exchanged = !self.exchanged;
        self.key ^= FLAG_KEYS[1];
    }

    /// Replaces the only stone by a mirrored one of the other colour.
    fn mirror_only_stone(&mut self) {
        let only = self.stones[0].union(&self.stones[1]).cells().next();
        let cell = only.expect("a swap answers the first stone");
        let colour = if self.stones(Colour::Red).contains(cell) {
            Colour::Red
        } else {
            Colour::Blue
        };
        let stone = (colour.other(), cell.mirrored());
        *self = Hex::set_up(self.variant, [stone], self.to_move.other(), self.exchanged);
    }
}

#[inline]
fn stone_key(colour: Colour, cell: Cell) -> u64 {
    STONE_KEYS[colour as usize * MAX_SIZE * MAX_SIZE + cell.index()]
}

impl Position for Hex {
    type Move = Action;
    type Undo = Undo;
    const ALTERNATES: bool = true;
    /// A full board connects the edges of exactly one colour.
    const DRAWS: bool = false;
    const HISTORY_LEN: usize = Action::COUNT;

    #[inline]
    fn side(&self) -> Side {
        self.side_of(self.to_move)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(|colour| Outcome::Win(self.side_of(colour)))
    }

    fn generate(&self, _stage: u8, out: &mut impl Extend<Action>) {
        if self.winner.is_some() {
            return;
        }
        if let Some(cell) = self.forced_cell() {
            out.extend([Action::Place(cell)]);
            return;
        }
        if self.may_swap() {
            out.extend([Action::Swap]);
        }
        out.extend(self.empty_cells().cells().map(Action::Place));
    }

    fn is_legal(&self, action: Action) -> bool {
        if self.winner.is_some() {
            return false;
        }
        match action {
            Action::Swap => self.may_swap(),
            Action::Place(cell) => {
                cell.is_on(self.size())
                    && self.forced_cell().is_none_or(|forced| forced == cell)
                    && self.colour_at(cell).is_none()
            }
        }
    }

    #[inline]
    fn play(&mut self, action: Action) -> Undo {
        let linked = self.linked[self.to_move as usize];
        match action {
            Action::Place(cell) => {
                self.place(self.to_move, cell);
                self.pass_on();
            }
            Action::Swap if self.variant.swap == Swap::Pieces => self.mirror_only_stone(),
            // Blue is still to move, but the other side now plays blue.
            Action::Swap => self.exchange(),
        }
        Undo { linked }
    }

    #[inline]
    fn undo(&mut self, action: Action, undo: Undo) {
        match action {
            Action::Place(cell) => {
                self.pass_on();
                let colour = self.to_move;
                self.stones[colour as usize].remove(cell);
                self.linked[colour as usize] = undo.linked;
                self.empty += 1;
                self.key ^= stone_key(colour, cell);
                self.winner = None;
            }
            Action::Swap if self.variant.swap == Swap::Pieces => self.mirror_only_stone(),
            Action::Swap => self.exchange(),
        }
    }

    #[inline]
    fn history_index(&self, action: Action) -> usize {
        action.index()
    }
}

impl Checked for Hex {
    fn key_from_scratch(&self) -> u64 {
        self.full_key()
    }
}

impl Symmetric for Hex {
    /// The identity and the rotation by 180°.
    fn symmetries(&self) -> u8 {
        2
    }

    fn transform(&self, symmetry: u8) -> Hex {
        if symmetry == 0 {
            self.clone()
        } else {
            self.rotated()
        }
    }

    fn transform_move(&self, symmetry: u8, action: Action) -> Action {
        match action {
            Action::Place(cell) if symmetry != 0 => Action::Place(cell.rotated(self.size())),
            _ => action,
        }
    }
}

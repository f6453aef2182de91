//! The ceremony of the contest's opening: the 26 prescribed openings (指定开局), the swap (三手交换)
//! and the offer of fifth stones (五手N打).
//!
//! 1. First places three stones in one turn: black on the centre, white beside it, black within two
//!    rows and columns of the centre. In the same turn it says how many fifth stones N black will
//!    offer.
//! 2. Second plays the fourth stone, or takes black; then First plays the fourth stone.
//! 3. Black offers N fifth stones in one turn. None may be the image of another under a symmetry of
//!    the board that leaves the four stones as they are.
//! 4. White keeps one of them and plays the sixth stone in the same turn.

use crate::board::{Colour, Gomoku};
use crate::geometry::{Cell, Cells};
use crate::moves::Action;
use crate::state::{offer_key, stone_key};

/// Columns and rows of the board with prescribed openings.
pub(crate) const SIZE: u8 = 15;
/// Column and row of the centre, from 0.
const CENTRE: u8 = SIZE / 2;
/// The most fifth stones that black may say it will offer. No source at hand sets a limit; this one
/// keeps a position small.
pub const MOST_OFFERS: usize = 12;

/// The next event of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Stage {
    /// First places the first three stones.
    Setup,
    /// First says how many fifth stones black will offer.
    Count,
    /// White's fourth stone; Second may swap instead.
    Fourth,
    /// Black offers fifth stones.
    Offer,
    /// White keeps one of the offered stones.
    Keep,
    /// A stone, a pass or a claim: the ordinary game.
    Play,
}

/// Offered fifth stones, in ascending order of their cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Offers {
    cells: [Cell; MOST_OFFERS],
    count: u8,
}

impl Offers {
    pub(crate) const NONE: Offers = Offers {
        cells: [Cell::new(0, 0); MOST_OFFERS],
        count: 0,
    };

    #[inline]
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells[..self.count as usize]
    }

    pub(crate) fn count(&self) -> u8 {
        self.count
    }

    /// Adds a cell. There must be room for it.
    pub(crate) fn insert(&mut self, cell: Cell) {
        let place = self.cells().partition_point(|&other| other < cell);
        self.cells
            .copy_within(place..self.count as usize, place + 1);
        self.cells[place] = cell;
        self.count += 1;
    }
}

impl FromIterator<Cell> for Offers {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Offers {
        let mut offers = Offers::NONE;
        cells.into_iter().for_each(|cell| offers.insert(cell));
        offers
    }
}

impl Gomoku {
    /// The cells that the prescribed openings allow for the next of the first three stones.
    pub(crate) fn setup_cells(&self) -> Cells {
        let centre = Cell::new(CENTRE, CENTRE);
        let around = |distance: u8| {
            let lines = CENTRE - distance..=CENTRE + distance;
            let cells = lines.clone().flat_map(|row| {
                let columns = lines.clone();
                columns.map(move |column| Cell::new(column, row))
            });
            cells.collect::<Cells>()
        };
        match self.stones() {
            0 => [centre].into_iter().collect(),
            1 => around(1).intersection(&self.empty_cells()),
            _ => around(2).intersection(&self.empty_cells()),
        }
    }

    /// The rule that [`Gomoku::setup_cells`] follows.
    pub(crate) fn setup_rule(&self) -> &'static str {
        match self.stones() {
            0 => "the first stone on the centre, h8",
            1 => "the second stone to touch the first",
            _ => "the third stone to lie in the 5×5 around the centre",
        }
    }

    /// The symmetries of the board that leave all stones as they are.
    fn kept_by(&self) -> impl Iterator<Item = u8> + '_ {
        (0..8).filter(|&symmetry| {
            Colour::BOTH.into_iter().all(|colour| {
                let stones = self.cells_of(colour);
                let images = stones.cells().map(|at| at.transformed(symmetry, SIZE));
                images.collect::<Cells>() == stones
            })
        })
    }

    /// The offered stones and their images under the symmetries of the position.
    pub(crate) fn offered_images(&self) -> Cells {
        let image = |symmetry| {
            let offers = self.offers().iter();
            offers.map(move |offer| offer.transformed(symmetry, SIZE))
        };
        self.kept_by().flat_map(image).collect()
    }

    /// The offered stone that is the image of a cell under a symmetry of the position.
    pub(crate) fn mirrored_offer(&self, cell: Cell) -> Option<Cell> {
        let images = self
            .kept_by()
            .map(|symmetry| cell.transformed(symmetry, SIZE));
        let mut offered = images.filter(|image| self.offers().contains(image));
        offered.next()
    }

    /// The cells that are legal as an action of the ceremony; empty in [`Stage::Count`] and
    /// [`Stage::Play`].
    pub(crate) fn ceremony_cells(&self) -> Cells {
        match self.state.stage {
            Stage::Setup => self.setup_cells(),
            Stage::Fourth => self.empty_cells(),
            Stage::Offer => self.empty_cells().without(&self.offered_images()),
            Stage::Keep => self.offers().iter().copied().collect(),
            Stage::Count | Stage::Play => Cells::default(),
        }
    }

    /// Plays a cell before the ordinary game begins.
    pub(crate) fn play_ceremony(&mut self, cell: Cell) {
        let stage = self.state.stage;
        if stage == Stage::Offer {
            self.state.offers.insert(cell);
            self.state.key ^= offer_key(cell);
            if self.state.offers.count() == self.state.count {
                self.state.pass_on();
                self.state.set_stage(Stage::Keep);
            }
            return;
        }
        if stage == Stage::Keep {
            let offers = std::mem::replace(&mut self.state.offers, Offers::NONE);
            let keys = offers.cells().iter().copied().map(offer_key);
            self.state.key ^= keys.fold(stone_key(Colour::Black, cell), |key, part| key ^ part);
            self.put(Colour::Black, cell);
            self.state.set_count(0);
            self.state.set_stage(Stage::Play);
            return;
        }
        self.state.key ^= stone_key(self.state.to_move, cell);
        self.put(self.state.to_move, cell);
        match self.stones() {
            // First says the number as black, the colour of the stone it has just placed.
            3 => self.state.set_stage(Stage::Count),
            4 => {
                self.state.pass_on();
                self.state.set_stage(Stage::Offer);
            }
            _ => self.state.pass_on(),
        }
    }

    /// Appends the legal actions of the ceremony.
    pub(crate) fn generate_ceremony(&self, out: &mut impl Extend<Action>) {
        out.extend(self.ceremony_cells().cells().map(Action::Cell));
        match self.state.stage {
            Stage::Count => out.extend((1..=MOST_OFFERS as u8).map(Action::Count)),
            Stage::Fourth if self.may_swap() => out.extend([Action::Swap]),
            _ => {}
        }
    }

    /// The prescribed opening of a game: the one whose three stones are those of this position,
    /// under any symmetry of the board.
    pub fn named_opening(&self) -> Option<&'static NamedOpening> {
        let is_here = |opening: &&NamedOpening, symmetry: u8| {
            let [white, black] = opening.cells().map(|cell| cell.transformed(symmetry, SIZE));
            let centre = Cell::new(CENTRE, CENTRE);
            self.cells_of(Colour::Black) == [centre, black].into_iter().collect()
                && self.cells_of(Colour::White) == [white].into_iter().collect()
        };
        OPENINGS
            .iter()
            .find(|opening| (0..8).any(|symmetry| is_here(opening, symmetry)))
    }
}

/// A prescribed opening, up to the symmetries of the board.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// Whether the white stone is beside the first one; otherwise it is diagonal to it.
    pub direct: bool,
    /// The usual number, 1 to 13, among the direct or the indirect ones.
    pub number: u8,
    /// The Chinese name.
    pub chinese: &'static str,
    /// The Japanese name.
    pub japanese: &'static str,
    /// Columns to the right of the centre and rows above it of the second black stone. The white
    /// stone is above the centre, or above it to the right.
    black: (i8, i8),
}

impl NamedOpening {
    /// The white stone, and the second black stone.
    fn cells(&self) -> [Cell; 2] {
        let at = |(right, up): (i8, i8)| {
            Cell::new(
                CENTRE.saturating_add_signed(right),
                CENTRE.saturating_add_signed(up),
            )
        };
        [at((i8::from(!self.direct), 1)), at(self.black)]
    }

    /// The usual short name: `D4` for the fourth direct one, `I1` for the first indirect one.
    pub fn short(&self) -> String {
        let letter = if self.direct { 'D' } else { 'I' };
        format!("{letter}{}", self.number)
    }
}

const fn named(
    kind: char,
    number: u8,
    black: (i8, i8),
    chinese: &'static str,
    japanese: &'static str,
) -> NamedOpening {
    NamedOpening {
        direct: kind == 'D',
        number,
        chinese,
        japanese,
        black,
    }
}

/// The 26 prescribed openings. Every choice of the first three stones is one of them.
pub static OPENINGS: [NamedOpening; 26] = [
    named('D', 1, (0, 2), "寒星", "Kansei"),
    named('D', 2, (1, 2), "溪月", "Keigetsu"),
    named('D', 3, (2, 2), "疏星", "Sosei"),
    named('D', 4, (1, 1), "花月", "Kagetsu"),
    named('D', 5, (2, 1), "残月", "Zangetsu"),
    named('D', 6, (1, 0), "雨月", "Ugetsu"),
    named('D', 7, (2, 0), "金星", "Kinsei"),
    named('D', 8, (0, -1), "松月", "Shogetsu"),
    named('D', 9, (1, -1), "丘月", "Kyugetsu"),
    named('D', 10, (2, -1), "新月", "Shingetsu"),
    named('D', 11, (0, -2), "瑞星", "Zuisei"),
    named('D', 12, (1, -2), "山月", "Sangetsu"),
    named('D', 13, (2, -2), "游星", "Yusei"),
    named('I', 1, (2, 2), "长星", "Chosei"),
    named('I', 2, (2, 1), "峡月", "Kyogetsu"),
    named('I', 3, (2, 0), "恒星", "Kosei"),
    named('I', 4, (2, -1), "水月", "Suigetsu"),
    named('I', 5, (2, -2), "流星", "Ryusei"),
    named('I', 6, (1, 0), "云月", "Ungetsu"),
    named('I', 7, (1, -1), "浦月", "Hogetsu"),
    named('I', 8, (1, -2), "岚月", "Rangetsu"),
    named('I', 9, (0, -1), "银月", "Gingetsu"),
    named('I', 10, (0, -2), "明星", "Myojo"),
    named('I', 11, (-1, -1), "斜月", "Shagetsu"),
    named('I', 12, (-1, -2), "名月", "Meigetsu"),
    named('I', 13, (-2, -2), "彗星", "Suisei"),
];

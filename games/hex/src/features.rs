//! What a learned policy sees of a stone: the cells around it, bridges, the distances of the edges,
//! and whether it is on shortest paths.
//!
//! Every board is seen as red sees it: blue's is mirrored in the main diagonal.

use engine_core::learned::MoveFeatures;

use crate::board::{Colour, Hex};
use crate::distance::{AnyFloods, Ways};
use crate::geometry::{Cell, MAX_SIZE, STEPS};
use crate::moves::Action;
use crate::planes::seen_by;

/// The cells of the board, with a border on each side that counts as stones of the edge's colour.
const BORDER: usize = 2;
const WIDTH: usize = MAX_SIZE + 2 * BORDER;
type Cells = [u8; WIDTH * WIDTH];

/// Contents of cells.
const EMPTY: u8 = 0;
const OWN: u8 = 1;
const OTHER: u8 = 2;

/// Parts of the game with weights of their own: the opening, and the rest.
const PHASES: u32 = 2;
/// The opening lasts until this share of the board is full.
const OPENING_SHARE: u32 = 8;

/// The neighbours: a number with a digit of base 3 for each.
const NEIGHBOURS: u32 = 3u32.pow(6);
/// Each of six possible bridges, by the contents of its three cells; opposite directions are one.
const BRIDGES: u32 = 3 * 27;
/// Distances of the nearer edge of each colour, 0 to 9.
const FAR: u8 = 9;
const EDGES: u32 = (FAR as u32 + 1).pow(2);
/// Whether the cell is on shortest paths of both sides, and the number of stones that a side needs,
/// 0 to 7.
const MOST_STONES: u32 = 7;
const PATHS: u32 = 9 * (MOST_STONES + 1);

/// The sizes of the groups of stones in one phase.
const SIZES: [u32; 5] = [NEIGHBOURS, BRIDGES, EDGES, PATHS, PATHS];

/// The number of the first feature of each group; that of the swap comes after all.
const FIRST: [u32; SIZES.len() + 1] = {
    let mut first = [0; SIZES.len() + 1];
    let mut group = 0;
    while group < SIZES.len() {
        first[group + 1] = first[group] + PHASES * SIZES[group];
        group += 1;
    }
    first
};
const SWAP: u32 = FIRST[SIZES.len()];

/// Features of stones, and of the swap.
#[derive(Clone)]
pub struct Surroundings {
    empty_board: Cells,
    cells: Cells,
    floods: AnyFloods,
    /// The shortest paths of the side to move and of the other.
    ways: [Ways; 2],
    phase: u32,
}

impl MoveFeatures<Hex> for Surroundings {
    const NAME: &'static str = "surroundings-1";

    fn of(position: &Hex) -> Surroundings {
        let empty_board = empty_board(position.size() as usize);
        let mut floods = AnyFloods::new(position.size());
        Surroundings {
            empty_board,
            cells: empty_board,
            ways: floods.ways(position),
            floods,
            phase: 0,
        }
    }

    fn groups(&self) -> Vec<u32> {
        let stones = SIZES.iter().map(|size| PHASES * size);
        stones.chain([1]).collect()
    }

    fn see(&mut self, position: &Hex) {
        let size = position.size();
        let own = position.to_move();
        let area = u32::from(size) * u32::from(size);
        self.phase = u32::from(OPENING_SHARE * position.stone_count() >= area);
        self.cells = self.empty_board;
        for (colour, content) in [(own, OWN), (own.other(), OTHER)] {
            let stones = position.stones(colour);
            stones.each(size, |cell| self.cells[index(seen_by(own, cell))] = content);
        }
        let [red, blue] = self.floods.ways(position);
        self.ways = match own {
            Colour::Red => [red, blue],
            Colour::Blue => [blue, red],
        };
    }

    #[inline]
    fn each(&self, position: &Hex, action: Action, mut feature: impl FnMut(u32)) {
        let Action::Place(place) = action else {
            return feature(SWAP);
        };
        let of = |group: usize, feature| FIRST[group] + SIZES[group] * self.phase + feature;
        let cell = seen_by(position.to_move(), place);
        let at = index(cell);
        let content = |(columns, rows): (i8, i8)| {
            let step = rows as isize * WIDTH as isize + columns as isize;
            u32::from(self.cells[at.wrapping_add_signed(step)])
        };
        let near = STEPS.map(content);
        let turned = (0..6).fold(0, |number, i| 3 * number + near[(i + 3) % 6]);
        let number = near.iter().fold(0, |number, digit| 3 * number + digit);
        feature(of(0, number.min(turned)));
        for i in 0..6 {
            let (one, other) = (STEPS[i], STEPS[(i + 1) % 6]);
            let end = content((one.0 + other.0, one.1 + other.1));
            let bridge = 9 * end + 3 * near[i] + near[(i + 1) % 6];
            feature(of(1, 27 * (i as u32 % 3) + bridge));
        }
        let last = position.size() - 1;
        let [row, column] = [cell.row, cell.column].map(|at| at.min(last - at).min(FAR));
        feature(of(
            2,
            u32::from(row) * u32::from(FAR + 1) + u32::from(column),
        ));
        let [own, other] = [0, 1].map(|side| on(&self.ways[side], place));
        for (side, ways) in self.ways.iter().enumerate() {
            let stones = ways.stones.unwrap_or(MOST_STONES).min(MOST_STONES);
            feature(of(3 + side, 9 * stones + 3 * own + other));
        }
    }
}

/// An empty board with its border.
fn empty_board(size: usize) -> Cells {
    let is_inside = |at: usize| (BORDER..size + BORDER).contains(&at);
    let mut cells = [EMPTY; WIDTH * WIDTH];
    for (at, cell) in cells.iter_mut().enumerate() {
        *cell = match (is_inside(at / WIDTH), is_inside(at % WIDTH)) {
            (true, true) => EMPTY,
            (false, _) => OWN,
            (true, false) => OTHER,
        };
    }
    cells
}

/// The place of a cell among [`Cells`].
#[inline]
fn index(cell: Cell) -> usize {
    (cell.row as usize + BORDER) * WIDTH + cell.column as usize + BORDER
}

/// 0 on a shortest path, 1 on one that needs a stone more, otherwise 2.
#[inline]
fn on(ways: &Ways, cell: Cell) -> u32 {
    if ways.cells.contains(cell) {
        0
    } else {
        2 - u32::from(ways.detour_cells.contains(cell))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use engine_core::learned::check_features;
    use engine_core::{Playout, Position, Rng};

    use super::*;
    use crate::variant::{Opening, Swap, Variant};

    #[test]
    fn features_keep_their_contract() {
        for (size, swap) in [
            (2, Swap::Pieces),
            (5, Swap::Sides),
            (11, Swap::Pieces),
            (13, Swap::Pieces),
            (19, Swap::Sides),
        ] {
            let start = Hex::empty_board(Variant {
                size,
                opening: Opening::Swap,
                swap,
            });
            let checked = check_features::<Hex, Surroundings>(&start, 6, 1);
            assert!(checked >= 6, "{size}: {checked}");
        }
    }

    fn features(position: &Hex, cell: Cell) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut surroundings = Surroundings::of(position);
        surroundings.see(position);
        surroundings.each(position, Action::Place(cell), |feature| seen.push(feature));
        seen.sort_unstable();
        seen
    }

    /// The position with each stone in its mirror image, of the other colour.
    pub(crate) fn exchanged(position: &Hex) -> Hex {
        let stones = [Colour::Red, Colour::Blue].into_iter().flat_map(|colour| {
            let cells = position.stones(colour).cells();
            cells.map(move |cell| (colour.other(), cell.mirrored()))
        });
        let to_move = position.to_move().other();
        Hex::set_up(position.variant(), stones, to_move, false)
    }

    #[test]
    fn half_turns_and_an_exchange_of_colours_change_no_features() {
        let mut rng = Rng::new(3);
        for size in [4, 9, 11, 14] {
            let mut position = Hex::empty_board(Variant {
                size,
                ..Variant::default()
            });
            while position.outcome().is_none() {
                let (turned, exchanged) = (position.rotated(), exchanged(&position));
                for cell in position.empty_cells().cells() {
                    let seen = features(&position, cell);
                    assert_eq!(features(&turned, cell.rotated(size)), seen, "{cell:?}");
                    assert_eq!(features(&exchanged, cell.mirrored()), seen, "{cell:?}");
                }
                position.play(crate::Random::default().choose(&position, &mut rng));
            }
        }
    }
}

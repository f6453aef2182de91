//! Fills a board stone by stone, saving bridges.

use crate::board::{Colour, Hex};
use crate::geometry::{Cell, CellSet, MAX_SIZE};

/// A board that is being filled. For each colour, one word per row holds the stones and the empty
/// cells (the rows of two [`CellSet`]s), so one load finds the neighbours of a cell in both. Edges
/// count as stones of their colour, because a bridge may end at an edge.
pub(crate) struct Filling {
    /// By colour: stones in the lower half of a word, empty cells in the upper.
    rows: [[u64; MAX_SIZE + 2]; 2],
}

/// The same columns in both halves of a word.
const fn both(places: u64) -> u64 {
    places | places << 32
}

impl Filling {
    /// The board of a position.
    pub(crate) fn new(position: &Hex) -> Filling {
        let size = position.size();
        let empty = position.empty_cells();
        let rows = |colour, edges: CellSet| {
            let stones = position.stones(colour).union(&edges);
            CellSet::side_by_side(&stones, &empty)
        };
        Filling {
            rows: [
                rows(Colour::Red, CellSet::above_and_below(size)),
                rows(Colour::Blue, CellSet::left_and_right(size)),
            ],
        }
    }

    /// Puts a stone on an empty cell.
    #[inline]
    pub(crate) fn insert(&mut self, colour: Colour, cell: Cell) {
        let row = cell.row as usize + 1;
        let place = 2 << cell.column;
        self.rows[colour as usize][row] ^= both(place);
        self.rows[colour.other() as usize][row] ^= place << 32;
    }

    /// Whether a cell is empty.
    #[inline]
    pub(crate) fn is_empty(&self, cell: Cell) -> bool {
        self.rows[0][cell.row as usize + 1] >> (cell.column + 33) & 1 != 0
    }

    /// The replies of `own` that save a bridge after a stone on `intruder`: the empty neighbours of
    /// `intruder` between two stones of `own`. One bit for each of
    /// [`STEPS`](crate::geometry::STEPS).
    #[inline]
    pub(crate) fn saving_replies(&self, own: Colour, intruder: Cell) -> u8 {
        let row = intruder.row as usize;
        let [above, beside, below] = self.rows[own as usize][row..row + 3] else {
            unreachable!("a slice of three rows");
        };
        let above = above >> (intruder.column + 1) & both(0b11);
        let beside = beside >> intruder.column & both(0b101);
        let below = below >> intruder.column & both(0b11);
        let places = above | beside << 2 | below << 5;
        BETWEEN[(places & 0x7f) as usize] & AROUND[(places >> 32) as usize]
    }

    /// The stones of a colour, including its edges.
    pub(crate) fn stones(&self, colour: Colour) -> CellSet {
        CellSet::lower_half(&self.rows[colour as usize])
    }
}

/// Neighbours row by row: two above, then left, the cell itself (never set) and right, then two
/// below.
const PLACES: usize = 7;

/// Converts neighbours row by row to neighbours by direction, one bit for each of
/// [`STEPS`](crate::geometry::STEPS).
static AROUND: [u8; 1 << PLACES] = {
    /// The direction of each neighbour; the cell itself has none.
    const DIRECTIONS: [u8; PLACES] = [0, 1, 5, 7, 2, 4, 3];
    let mut table = [0; 1 << PLACES];
    let mut places = 0;
    while places < table.len() {
        let mut place = 0;
        while place < PLACES {
            if places >> place & 1 != 0 && place != 3 {
                table[places] |= 1 << DIRECTIONS[place];
            }
            place += 1;
        }
        places += 1;
    }
    table
};

/// The directions that lie between two set neighbours.
static BETWEEN: [u8; 1 << PLACES] = {
    let mut table = AROUND;
    let mut places = 0;
    while places < table.len() {
        let around = table[places];
        let clockwise = around << 1 | around >> 5;
        let counterclockwise = around >> 1 | around << 5;
        table[places] = clockwise & counterclockwise & 0x3f;
        places += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;
    use engine_core::{Playout, Position, Rng};

    /// The same replies, computed from one set of cells at a time.
    fn slow_replies(own: &CellSet, empty: &CellSet, intruder: Cell) -> u8 {
        let own = own.around(intruder);
        let has = |direction: usize| own >> (direction % 6) & 1 != 0;
        (0..6)
            .filter(|&direction| has(direction + 1) && has(direction + 5))
            .fold(0, |replies, direction| replies | 1 << direction)
            & empty.around(intruder) as u8
    }

    #[test]
    fn replies_are_those_of_a_slow_search() {
        let mut rng = Rng::new(1);
        let mut found = 0;
        for size in [2u8, 3, 7, 11, 13, 19] {
            let edges = [
                CellSet::above_and_below(size),
                CellSet::left_and_right(size),
            ];
            let mut position = Hex::empty_board(Variant {
                size,
                ..Variant::default()
            });
            let mut board = Filling::new(&position);
            while position.outcome().is_none() {
                let again = Filling::new(&position);
                let empty = position.empty_cells();
                for colour in [Colour::Red, Colour::Blue] {
                    assert_eq!(board.stones(colour), again.stones(colour));
                    let own = position.stones(colour).union(&edges[colour as usize]);
                    for cell in CellSet::board(size).cells() {
                        assert_eq!(board.is_empty(cell), empty.contains(cell));
                        let replies = slow_replies(&own, &empty, cell);
                        found += replies.count_ones();
                        assert_eq!(board.saving_replies(colour, cell), replies);
                        assert_eq!(again.saving_replies(colour, cell), replies);
                    }
                }
                let mover = position.to_move();
                let action = crate::Random::default().choose(&position, &mut rng);
                let crate::Action::Place(cell) = action else {
                    continue;
                };
                position.play(action);
                board.insert(mover, cell);
            }
        }
        assert!(found > 1_000);
    }
}

//! The evaluation: stones still needed, and how many ways there are.

use engine_core::{Evaluator, Score};

use crate::bits::Wide;
use crate::board::{Colour, Hex};
use crate::distance::{Paths, Plane};

/// Points for each stone fewer that the shortest path needs.
const STONE: i32 = 100;
/// Points for each cell on a shortest path.
const CELL: i32 = 4;
/// Points for each cell on a path that needs one stone more.
const DETOUR_CELL: i32 = 1;
/// Points for being to move.
const TEMPO: i32 = 40;
/// Cells that a path of bridges alone, which needs no more stones, counts as.
const JOINED_CELLS: i32 = 20;

/// Shortest paths between a colour's edges. Stones cost nothing, empty cells one stone, and a path
/// may step over a bridge whose two cells are empty. Of two boards with equal distances the one
/// with more cells on shortest paths is better, as in Queenbee's attack mobility (van Rijswijck,
/// *Search and evaluation in Hex*, 2002), whose two-distance the bridges stand in for.
#[derive(Clone, Debug)]
pub struct Distance(Masks);

/// The masks in the narrowest form that holds the board.
#[derive(Clone, Debug)]
enum Masks {
    Narrow(Plane<u128>),
    Wide(Box<Plane<Wide>>),
}

impl Distance {
    /// An evaluator for boards of `size`, 2 to 19.
    pub fn new(size: u8) -> Distance {
        Distance(if size <= 11 {
            Masks::Narrow(Plane::new(size))
        } else {
            Masks::Wide(Box::new(Plane::new(size)))
        })
    }
}

impl Evaluator<Hex> for Distance {
    fn evaluate(&mut self, position: &Hex) -> Score {
        let paths = match &self.0 {
            Masks::Narrow(plane) => plane.paths(position),
            Masks::Wide(plane) => plane.paths(position),
        };
        let [red, blue] = paths.map(|paths| points(paths, position.size()));
        let score = match position.to_move() {
            Colour::Red => red - blue,
            Colour::Blue => blue - red,
        };
        Score::points(score + TEMPO)
    }
}

/// What one colour's paths are worth to it.
fn points(paths: Paths, size: u8) -> i32 {
    match paths.stones {
        None => -2 * STONE * size as i32,
        Some(0) => (CELL + DETOUR_CELL) * JOINED_CELLS,
        Some(stones) => {
            CELL * paths.cells as i32 + DETOUR_CELL * paths.detour_cells as i32
                - STONE * stones as i32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;

    fn after(size: u8, actions: &str) -> Hex {
        let mut position = Hex::empty_board(Variant {
            size,
            ..Variant::default()
        });
        entry::turn::play_words(&mut position, actions).expect("legal actions");
        position
    }

    fn value(position: &Hex) -> i32 {
        Distance::new(position.size()).evaluate(position).value()
    }

    #[test]
    fn an_empty_board_favours_only_the_side_to_move() {
        for size in 2..=19 {
            assert_eq!(value(&after(size, "")), TEMPO);
        }
    }

    #[test]
    fn a_board_and_its_half_turn_are_worth_the_same() {
        let position = after(11, "c2 f6 g5 e8 b10 d4");
        assert_eq!(value(&position), value(&position.rotated()));
    }

    #[test]
    fn the_middle_is_worth_more_than_a_corner() {
        assert!(value(&after(11, "f6")) < value(&after(11, "a1")));
    }

    #[test]
    fn a_chain_of_bridges_needs_no_stone() {
        let position = after(6, "d2 a1 c4 a2 c5 a3");
        assert_eq!(position.to_move(), Colour::Red);
        assert!(value(&position) > 2 * STONE);
    }
}

//! The evaluation: the stones still needed, and the number of cells on shortest paths.

use engine_core::{Evaluator, Position, Score};

use crate::board::{Colour, Hex};
use crate::distance::{AnyFloods, Paths};

engine_core::weights! {
    /// Weights in points.
    pub struct Weights {
        /// A stone that the shortest path needs less.
        stone: i32 = 100, 10 to 400;
        /// A cell on a shortest path.
        cell: i32 = 4, 0 to 40;
        /// A cell on paths that need one stone more.
        detour_cell: i32 = 1, 0 to 20;
        /// The side to move.
        tempo: i32 = 40, -50 to 200;
        /// A colour whose shortest path needs no stone: the points of this many cells of both kinds.
        joined_cells: i32 = 20, 0 to 100;
    }
}

/// Shortest paths between a colour's edges. Stones cost nothing, empty cells cost one stone, and a
/// path may cross a bridge whose two carrier cells are empty. Between equal distances, more cells
/// on shortest paths are better, as in Queenbee's attack mobility (van Rijswijck, *Search and
/// evaluation in Hex*, 2002); the bridges replace its two-distance.
///
/// Recent values are cached: searches reach the same position by transposition, and many playouts
/// start at the same leaf.
#[derive(Clone, Debug)]
pub struct Distance {
    floods: AnyFloods,
    weights: Weights,
    /// Keys and values, indexed by the lowest bits of the key.
    recent: Box<[(u64, Score)]>,
}

/// Number of cached values: 64 KiB. Four and sixteen times as many were no faster.
const RECENT: usize = 1 << 12;

impl Distance {
    /// An evaluator for boards of `size`, 2 to 19.
    pub fn new(size: u8) -> Distance {
        // Not 0, the key of the empty board.
        let none = (u64::MAX, Score::points(0));
        Distance {
            floods: AnyFloods::new(size),
            weights: Weights::DEFAULT,
            recent: vec![none; RECENT].into_boxed_slice(),
        }
    }

    /// The same evaluator with these weights.
    pub fn with(self, weights: Weights) -> Distance {
        Distance { weights, ..self }
    }

    /// Computes the value of a position.
    fn compute(&mut self, position: &Hex) -> Score {
        let paths = self.floods.paths(position);
        let [red, blue] = paths.map(|paths| self.weights.points(paths, position.size()));
        let score = match position.to_move() {
            Colour::Red => red - blue,
            Colour::Blue => blue - red,
        };
        Score::points(score + self.weights.tempo)
    }
}

impl Evaluator<Hex> for Distance {
    fn evaluate(&mut self, position: &Hex) -> Score {
        let key = position.key();
        let place = key as usize % RECENT;
        let (known, score) = self.recent[place];
        if known == key {
            return score;
        }
        let score = self.compute(position);
        self.recent[place] = (key, score);
        score
    }
}

impl Weights {
    /// The points for one colour's paths.
    fn points(&self, paths: Paths, size: u8) -> i32 {
        match paths.stones {
            None => -2 * self.stone * size as i32,
            Some(0) => (self.cell + self.detour_cell) * self.joined_cells,
            Some(stones) => {
                self.cell * paths.cells as i32 + self.detour_cell * paths.detour_cells as i32
                    - self.stone * stones as i32
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use engine_core::Rng;

    use super::*;
    use crate::variant::{Opening, Swap, Variant};

    pub(crate) fn after(size: u8, actions: &str) -> Hex {
        let mut position = Hex::empty_board(Variant {
            size,
            ..Variant::default()
        });
        game::turn::play_words(&mut position, actions).expect("legal actions");
        position
    }

    fn value(position: &Hex) -> i32 {
        Distance::new(position.size()).evaluate(position).value()
    }

    #[test]
    fn an_empty_board_favours_only_the_side_to_move() {
        for size in 2..=19 {
            assert_eq!(value(&after(size, "")), Weights::DEFAULT.tempo);
        }
    }

    #[test]
    fn a_board_and_its_half_turn_are_worth_the_same() {
        let position = after(11, "c2 f6 g5 e8 b10 d4");
        assert_eq!(value(&position), value(&position.rotated()));
    }

    /// Walks a tree of random actions with undos, and evaluates on the way.
    fn walk(position: &mut Hex, evaluator: &mut Distance, rng: &mut Rng, depth: u32) {
        let fresh = Distance::new(position.size()).evaluate(position);
        assert_eq!(evaluator.evaluate(position), fresh);
        for _ in 0..3 {
            if depth == 0 {
                return;
            }
            let moves = position.legal_moves();
            let action = moves[rng.below(moves.len() as u32) as usize];
            evaluator.push(position, action);
            let undo = position.play(action);
            if position.outcome().is_none() {
                walk(position, evaluator, rng, depth - 1);
            }
            position.undo(action, undo);
            evaluator.pop();
            assert_eq!(evaluator.evaluate(position), fresh);
        }
    }

    #[test]
    fn remembered_values_are_those_computed_anew() {
        let mut rng = Rng::new(1);
        for swap in [Swap::Pieces, Swap::Sides] {
            for size in [2, 3, 4, 11, 13, 14] {
                let variant = Variant {
                    size,
                    opening: Opening::Swap,
                    swap,
                };
                let mut evaluator = Distance::new(size);
                let mut position = Hex::empty_board(variant);
                walk(&mut position, &mut evaluator, &mut rng, 6);
                evaluator.reset(&position);
                walk(&mut position, &mut evaluator, &mut rng, 6);
            }
        }
    }

    #[test]
    fn the_middle_is_worth_more_than_a_corner() {
        assert!(value(&after(11, "f6")) < value(&after(11, "a1")));
    }

    #[test]
    fn a_chain_of_bridges_needs_no_stone() {
        let position = after(6, "d2 a1 c4 a2 c5 a3");
        assert_eq!(position.to_move(), Colour::Red);
        assert!(value(&position) > 2 * Weights::DEFAULT.stone);
    }
}

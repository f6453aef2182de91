//! The evaluation: electrical resistance between a colour's two edges.

use engine_core::{Evaluator, Score};

use crate::board::{Colour, Hex};
use crate::{bridges, circuit};

/// Points for one side's conductance being *e* times the other's.
const POINTS_PER_E: f32 = 100.0;
/// Points for being to move.
const TEMPO: i32 = 30;

/// Electrical resistance (Anshelevich, *A hierarchical approach to computer Hex*, Artificial
/// Intelligence 134, 2002): each colour's cells are a circuit between its two edges, in which its
/// stones conduct, empty cells resist and the other's stones insulate. The logarithm of the
/// conductances' ratio is the value. Bridges count as stones, in place of Hexy's search for
/// virtual connections.
#[derive(Clone, Debug, Default)]
pub struct Resistance;

impl Evaluator<Hex> for Resistance {
    fn evaluate(&mut self, position: &Hex) -> Score {
        let held = [Colour::Red, Colour::Blue].map(|colour| bridges::held(position, colour));
        let conductance = |colour| circuit::conductance(position, colour, &held);
        let own = conductance(position.to_move());
        let other = conductance(position.to_move().other());
        Score::points((POINTS_PER_E * (own / other).ln()) as i32 + TEMPO)
    }
}

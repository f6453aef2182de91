//! The evaluation: open windows of five, by their number of stones.

use engine_core::{Evaluator, Position, Score};

use crate::board::{Colour, Gomoku};
use crate::geometry::{LINES, fives};

/// Points of a window of five without stones of the other colour, by its number of stones, 0 to 5.
const POINTS: [i32; 6] = [0, 1, 6, 30, 120, 0];
/// Points of the side to move.
const TEMPO: i32 = 20;

/// Evaluates by the windows of five that one colour can still fill.
#[derive(Clone, Debug, Default)]
pub struct OpenWindows;

fn points(position: &Gomoku, colour: Colour) -> i32 {
    let (own, enemy) = (position.lines(colour), position.lines(colour.other()));
    let masks = position.masks();
    let mut sum = 0;
    for line in 0..LINES {
        if own[line] == 0 {
            continue;
        }
        let mut open = fives(masks[line] & !enemy[line]);
        while open != 0 {
            let first = open.trailing_zeros();
            sum += POINTS[(own[line] >> first & 0b1_1111).count_ones() as usize];
            open &= open - 1;
        }
    }
    sum
}

impl Evaluator<Gomoku> for OpenWindows {
    fn evaluate(&mut self, position: &Gomoku) -> Score {
        let black = points(position, Colour::Black) - points(position, Colour::White);
        let own = match position.side() == position.side_of(Colour::Black) {
            true => black,
            false => -black,
        };
        Score::points(own + TEMPO)
    }
}

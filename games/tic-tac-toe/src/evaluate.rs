//! The evaluation of the textbooks: open lines.

use engine_core::real::logistic;
use engine_core::{Evaluator, Position, Score, Side};

use crate::board::{LINES, TicTacToe};

/// E(n) = M − O: the lines that are still open for the side to move, minus those still open for the
/// other (Nilsson, *Problem-Solving Methods in Artificial Intelligence*, 1971; with these letters in
/// Luger, *Artificial Intelligence*, chapter 4). A line is open for a side while the other has no
/// mark on it. One line is one point.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenLines;

/// The number of lines without a mark of the other side, 0 to 8.
fn open_lines(position: &TicTacToe, side: Side) -> i32 {
    let other = position.cells(side.opponent());
    LINES.iter().filter(|&&line| line & other == 0).count() as i32
}

impl Evaluator<TicTacToe> for OpenLines {
    fn evaluate(&mut self, position: &TicTacToe) -> Score {
        let side = position.side();
        Score::points(open_lines(position, side) - open_lines(position, side.opponent()))
    }

    /// The factor 0.3 has the least cross-entropy, of 0.01 to 0.99, with the results of random games
    /// from every position, weighted by how often random games reach it.
    fn probability(&self, score: Score) -> f32 {
        logistic(0.3 * score.value() as f32)
    }
}

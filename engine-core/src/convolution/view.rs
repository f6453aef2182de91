//! What a network sees of a position.

use crate::position::Position;

/// A position as a square board, for a [network](super::Network) that gives each cell a logit.
///
/// Both sides see the board by the same rules, so one network serves both: a side sees in a position
/// what the other would see after an exchange of the sides.
pub trait View<P: Position>: Clone + Send + Sync + 'static {
    /// The name of this view, with a version: `stones-1`. A network fits the view with which it was
    /// trained and no other, so whoever changes what a network sees changes the name.
    const NAME: &'static str;
    /// Number of planes: a cell's content is a number with a bit for each, below `1 << PLANES`.
    const PLANES: usize;
    /// Whether a board turned by half a turn is the same by the rules, and the network was trained on both.
    /// It then looks at one of them only, and says the same of both.
    const HALF_TURNS: bool = false;

    /// The view of positions of the same variant.
    fn of(position: &P) -> Self;

    /// The number of rows and of columns; 0 if no network can see this variant.
    fn side(&self) -> usize;

    /// Writes what the side to act sees of each cell, row by row, in `(side + 2)²` numbers: around
    /// the board is a ring of cells for what lies beyond its edges.
    fn see(&self, position: &P, contents: &mut [u8]);

    /// The number of the cell whose logit says how good a legal move of the position is, row by row
    /// without the ring; `None` for a move that no cell stands for.
    fn cell(&self, position: &P, mv: P::Move) -> Option<usize>;
}

/// The view of a game without a network.
impl<P: Position> View<P> for () {
    const NAME: &'static str = "none";
    const PLANES: usize = 0;

    fn of(_: &P) {}

    fn side(&self) -> usize {
        0
    }

    fn see(&self, _: &P, _: &mut [u8]) {}

    fn cell(&self, _: &P, _: P::Move) -> Option<usize> {
        None
    }
}

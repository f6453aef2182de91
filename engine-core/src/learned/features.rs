//! What a learned policy sees of a move.

use crate::position::Position;

/// The features of moves: numbers below the sum of the [groups](MoveFeatures::groups). The strength
/// of a move is the product of the strengths of its features. These are learned from a player's
/// choices (Coulom, *Computing Elo Ratings of Move Patterns in the Game of Go*, 2007).
///
/// Both sides see their moves by the same rules: a move has the features of its image after an
/// exchange of the colours.
pub trait MoveFeatures<P: Position>: Clone + Send + Sync + 'static {
    /// The name of this set of features, with a version: `stones-1`. Whoever changes the meaning of
    /// a feature changes the name, as with [`super::Inputs::NAME`].
    const NAME: &'static str;

    /// The features for positions of the same variant.
    fn of(position: &P) -> Self;

    /// The sizes of the groups, in which features are numbered one after the other; empty if no
    /// policy can be learned in this variant. A move usually has one feature of a group: then
    /// learning is fastest.
    fn groups(&self) -> Vec<u32>;

    /// Prepares for the moves of a position, which is neither finished nor a chance position.
    fn see(&mut self, position: &P);

    /// Calls `feature` with each feature of a legal move of the position seen last, which
    /// `position` is. A feature may come several times. Positions of the same key have the same
    /// features.
    fn each(&self, position: &P, mv: P::Move, feature: impl FnMut(u32));
}

/// The features of a game without a learned policy.
impl<P: Position> MoveFeatures<P> for () {
    const NAME: &'static str = "none";

    fn of(_: &P) {}

    fn groups(&self) -> Vec<u32> {
        Vec::new()
    }

    fn see(&mut self, _: &P) {}

    fn each(&self, _: &P, _: P::Move, _: impl FnMut(u32)) {}
}

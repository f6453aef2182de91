//! What a learned evaluation sees of a position.

use crate::position::{Position, Side};

/// The sparse inputs of a learned evaluation: numbers below [`Inputs::count`], of which few are on
/// in a position. Both sides see the same position by the same rules: what `First` sees in a
/// position is what `Second` sees after an exchange of the colours. So one set of weights serves
/// both sides.
pub trait Inputs<P: Position>: Clone + Send + Sync + 'static {
    /// The name of this set of inputs, with a version: `squares-1`. Weights fit the set with which
    /// they were learned and no other, so whoever changes the meaning of an input changes the name.
    const NAME: &'static str;

    /// The inputs for positions of the same variant.
    fn of(position: &P) -> Self;

    /// Number of inputs in the variant of this position; 0 if nothing can be learned in it.
    fn count(&self) -> usize;

    /// Appends the inputs that are on as `viewer` sees the position, in any order. An input may be
    /// on several times.
    fn active(&self, position: &P, viewer: Side, out: &mut Vec<u32>);

    /// Appends what changes for each viewer, by [`Side::index`], when `mv` is played in `before`. An
    /// input may be turned off and on again.
    fn change(&self, before: &P, mv: P::Move, changes: &mut [Change; 2]);

    /// Appends inputs that are on in this position and are not kept from move to move, such as a
    /// die that is rolled. By default there are none.
    fn passing(&self, position: &P, viewer: Side, out: &mut Vec<u32>) {
        let _ = (position, viewer, out);
    }
}

/// The inputs that a move turns on and off.
#[derive(Clone, Default, Debug)]
pub struct Change {
    /// Inputs to turn on.
    pub added: Vec<u32>,
    /// Inputs to turn off.
    pub removed: Vec<u32>,
}

impl Change {
    /// Forgets all changes.
    pub fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }
}

/// The inputs of a game without a learned evaluation.
impl<P: Position> Inputs<P> for () {
    const NAME: &'static str = "none";

    fn of(_: &P) {}

    fn count(&self) -> usize {
        0
    }

    fn active(&self, _: &P, _: Side, _: &mut Vec<u32>) {}

    fn change(&self, _: &P, _: P::Move, _: &mut [Change; 2]) {}
}

//! RAVE (Gelly and Silver, *Monte-Carlo tree search and rapid action value estimation in computer
//! Go*, 2011): the value of a move also uses playouts in which its side plays it later (AMAF, "all
//! moves as first").
//!
//! AMAF statistics are indexed by side and move bits, and store points of `First`, so extra turns
//! need no special case.

use crate::mcts::extra::Extra;
use crate::mcts::node::Node;
use crate::position::Side;

/// The weight of the AMAF mean against the node's own mean, by minimum mean square error: n and m
/// playouts, and the bias of the AMAF mean (section 4.4 of the paper, for values near ½).
#[inline]
pub(super) fn weight(visits: f32, amaf_visits: f32, bias: f32) -> f32 {
    let both = visits + amaf_visits + 4.0 * visits * amaf_visits * bias * bias;
    amaf_visits / both
}

/// An action of a playout: the side that played it, and its bits.
pub(super) type Action = (Side, u32);

/// Set of the actions from a node to the end of a playout.
#[derive(Default, Debug)]
pub(super) struct LaterActions {
    /// Open addressing: code of action and side, and the number of the playout that it belongs to.
    slots: Vec<(u32, u32)>,
    playout: u32,
}

fn code((side, bits): Action) -> u32 {
    bits << 1 | side.index() as u32
}

impl LaterActions {
    /// Empties the set for a new playout of at most `most` actions.
    pub(super) fn clear(&mut self, most: usize) {
        let wanted = (4 * most).next_power_of_two().max(256);
        self.playout = self.playout.wrapping_add(1);
        if self.slots.len() < wanted || self.playout == 0 {
            self.slots.clear();
            self.slots.resize(wanted, (0, 0));
            self.playout = 1;
        }
    }

    /// The slot of an action, or the free slot for it.
    fn slot(&self, code: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (code.wrapping_mul(0x9e37_79b9) >> 7) as usize & mask;
        while self.slots[at].1 == self.playout && self.slots[at].0 != code {
            at = (at + 1) & mask;
        }
        at
    }

    pub(super) fn insert(&mut self, action: Action) {
        let at = self.slot(code(action));
        self.slots[at] = (code(action), self.playout);
    }

    pub(super) fn contains(&self, action: Action) -> bool {
        self.slots[self.slot(code(action))].1 == self.playout
    }
}

/// Adds a playout to the AMAF statistics of the children of a node where `side` chose.
pub(super) fn update(
    children: &[Node],
    extras: &[Extra],
    side: Side,
    later: &LaterActions,
    first: f32,
) {
    for (child, extra) in children.iter().zip(extras) {
        if later.contains((side, child.edge())) {
            extra.add_amaf(first);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_weight_falls_from_one_to_nothing() {
        assert_eq!(weight(0.0, 10.0, 0.1), 1.0);
        assert!((weight(10.0, 10.0, 0.0) - 0.5).abs() < 1e-6);
        assert!(weight(1e6, 1e6, 0.1) < 1e-4);
    }

    #[test]
    fn an_action_is_of_a_side_and_of_one_playout() {
        let mut later = LaterActions::default();
        later.clear(2);
        later.insert((Side::First, 7));
        assert!(later.contains((Side::First, 7)));
        assert!(!later.contains((Side::Second, 7)));
        later.clear(2);
        assert!(!later.contains((Side::First, 7)));
    }
}

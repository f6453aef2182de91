//! What a selective search knows of the nodes on its path.

use crate::score::Score;

/// The nodes on the path of a search, by ply.
pub(super) struct Trail {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Default)]
struct Node {
    /// Whether a move of the node probably causes a cutoff: its parent expects none (Knuth and
    /// Moore 1975), or it is searched in order to refute a late move.
    expects_cutoff: bool,
    /// The static evaluation, if it was needed.
    value: Option<Score>,
}

impl Trail {
    pub(super) fn new() -> Trail {
        Trail {
            nodes: vec![Node::default(); Score::MAX_PLY as usize + 2],
        }
    }

    #[inline]
    pub(super) fn expect_cutoff(&mut self, ply: u32, expected: bool) {
        self.nodes[ply as usize].expects_cutoff = expected;
    }

    #[inline]
    pub(super) fn expects_cutoff(&self, ply: u32) -> bool {
        self.nodes[ply as usize].expects_cutoff
    }

    /// Sets the static evaluation of the node at this ply.
    #[inline]
    pub(super) fn set_value(&mut self, ply: u32, value: Option<Score>) {
        self.nodes[ply as usize].value = value;
    }

    /// Whether the static evaluation of the node at this ply is known not to be above that of the
    /// node two plies before.
    pub(super) fn is_falling(&self, ply: u32) -> bool {
        let value = |ply: u32| self.nodes[ply as usize].value;
        ply >= 2
            && matches!((value(ply), value(ply - 2)), (Some(now), Some(before)) if now <= before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_compared_with_that_two_plies_before() {
        let mut trail = Trail::new();
        for (ply, points) in [
            (0, Some(5)),
            (1, None),
            (2, Some(5)),
            (3, Some(9)),
            (4, Some(6)),
        ] {
            trail.set_value(ply, points.map(Score::points));
        }
        let falling: Vec<bool> = (0..5).map(|ply| trail.is_falling(ply)).collect();
        assert_eq!(falling, [false, false, true, false, false]);
    }
}

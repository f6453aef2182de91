//! Early stop: ends a search before its time limit once the remaining playouts cannot make another
//! root move the most visited one (Baier and Winands, *Time Management for Monte-Carlo Tree Search
//! in Go*, 2012: `STOP`). The saved time remains for later turns.

use std::sync::Arc;
use std::time::Duration;

use crate::limits::Limits;
use crate::mcts::report::{candidates, lead};
use crate::mcts::tree::Tree;
use crate::position::Position;

/// Playouts of the first thread between two checks, each of which adds up the children of the root.
const CHECK_EVERY: u32 = 128;

/// Fraction of the planned time before the first check: then the playout rate is known well enough.
const EARLIEST: f32 = 1.0 / 16.0;

/// The early-stop test of one timed search.
pub(super) struct EarlyStop<'a> {
    limits: &'a Limits,
    /// Planned time; `None` if saved time would be lost.
    planned: Option<Duration>,
    started: Duration,
    /// Visits of the root's children at the start of the search.
    visits: u64,
    playouts: u32,
}

impl<'a> EarlyStop<'a> {
    pub(super) fn new(trees: &[Arc<Tree>], limits: &'a Limits) -> EarlyStop<'a> {
        EarlyStop {
            limits,
            planned: limits
                .soft
                .map(|soft| limits.hard.map_or(soft, |hard| hard.min(soft))),
            started: limits.elapsed(),
            visits: visits(trees),
            playouts: 0,
        }
    }

    /// Whether the best move can no longer be overtaken. Called after every playout.
    #[inline]
    pub(super) fn is_decided<P: Position>(&mut self, trees: &[Arc<Tree>], root: &P) -> bool {
        let Some(planned) = self.planned else {
            return false;
        };
        self.playouts += 1;
        self.playouts.is_multiple_of(CHECK_EVERY) && self.check(planned, trees, root)
    }

    #[cold]
    fn check<P: Position>(&self, planned: Duration, trees: &[Arc<Tree>], root: &P) -> bool {
        let now = self.limits.elapsed();
        if now < planned.mul_f32(EARLIEST) {
            return false;
        }
        let spent = now.saturating_sub(self.started);
        let left = planned.saturating_sub(now);
        let played = visits(trees).saturating_sub(self.visits);
        let children = candidates(trees.iter().map(|tree| &**tree));
        lead::<P>(&children, root.side()).is_some_and(|lead| cannot_lose(lead, played, spent, left))
    }
}

/// Whether a lead of `lead` visits is safe if playouts continue at the rate so far.
fn cannot_lose(lead: u64, played: u64, spent: Duration, left: Duration) -> bool {
    lead as f64 * spent.as_secs_f64() > played as f64 * left.as_secs_f64()
}

/// Sum of the visits of the root's children over all trees.
fn visits(trees: &[Arc<Tree>]) -> u64 {
    let children = trees.iter().flat_map(|tree| tree.root_children());
    children.map(|child| child.visits() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_lasts_if_the_playouts_to_come_are_fewer() {
        let ms = Duration::from_millis;
        // 1 000 playouts in 10 ms, so 500 are expected in 5 ms.
        assert!(cannot_lose(501, 1000, ms(10), ms(5)));
        assert!(!cannot_lose(500, 1000, ms(10), ms(5)));
        assert!(cannot_lose(1, 1000, ms(10), ms(0)));
        assert!(!cannot_lose(900, 0, ms(0), ms(5)));
    }
}

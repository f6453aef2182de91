//! What one search may spend, how it is stopped, and how it reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::position::Move;
use crate::score::Score;

/// A flag that ends a search from another thread. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct StopFlag {
    own: Arc<AtomicBool>,
    /// Of the flag that this one is part of.
    whole: Option<Arc<AtomicBool>>,
}

impl StopFlag {
    /// Asks the search to end; it does so within 64 nodes, or one playout.
    pub fn stop(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// A flag for a part of what this one ends: it is set with this one, and can be set alone.
    /// The parts of a part do not see the whole.
    pub fn part(&self) -> StopFlag {
        StopFlag {
            own: Arc::default(),
            whole: Some(self.own.clone()),
        }
    }

    /// Whether the search has been asked to end.
    #[inline]
    pub fn is_set(&self) -> bool {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is_set(&self.own) || self.whole.as_deref().is_some_and(is_set)
    }
}

/// An iteration may end so many times the time to aim for after the search has begun. Where plies are
/// many times as expensive as the last, as in Amazons, few are ever finished, and without this bound
/// every turn would take its hard limit.
const OVERRUN: f32 = 1.5;

/// By what the time to aim for is multiplied while the search runs, the bits of an `f32`. Clones
/// share it.
#[derive(Clone, Debug)]
struct Stretch(Arc<AtomicU32>);

impl Default for Stretch {
    fn default() -> Stretch {
        Stretch(Arc::new(AtomicU32::new(1.0_f32.to_bits())))
    }
}

/// What one search may spend. The default is no limit at all: only the stop flag, or a proof,
/// ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Nodes (tree search) or playouts (Monte Carlo).
    pub nodes: Option<u64>,
    /// Time to aim for.
    pub soft: Option<Duration>,
    /// Time at which the search ends wherever it is.
    pub hard: Option<Duration>,
    /// Ends the search from outside.
    pub stop: StopFlag,
    stretch: Stretch,
    start: Instant,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            soft: None,
            hard: None,
            stop: StopFlag::default(),
            stretch: Stretch::default(),
            start: Instant::now(),
        }
    }
}

impl Limits {
    /// Search to `depth` plies.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// Search `nodes` nodes, or playouts.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// Search for `time`, all of it.
    pub fn time(time: Duration) -> Limits {
        Limits {
            hard: Some(time),
            ..Limits::default()
        }
    }

    /// Whether there is a limit of time, so that a forced move should be played at once.
    pub fn is_timed(&self) -> bool {
        self.soft.is_some() || self.hard.is_some()
    }

    /// Time since these limits were made.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether a search that has seen `nodes` nodes must end now. Reads the clock if there is a
    /// limit of time, so a search asks only every few hundred nodes.
    pub fn exhausted(&self, nodes: u64) -> bool {
        self.stop.is_set()
            || self.nodes.is_some_and(|limit| nodes >= limit)
            || self.hard.is_some_and(|limit| self.elapsed() >= limit)
            || self.overrun()
    }

    /// Whether what was begun within the time to aim for has gone on for too long.
    fn overrun(&self) -> bool {
        self.aim()
            .is_some_and(|aim| self.elapsed() >= aim.mul_f32(OVERRUN))
    }

    /// From now on aims for `factor` times the soft limit, in all clones of these limits. The hard
    /// limit stays.
    pub fn stretch(&self, factor: f32) {
        let factor = if factor.is_finite() {
            factor.max(0.0)
        } else {
            1.0
        };
        self.stretch.0.store(factor.to_bits(), Ordering::Relaxed);
    }

    /// The time to aim for, as it is stretched now.
    pub fn aim(&self) -> Option<Duration> {
        let factor = f32::from_bits(self.stretch.0.load(Ordering::Relaxed));
        self.soft.map(|soft| soft.mul_f32(factor))
    }

    /// Whether the time to aim for is over.
    pub fn enough(&self) -> bool {
        self.aim().is_some_and(|aim| self.elapsed() >= aim)
    }

    /// Whether a search should not begin another iteration, which will take at least as long as
    /// all before it.
    pub fn enough_for_iteration(&self) -> bool {
        self.aim().is_some_and(|aim| self.elapsed() * 2 >= aim)
    }
}

/// What tells how well a tree search prunes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Questions to the table.
    pub probes: u64,
    /// Those that it had an answer to.
    pub hits: u64,
    /// Nodes that were cut off by a move.
    pub cutoffs: u64,
    /// Those cut off by the first move that was searched.
    pub first_cutoffs: u64,
}

/// How far a search has come; its last report is its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M: Move> {
    /// Completed depth of iterative deepening, or of the principal variation (Monte Carlo), plies.
    pub depth: u32,
    /// Deepest ply that was looked at.
    pub seldepth: u32,
    /// Value of the root for its side to move.
    pub score: Score,
    /// Nodes visited, or playouts played.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// How full the table or tree is, in thousandths.
    pub hashfull: u32,
    /// What a tree search has counted; zeros where there is no such thing.
    pub counters: Counters,
    /// The best line found; its first move is the move to play. Never empty for a position that
    /// has a move.
    pub pv: Vec<M>,
}

impl<M: Move> Report<M> {
    /// The report of a search that has not begun.
    pub fn empty(limits: &Limits) -> Report<M> {
        Report {
            depth: 0,
            seldepth: 0,
            score: Score::DRAW,
            nodes: 0,
            time: limits.elapsed(),
            hashfull: 0,
            counters: Counters::default(),
            pv: Vec::new(),
        }
    }

    /// Nodes per second, 0 if no time has passed.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (self.nodes as u128 * 1_000_000 / micros) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_stopped_alone_or_with_the_whole() {
        let whole = StopFlag::default();
        let [one, other] = [whole.part(), whole.part()];
        one.stop();
        assert!(one.clone().is_set() && !other.is_set() && !whole.is_set());
        whole.stop();
        assert!(other.is_set());
    }

    #[test]
    fn clones_are_stretched_together() {
        let second = Duration::from_secs(1);
        let mut limits = Limits::time(second);
        limits.soft = Some(second);
        let clone = limits.clone();
        limits.stretch(0.5);
        assert_eq!(clone.aim(), Some(second / 2));
        assert!(!clone.enough() && !clone.exhausted(0));
        limits.stretch(0.0);
        assert!(clone.enough() && clone.enough_for_iteration());
        assert!(clone.exhausted(0), "an iteration that overruns is ended");
        limits.stretch(f32::NAN);
        assert_eq!(clone.aim(), Some(second));
        assert_eq!(Limits::default().aim(), None);
    }
}

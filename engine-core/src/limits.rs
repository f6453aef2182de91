//! Limits of a search, its stop flag, and its reports.

use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::position::Move;
use crate::score::Score;

/// A flag that stops a search from another thread. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct StopFlag {
    own: Arc<AtomicBool>,
    parent: Option<Arc<StopFlag>>,
}

impl StopFlag {
    /// Stops the search, within 64 nodes or one playout.
    pub fn stop(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// A child flag: it is set if this flag is set, and can also be set alone.
    pub fn child(&self) -> StopFlag {
        StopFlag {
            own: Arc::default(),
            parent: Some(Arc::new(self.clone())),
        }
    }

    /// Whether the search must stop.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.own.load(Ordering::Relaxed) || self.parent.as_deref().is_some_and(StopFlag::is_set)
    }
}

/// An iteration is stopped at this multiple of the soft limit. If each ply is many times as
/// expensive as the last, as in Amazons, few iterations finish; without this bound every turn would
/// use its hard limit.
const OVERRUN: f32 = 1.5;

/// The only move of a position gets one part in so many of the time.
const FORCED_PART: u32 = 16;

/// Scale factor of the soft limit, as the bits of an `f32`. Can change during the search. Clones
/// share it.
#[derive(Clone, Debug)]
struct SoftScale(Arc<AtomicU32>);

impl Default for SoftScale {
    fn default() -> SoftScale {
        SoftScale(Arc::new(AtomicU32::new(1.0_f32.to_bits())))
    }
}

/// When a search began, and what tells how long ago that was.
#[derive(Clone, Debug)]
enum Start {
    /// The clock.
    Clock(Instant),
    /// Nodes, counted from this one on: they take the same time on every machine.
    Nodes(Arc<NodeClock>, u64),
}

/// A clock that goes on with every node.
#[derive(Debug)]
struct NodeClock {
    /// Nodes, or playouts, of a second.
    per_second: u64,
    /// Nodes so far, of all searches by this clock.
    nodes: AtomicU64,
}

/// Limits of one search. By default there are none: only the stop flag or a proof ends the search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes (tree search) or playouts (Monte Carlo).
    pub nodes: Option<u64>,
    /// Soft limit: planned time of the search.
    pub soft: Option<Duration>,
    /// Hard limit: the search stops at this time in any case.
    pub hard: Option<Duration>,
    /// Stops the search from outside.
    pub stop: StopFlag,
    /// Whether the value of a position counts, so that one with a single move is searched as long as others.
    pub for_value: bool,
    soft_scale: SoftScale,
    start: Start,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            soft: None,
            hard: None,
            stop: StopFlag::default(),
            for_value: false,
            soft_scale: SoftScale::default(),
            start: Start::Clock(Instant::now()),
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

    /// Search for exactly `time`.
    pub fn time(time: Duration) -> Limits {
        Limits {
            hard: Some(time),
            ..Limits::default()
        }
    }

    /// No limits, with a clock that counts nodes, or playouts, of which so many are a second, at least
    /// one. Timed searches are then the same on every machine.
    pub fn by_nodes(per_second: u64) -> Limits {
        let clock = NodeClock {
            per_second: per_second.max(1),
            nodes: AtomicU64::new(0),
        };
        Limits {
            start: Start::Nodes(Arc::new(clock), 0),
            ..Limits::default()
        }
    }

    /// No limits, with the same clock, from now on.
    pub fn from_now(&self) -> Limits {
        let start = match &self.start {
            Start::Clock(_) => Start::Clock(Instant::now()),
            Start::Nodes(clock, _) => {
                Start::Nodes(clock.clone(), clock.nodes.load(Ordering::Relaxed))
            }
        };
        Limits {
            start,
            ..Limits::default()
        }
    }

    /// Counts nodes, which take time if the clock counts them.
    #[inline]
    pub fn spend(&self, nodes: u64) {
        if let Start::Nodes(clock, _) = &self.start {
            clock.nodes.fetch_add(nodes, Ordering::Relaxed);
        }
    }

    /// Whether there is a time limit.
    pub fn is_timed(&self) -> bool {
        self.soft.is_some() || self.hard.is_some()
    }

    /// The limits of the search of a position with so many moves. The only move takes a sixteenth of the
    /// time, which gives it a value that a search found, unless its value is what counts.
    pub fn with_choices(&self, moves: usize) -> Limits {
        let mut limits = self.clone();
        if moves == 1 && !self.for_value {
            limits.soft = self.soft.map(|time| time / FORCED_PART);
            limits.hard = self.hard.map(|time| time / FORCED_PART);
        }
        limits
    }

    /// The limits of a search beside another one: this share, 0 to 1, of the nodes and of the time that is
    /// left. One node is left for the other search.
    pub fn share(&self, share: f64) -> Limits {
        let spent = self.elapsed();
        let of_time = |time: Duration| spent + time.saturating_sub(spent).mul_f64(share);
        let of_nodes = |nodes: u64| ((nodes as f64 * share) as u64).min(nodes.saturating_sub(1));
        let mut part = self.clone();
        part.nodes = self.nodes.map(of_nodes);
        (part.soft, part.hard) = (self.soft.map(of_time), self.hard.map(of_time));
        part
    }

    /// Time since these limits were created.
    pub fn elapsed(&self) -> Duration {
        match &self.start {
            Start::Clock(start) => start.elapsed(),
            Start::Nodes(clock, start) => {
                let nodes = clock.nodes.load(Ordering::Relaxed) - start;
                Duration::from_nanos(
                    (u128::from(nodes) * 1_000_000_000 / u128::from(clock.per_second)) as u64,
                )
            }
        }
    }

    /// Whether a search that has visited `nodes` nodes must stop now. Reads the clock if there is a
    /// time limit, so call it only every few hundred nodes.
    pub fn exhausted(&self, nodes: u64) -> bool {
        self.stop.is_set()
            || self.nodes.is_some_and(|limit| nodes >= limit)
            || self.hard.is_some_and(|limit| self.elapsed() >= limit)
            || self.overrun()
    }

    /// Whether an iteration that started within the soft limit has run too long.
    fn overrun(&self) -> bool {
        self.soft_limit()
            .is_some_and(|soft| self.elapsed() >= soft.mul_f32(OVERRUN))
    }

    /// Sets the scale factor of the soft limit, for all clones of these limits. The hard limit is
    /// unchanged.
    pub fn scale_soft_limit(&self, factor: f32) {
        let factor = if factor.is_finite() {
            factor.max(0.0)
        } else {
            1.0
        };
        self.soft_scale.0.store(factor.to_bits(), Ordering::Relaxed);
    }

    /// The scaled soft limit.
    pub fn soft_limit(&self) -> Option<Duration> {
        let factor = f32::from_bits(self.soft_scale.0.load(Ordering::Relaxed));
        self.soft.map(|soft| soft.mul_f32(factor))
    }

    /// Whether the scaled soft limit is reached.
    pub fn soft_limit_reached(&self) -> bool {
        self.soft_limit().is_some_and(|soft| self.elapsed() >= soft)
    }

    /// Whether a search should not start another iteration, which will take at least as long as all
    /// iterations so far: half of the scaled soft limit is over.
    pub fn no_time_for_iteration(&self) -> bool {
        self.soft_limit()
            .is_some_and(|soft| self.elapsed() * 2 >= soft)
    }
}

/// Statistics of pruning in a tree search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Probes of the transposition table.
    pub probes: u64,
    /// Probes that found an entry (TT hits).
    pub hits: u64,
    /// Nodes with a cutoff (fail high) by a move.
    pub cutoffs: u64,
    /// Nodes with a cutoff by the first searched move.
    pub first_cutoffs: u64,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.cutoffs += other.cutoffs;
        self.first_cutoffs += other.first_cutoffs;
    }
}

/// A progress report of a search; the last report is the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M: Move> {
    /// Completed depth of iterative deepening, or length of the principal variation (Monte Carlo),
    /// in plies.
    pub depth: u32,
    /// Maximum ply reached.
    pub seldepth: u32,
    /// Value of the root for its side to move; `None` if nothing has been searched.
    pub score: Option<Score>,
    /// Whether the score is final: it is proven, or depends on final positions only, so that no
    /// longer search can change it.
    pub solved: bool,
    /// Number of nodes or playouts.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// Fill level of the table or tree, in thousandths.
    pub hashfull: u32,
    /// Pruning statistics of tree search; zero for other algorithms.
    pub counters: Counters,
    /// The principal variation; its first move is the move to play. Never empty for a position that
    /// has a move.
    pub pv: Vec<M>,
    /// What a proof search knows of the root: the moves in the cells that the winner needs if it is
    /// solved, otherwise the moves that may still win. Empty if nothing is known.
    pub region: Vec<M>,
}

impl<M: Move> Report<M> {
    /// The report before the search has started.
    pub fn empty(limits: &Limits) -> Report<M> {
        Report {
            depth: 0,
            seldepth: 0,
            score: None,
            solved: false,
            nodes: 0,
            time: limits.elapsed(),
            hashfull: 0,
            counters: Counters::default(),
            pv: Vec::new(),
            region: Vec::new(),
        }
    }

    /// The same report with another principal variation, on moves of another kind.
    pub fn with_line<N: Move>(&self, pv: Vec<N>) -> Report<N> {
        Report {
            depth: self.depth,
            seldepth: self.seldepth,
            score: self.score,
            solved: self.solved,
            nodes: self.nodes,
            time: self.time,
            hashfull: self.hashfull,
            counters: self.counters,
            pv,
            region: Vec::new(),
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
        let parent = StopFlag::default();
        let [one, other] = [parent.child(), parent.child()];
        one.stop();
        assert!(one.clone().is_set() && !other.is_set() && !parent.is_set());
        parent.stop();
        assert!(other.is_set());
    }

    #[test]
    fn nodes_are_time_where_the_clock_counts_them() {
        let limits = Limits::by_nodes(2_000);
        assert_eq!(limits.elapsed(), Duration::ZERO);
        limits.clone().spend(3_000);
        assert_eq!(limits.elapsed(), Duration::from_millis(1_500));
        let rest = Limits {
            hard: Some(Duration::from_millis(10)),
            ..limits.from_now()
        };
        assert_eq!(rest.elapsed(), Duration::ZERO);
        rest.spend(19);
        assert!(!rest.exhausted(0));
        rest.spend(1);
        assert!(rest.exhausted(0), "after 10 ms");
        assert_eq!(limits.elapsed(), Duration::from_millis(1_510));
    }

    #[test]
    fn clones_share_the_scale_of_the_soft_limit() {
        let second = Duration::from_secs(1);
        let mut limits = Limits::time(second);
        limits.soft = Some(second);
        let clone = limits.clone();
        limits.scale_soft_limit(0.5);
        assert_eq!(clone.soft_limit(), Some(second / 2));
        assert!(!clone.soft_limit_reached() && !clone.exhausted(0));
        limits.scale_soft_limit(0.0);
        assert!(clone.soft_limit_reached() && clone.no_time_for_iteration());
        assert!(clone.exhausted(0), "an iteration that overruns is ended");
        limits.scale_soft_limit(f32::NAN);
        assert_eq!(clone.soft_limit(), Some(second));
        assert_eq!(Limits::default().soft_limit(), None);
    }
}

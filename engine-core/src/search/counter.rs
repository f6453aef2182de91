//! Counts nodes, and checks the limits of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::limits::Limits;
use crate::score::Score;

/// The search was stopped; the value it was computing is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// A value, unless the search was stopped.
pub type Value = Result<Score, Stopped>;

/// Nodes between two checks of the clock and the stop flag.
const CHECK_EVERY: u64 = 64;

/// The node count of one thread, and its limits. A node limit is exact.
#[derive(Debug, Default)]
pub struct NodeCounter {
    limits: Limits,
    nodes: u64,
    /// Node count at which the limits are checked next.
    next_check: u64,
    /// Nodes of all threads. Each thread adds its nodes when it checks the limits.
    shared: Arc<AtomicU64>,
    /// Nodes of this thread already added to `shared`.
    added: u64,
    /// Those of them that other searches have counted, and taken time for, since then.
    of_others: u64,
}

impl NodeCounter {
    /// Counts from 0, against `limits`. `shared` sums the nodes of all threads.
    pub fn new(limits: &Limits, shared: &Arc<AtomicU64>) -> NodeCounter {
        NodeCounter {
            limits: limits.clone(),
            shared: shared.clone(),
            ..NodeCounter::default()
        }
    }

    /// Counts against other limits from now on.
    pub fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
        self.next_check = self.nodes;
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node.
    ///
    /// # Errors
    /// The search must stop before it.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts the nodes of another search.
    pub(crate) fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.of_others += nodes;
    }

    /// The limits of the rest of the search.
    pub(crate) fn rest(&self) -> Limits {
        let mut limits = self.limits.clone();
        limits.nodes = (limits.nodes).map(|most| most.saturating_sub(self.nodes));
        limits
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        let news = self.nodes - self.added;
        self.shared.fetch_add(news, Ordering::Relaxed);
        self.limits
            .spend(news - std::mem::take(&mut self.of_others));
        self.added = self.nodes;
        if self.limits.exhausted(self.nodes) {
            return Err(Stopped);
        }
        let limit = self.limits.nodes.unwrap_or(u64::MAX);
        self.next_check = limit.min(self.nodes + CHECK_EVERY);
        Ok(())
    }
}

//! Counting nodes, and ending a search on time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::limits::Limits;
use crate::score::Score;

/// The search was ended from outside; what it was about to return is worthless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// A value, unless the search was stopped.
pub(super) type Value = Result<Score, Stopped>;

/// How often, in nodes, the clock and the stop flag are looked at.
const LOOK_EVERY: u64 = 64;

/// The nodes of one thread, held against its limits. A limit of nodes is kept exactly.
#[derive(Debug, Default)]
pub(super) struct Meter {
    limits: Limits,
    nodes: u64,
    /// At so many nodes the limits are looked at again.
    next_look: u64,
    /// Nodes of all threads, as far as they have been added up.
    shared: Arc<AtomicU64>,
    /// How many of this thread's are in there.
    added: u64,
}

impl Meter {
    pub(super) fn new(limits: &Limits, shared: &Arc<AtomicU64>) -> Meter {
        Meter {
            limits: limits.clone(),
            shared: shared.clone(),
            ..Meter::default()
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node, or ends the search before it.
    #[inline]
    pub(super) fn count(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        self.shared
            .fetch_add(self.nodes - self.added, Ordering::Relaxed);
        self.added = self.nodes;
        if self.limits.exhausted(self.nodes) {
            return Err(Stopped);
        }
        let limit = self.limits.nodes.unwrap_or(u64::MAX);
        self.next_look = limit.min(self.nodes + LOOK_EVERY);
        Ok(())
    }
}

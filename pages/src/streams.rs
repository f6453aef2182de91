//! How many streams of events are open: each takes a connection, which others must find free.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Resource, getrlimit, setrlimit};

use crate::guard::Visitor;

/// Most streams of a visitor.
const EACH: usize = 256;

/// Most streams in all, where the system gives so many open files.
const ALL: usize = 4096;

/// Open files that are kept for everything else: logs, requests, engines.
const OTHERS: u64 = 512;

/// The streams that are open, by visitor.
pub(crate) struct Streams {
    open: Mutex<HashMap<Visitor, usize>>,
    most: usize,
}

/// A stream that may be open. It is counted until this is dropped.
pub(crate) struct Ticket {
    streams: Arc<Streams>,
    visitor: Visitor,
}

impl Streams {
    /// No stream is open. Raises the number of files that this process may have open, as far as the system
    /// lets it.
    pub(crate) fn new() -> Streams {
        let mut limit = getrlimit(Resource::Nofile);
        let wanted = ALL as u64 + OTHERS;
        let allowed = limit.maximum.map_or(wanted, |most| most.min(wanted));
        if limit.current.is_some_and(|current| current < allowed) {
            limit.current = Some(allowed);
            // Then there are fewer streams.
            let _ = setrlimit(Resource::Nofile, limit);
        }
        let files = getrlimit(Resource::Nofile).current.unwrap_or(wanted);
        Streams::of(files)
    }

    /// No stream is open of those that so many open files allow.
    fn of(files: u64) -> Streams {
        Streams {
            open: Mutex::default(),
            most: (files.saturating_sub(OTHERS) as usize).min(ALL),
        }
    }

    /// Whether a visitor may open another stream. The operator's do not depend on those of others.
    pub(crate) fn admit(self: &Arc<Self>, visitor: Visitor) -> Option<Ticket> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = open.values().sum();
        let own = open.entry(visitor).or_default();
        if *own >= EACH || all >= self.most && visitor != Visitor::Operator {
            return None;
        }
        *own += 1;
        Some(Ticket {
            streams: Arc::clone(self),
            visitor,
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let open = &self.streams.open;
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = open.get_mut(&self.visitor) {
            *own -= 1;
            if *own == 0 {
                open.remove(&self.visitor);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(number: u8) -> Visitor {
        Visitor::Address([10, 0, 0, number].into())
    }

    #[test]
    fn nobody_takes_all_streams() {
        let streams = Arc::new(Streams::of(1024));
        let open =
            |visitor| -> Vec<Ticket> { std::iter::from_fn(|| streams.admit(visitor)).collect() };
        let mut first = open(visitor(1));
        assert_eq!(first.len(), EACH);
        let second = open(visitor(2));
        assert_eq!(second.len(), 512 - EACH);
        assert!(streams.admit(visitor(3)).is_none());
        // The operator has their own.
        let own = open(Visitor::Operator);
        assert_eq!(own.len(), EACH);
        first.truncate(EACH - 3);
        drop(own);
        assert_eq!(open(visitor(3)).len(), 3);
        drop((first, second));
        assert!(streams.open.lock().unwrap().is_empty());
    }

    #[test]
    fn few_open_files_are_no_reason_to_end() {
        let streams = Arc::new(Streams::of(100));
        assert!(streams.admit(visitor(1)).is_none());
        assert!(streams.admit(Visitor::Operator).is_some());
    }
}

//! Wins by continuous fours, looked for once in each position.

use engine_core::Limits;
use engine_core::threats::{ThreatBoard, ThreatSearch};

use crate::moves::Action;
use crate::threats::Threats;

/// Maximum number of nodes of one search.
const NODES: u64 = 100;
/// The table of one search has two to this power of entries.
const TABLE_BITS: u32 = 9;
/// Number of positions that are remembered, a power of two: 512 KiB.
const KNOWN: usize = 1 << 15;

/// A search for continuous fours that remembers its results. The results depend on the position
/// only: every search has the same limit and begins with an empty table.
pub(crate) struct Fours {
    search: ThreatSearch<Action>,
    limits: Limits,
    known: Box<[Known]>,
}

/// The result of a search.
#[derive(Clone, Copy)]
struct Known {
    key: u64,
    /// The first move of a win, and its plies.
    win: Option<(Action, u16)>,
}

impl Fours {
    pub(crate) fn new() -> Fours {
        let none = Known { key: 0, win: None };
        Fours {
            search: ThreatSearch::new(TABLE_BITS),
            limits: Limits::nodes(NODES),
            known: vec![none; KNOWN].into(),
        }
    }

    /// The first move of a win of the attacker, who is to move, and its plies.
    pub(crate) fn find(&mut self, threats: &mut Threats) -> Option<(Action, u32)> {
        if !threats.has_fours() {
            return None;
        }
        let key = threats.key();
        let place = key as usize % KNOWN;
        if self.known[place].key != key {
            self.search.forget();
            let win = self.search.find(threats, 0, &self.limits);
            let win = win.map(|(action, plies)| (action, plies as u16));
            self.known[place] = Known { key, win };
        }
        let (action, plies) = self.known[place].win?;
        Some((action, plies.into()))
    }
}

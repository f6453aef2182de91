//! The table of a guided search.

use std::collections::HashMap;

use crate::position::Move;
use crate::proof::numbers::INFINITE;
use crate::proof::zone::Zone;

/// One part in so many of its entries is dropped from a full table.
const CLEANED: usize = 2;
/// Bytes of a link from a position to its reduced one, with what the table and the allocator add.
const LINK_BYTES: usize = 2 * size_of::<(u64, u64)>();
/// What the table knows of a position.
#[derive(Clone, Debug)]
pub(super) struct Entry<M> {
    /// The numbers to prove that the side to move wins, and that it loses.
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// Positions that were opened for it.
    pub(super) work: u64,
    /// Of a solved position, the cells that its winner needs; else those of the refutations so far.
    pub(super) zone: Zone,
    /// Factors of the numbers of children that are not opened yet.
    pub(super) factors: (u8, u8),
    /// The cells in the zones of all refutations.
    pub(super) must: Zone,
    /// The move that wins.
    pub(super) best: Option<M>,
    /// The moves with their costs; none once it is solved.
    pub(super) moves: Box<[(M, u8)]>,
}

impl<M> Entry<M> {
    pub(super) fn won(best: M, zone: Zone) -> Entry<M> {
        Entry {
            best: Some(best),
            phi: 0,
            delta: INFINITE,
            ..Entry::lost(zone)
        }
    }

    pub(super) fn lost(zone: Zone) -> Entry<M> {
        Entry {
            phi: INFINITE,
            delta: 0,
            work: 0,
            factors: (1, 1),
            zone,
            must: Zone::EMPTY,
            best: None,
            moves: Box::default(),
        }
    }

    pub(super) fn is_solved(&self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// Bytes in the table, with what the table and the allocator add.
    fn bytes(&self) -> usize {
        size_of::<(u64, Entry<M>)>() + 24 + size_of_val(&*self.moves)
    }
}

/// What is known of positions, within a number of bytes.
pub(super) struct Table<M> {
    entries: HashMap<u64, Entry<M>>,
    /// The key of the reduced position, by the key of the position.
    reduced: HashMap<u64, u64>,
    bytes: usize,
    most_bytes: usize,
}

impl<M: Move> Table<M> {
    /// At most `bytes` bytes, but some hundred positions at least.
    pub(super) fn new(bytes: usize) -> Table<M> {
        Table {
            entries: HashMap::new(),
            reduced: HashMap::new(),
            bytes: 0,
            most_bytes: bytes.max(1 << 17),
        }
    }

    /// What is known of a position itself.
    pub(super) fn get(&self, key: u64) -> Option<&Entry<M>> {
        self.entries.get(&key)
    }

    /// What is known of a position or of its reduced one.
    pub(super) fn known(&self, key: u64) -> Option<&Entry<M>> {
        let linked = || self.entries.get(self.reduced.get(&key)?);
        self.entries.get(&key).or_else(linked)
    }

    /// Stores an entry, which a full table may drop at once.
    pub(super) fn store(&mut self, key: u64, entry: Entry<M>) {
        self.bytes += entry.bytes();
        if let Some(old) = self.entries.insert(key, entry) {
            self.bytes -= old.bytes();
        }
        if self.bytes > self.most_bytes {
            self.clean();
        }
    }

    /// Removes and returns the entry of a position.
    pub(super) fn take(&mut self, key: u64) -> Option<Entry<M>> {
        let entry = self.entries.remove(&key)?;
        self.bytes -= entry.bytes();
        Some(entry)
    }

    /// Links a position to its reduced one.
    pub(super) fn link(&mut self, key: u64, reduced: u64) {
        if self.reduced.insert(key, reduced).is_none() {
            self.bytes += LINK_BYTES;
        }
    }

    /// Drops the entries with the least work, by key where the work is equal.
    fn clean(&mut self) {
        let rank = |(&key, entry): (&u64, &Entry<M>)| (entry.work, key);
        let mut ranks: Vec<(u64, u64)> = self.entries.iter().map(rank).collect();
        let middle = ranks.len() / CLEANED;
        let least = *ranks.select_nth_unstable(middle).1;
        self.entries
            .retain(|&key, entry| (entry.work, key) >= least);
        self.reduced.retain(|_, key| self.entries.contains_key(key));
        let entries: usize = self.entries.values().map(Entry::bytes).sum();
        self.bytes = entries + self.reduced.len() * LINK_BYTES;
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.reduced.clear();
        self.bytes = 0;
    }

    /// The used part of its bytes, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.bytes as u64 * 1000 / self.most_bytes as u64) as u32
    }
}

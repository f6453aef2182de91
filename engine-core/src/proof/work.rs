//! The table of depth-first proof-number search: proof and disproof numbers, and the size of their
//! search.

use super::numbers::Numbers;

/// A table entry.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    numbers: Numbers,
    /// Nodes searched below it; 0 in an empty slot.
    work: u32,
    /// Bits of the best move, 0 for none.
    mv: u32,
}

const _: () = assert!(size_of::<Slot>() == 24);

const EMPTY: Slot = Slot {
    key: 0,
    numbers: Numbers::UNKNOWN,
    work: 0,
    mv: 0,
};

/// A table that prefers entries with large searches.
///
/// A position may be stored in any slot of its window. When the table is nearly full, the entries
/// with the smallest searches are removed, because most of them are never used again (SmallTreeGC,
/// Nagai 2002). Each store removes a few, so that no store takes long. If a window is full before
/// that, its entry with the smallest search is replaced.
#[derive(Debug)]
pub(super) struct WorkTable {
    slots: Vec<Slot>,
    used: usize,
    /// Position of the current garbage collection, and the maximum work of the entries that it
    /// removes.
    collecting: Option<(usize, u32)>,
}

/// Number of slots in which a position may be stored.
const WINDOW: usize = 8;
/// Number of slots that a store checks during garbage collection.
const COLLECT: usize = 16;
/// Number of slots sampled to estimate the median work.
const SAMPLE: usize = 512;

impl WorkTable {
    /// A table of at most `bytes` bytes, but at least one window. `None` if the memory cannot be
    /// allocated.
    pub(super) fn new(bytes: usize) -> Option<WorkTable> {
        let count = (bytes / size_of::<Slot>()).max(WINDOW);
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        slots.resize(count, EMPTY);
        Some(WorkTable {
            slots,
            used: 0,
            collecting: None,
        })
    }

    /// Empties the table.
    pub(super) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.used = 0;
        self.collecting = None;
    }

    fn window(&self, key: u64) -> std::ops::Range<usize> {
        // Multiply-shift: the high bits of the key choose the window.
        let first = self.slots.len() - WINDOW + 1;
        let begin = ((key as u128 * first as u128) >> 64) as usize;
        begin..begin + WINDOW
    }

    fn find(&self, key: u64) -> Option<&Slot> {
        let window = &self.slots[self.window(key)];
        window.iter().find(|slot| slot.key == key && slot.work > 0)
    }

    /// The numbers of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        self.find(key).map(|slot| slot.numbers)
    }

    /// Bits of the best move of the position with this key.
    pub(super) fn best_move(&self, key: u64) -> Option<u32> {
        self.find(key).map(|slot| slot.mv).filter(|&mv| mv != 0)
    }

    /// Stores the result of `work` more nodes, at least one. Replaces the position's own entry, an
    /// empty slot, or the entry with the smallest work in the window.
    pub(super) fn store(&mut self, key: u64, numbers: Numbers, mv: u32, work: u64) {
        let window = self.window(key);
        // Garbage collection may have emptied a slot in front of the position's slot.
        let is_known = |slot: &Slot| slot.key == key && slot.work > 0;
        let rank = |slot: &Slot| (!is_known(slot), slot.work);
        let slot = self.slots[window].iter_mut().min_by_key(|slot| rank(slot));
        let slot = slot.expect("a window has slots");
        self.used += (slot.work == 0) as usize;
        let before = if slot.key == key { slot.work } else { 0 };
        let work = work.max(1).saturating_add(before.into());
        *slot = Slot {
            key,
            numbers,
            work: work.min(u32::MAX as u64) as u32,
            mv,
        };
        self.collect();
    }

    /// Continues a garbage collection, or starts one if seven of eight slots are in use.
    fn collect(&mut self) {
        let Some((begin, most)) = self.collecting else {
            if self.used > self.slots.len() / 8 * 7 {
                self.collecting = Some((0, self.median_work()));
            }
            return;
        };
        let end = (begin + COLLECT).min(self.slots.len());
        for slot in &mut self.slots[begin..end] {
            if (1..=most).contains(&slot.work) {
                *slot = EMPTY;
                self.used -= 1;
            }
        }
        self.collecting = (end < self.slots.len()).then_some((end, most));
    }

    /// The median work of the entries, from a sample.
    fn median_work(&self) -> u32 {
        let step = (self.slots.len() / SAMPLE).max(1);
        let sample = self.slots.iter().step_by(step).map(|slot| slot.work);
        let mut work: Vec<u32> = sample.filter(|&work| work > 0).collect();
        let middle = work.len() / 2;
        if work.is_empty() {
            return 0;
        }
        *work.select_nth_unstable(middle).1
    }

    /// How full the table is, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.used as u64 * 1000 / self.slots.len() as u64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zobrist::mix;

    fn numbers(proof: u32) -> Numbers {
        Numbers { proof, disproof: 1 }
    }

    #[test]
    fn what_is_stored_is_found_and_work_adds_up() {
        let mut table = WorkTable::new(1 << 16).unwrap();
        for key in [0, u64::MAX] {
            assert_eq!(table.probe(key), None);
            table.store(key, numbers(7), 3, 5);
            table.store(key, numbers(8), 4, 6);
            assert_eq!(table.probe(key), Some(numbers(8)));
            assert_eq!(table.best_move(key), Some(4));
            assert_eq!(table.find(key).unwrap().work, 11);
        }
        assert_eq!(table.used, 2);
        table.clear();
        assert_eq!(table.probe(0), None);
    }

    #[test]
    fn a_position_has_one_slot_even_if_one_before_it_is_emptied() {
        let mut table = WorkTable::new(0).unwrap();
        for key in 1..=3 {
            table.store(key, numbers(2), 0, 5);
        }
        table.slots[0] = EMPTY;
        table.used -= 1;
        table.store(3, numbers(9), 0, 1);
        assert_eq!(table.probe(3), Some(numbers(9)));
        let of_three = table.slots.iter().filter(|slot| slot.key == 3);
        assert_eq!((of_three.count(), table.used), (1, 2));
    }

    #[test]
    fn a_full_window_gives_up_the_least_work() {
        let mut table = WorkTable::new(0).unwrap();
        for key in 1..=WINDOW as u64 {
            table.slots[key as usize - 1] = Slot {
                key,
                work: 100 + key as u32,
                ..EMPTY
            };
        }
        table.used = WINDOW - 1;
        table.store(99, numbers(5), 0, 7);
        assert_eq!(table.probe(1), None);
        assert!((2..=WINDOW as u64).all(|key| table.probe(key).is_some()));
        assert_eq!(table.probe(99), Some(numbers(5)));
    }

    #[test]
    fn a_nearly_full_table_drops_small_trees_and_keeps_large_ones() {
        let mut table = WorkTable::new(24 * 4096).unwrap();
        for i in 0..50_000u64 {
            let work = if i < 500 { 1000 } else { 1 + i % 50 };
            table.store(mix(i), numbers(2), 0, work);
            let used = table.slots.iter().filter(|slot| slot.work > 0).count();
            assert!(i % 1000 != 0 || used == table.used);
        }
        let large = (0..500).filter(|&i| table.probe(mix(i)).is_some()).count();
        assert_eq!(large, 500);
    }
}

//! The transposition table: shared by threads without locks, never torn.

use crate::memory::Zeroed;
use crate::position::Move;
use crate::score::Score;
use crate::sync::{AtomicU8, AtomicU64, Ordering};

/// What a stored score says of the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// It is the value.
    Exact = 1,
    /// The value is this or more: the search failed high.
    Lower = 2,
    /// The value is this or less: the search failed low.
    Upper = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<M> {
    /// The best move, or the one that cut off, if one is known.
    pub mv: Option<M>,
    /// The value, or a bound of it, counted from the node ([`Score::from_root`]).
    pub score: Score,
    /// Depth of the search behind it, plies, 0 to 255.
    pub depth: u8,
    /// What `score` is.
    pub bound: Bound,
}

/// An entry takes two words, the key XOR the data and the data, each written by one atomic store.
/// Words of two different entries do not match any key but by chance (Hyatt and Mann, *A Lockless
/// Transposition Table*, 2002), and a mismatch reads as "not there".
#[derive(Default, Debug)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// Key and data, as far as nobody writes meanwhile.
    #[inline]
    fn read(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ data, data)
    }

    #[inline]
    fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

/// Four entries in one cache line.
#[derive(Default, Debug)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

#[cfg(not(loom))]
const _: () = assert!(size_of::<Bucket>() == 64);
#[cfg(not(loom))]
// SAFETY: atomics are valid as zero, and all-zero is what `default()` gives.
unsafe impl crate::memory::Zeroable for Bucket {}

/// Which entry of a full bucket gives way to another position's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replacement {
    /// The shallowest, where an entry of an earlier search counts as shallower for each search of
    /// age.
    #[default]
    DepthAndAge,
    /// The shallowest, however old.
    Depth,
    /// Any: the one in the place that the key asks for.
    Always,
}

/// A fixed-size table from keys to [`Entry`].
#[derive(Debug)]
pub struct Table {
    buckets: Zeroed<Bucket>,
    replacement: Replacement,
    /// Counts searches, so that entries of earlier ones are replaced first.
    generation: AtomicU8,
}

/// One search of age weighs as much as this many plies of depth.
const AGE_WEIGHT: i32 = 8;

/// data: move 24 bits | score 22 | depth 8 | bound 2 | generation 8.
fn pack<M: Move>(entry: &Entry<M>, generation: u8) -> u64 {
    let mv = entry.mv.map_or(0, Move::to_bits) as u64;
    let score = (entry.score.value() as u32 & 0x3f_ffff) as u64;
    mv | score << 24
        | (entry.depth as u64) << 46
        | (entry.bound as u64) << 54
        | (generation as u64) << 56
}

fn unpack<M: Move>(data: u64) -> Option<Entry<M>> {
    let bound = match data >> 54 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    let bits = data as u32 & 0xff_ffff;
    Some(Entry {
        mv: (bits != 0).then(|| M::from_bits(bits)),
        // Sign-extends 22 bits.
        score: Score::from_value((((data >> 24) as i32) << 10) >> 10),
        depth: (data >> 46) as u8,
        bound,
    })
}

impl Table {
    /// A table of at most `megabytes` MiB, at least one bucket. `None` if the system does not have
    /// the memory.
    pub fn new(megabytes: usize) -> Option<Table> {
        let buckets = megabytes.checked_mul(1 << 20)? / size_of::<Bucket>();
        Table::of_buckets(buckets, Replacement::default())
    }

    /// A table of so many buckets, at least one, of four entries each.
    pub fn of_buckets(buckets: usize, replacement: Replacement) -> Option<Table> {
        Some(Table {
            buckets: Zeroed::new(buckets)?,
            replacement,
            generation: AtomicU8::new(0),
        })
    }

    /// Begins a new search: all entries grow a generation older.
    pub fn age(&self) {
        let next = self.generation.load(Ordering::Relaxed).wrapping_add(1);
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.write(0, 0);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // Multiply-shift: the high bits of the key choose the bucket, any number of them.
        &self.buckets[((key as u128 * self.buckets.len() as u128) >> 64) as usize]
    }

    /// Asks the processor to load the bucket of `key` ahead of [`Table::probe`].
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch has no effect but on the cache; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe<M: Move>(&self, key: u64) -> Option<Entry<M>> {
        self.bucket(key).0.iter().find_map(|slot| {
            let (found, data) = slot.read();
            if found == key { unpack(data) } else { None }
        })
    }

    /// Stores what a search found. It takes the place of what is known of the same position, or
    /// else of the entry that the table's [`Replacement`] gives up. A shallower entry does not
    /// displace a deeper one of the same position and search.
    #[inline]
    pub fn store<M: Move>(&self, key: u64, mut entry: Entry<M>) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = &self.bucket(key).0[0];
        let mut least = i32::MAX;
        for (place, slot) in self.bucket(key).0.iter().enumerate() {
            let (found, data) = slot.read();
            if found == key
                && let Some(known) = unpack::<M>(data)
            {
                let fresh = (data >> 56) as u8 == generation;
                if fresh && known.depth > entry.depth {
                    return;
                }
                // A fail-low has no best move; the known one still orders best.
                entry.mv = entry.mv.or(known.mv);
                victim = slot;
                break;
            }
            let worth = match self.replacement {
                Replacement::DepthAndAge => worth(data, generation),
                Replacement::Depth => worth(data, (data >> 56) as u8),
                Replacement::Always => -((place as u64 == key % 4) as i32),
            };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        victim.write(key, pack(&entry, generation));
    }

    /// How much of the table holds entries of this search, in thousandths, from a sample.
    pub fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|data| data >> 54 & 3 != 0 && (data >> 56) as u8 == generation)
            .count();
        (used * 1000 / (sample.len() * 4)) as u32
    }
}

/// How much an entry is worth keeping; the least for an empty slot.
fn worth(data: u64, generation: u8) -> i32 {
    if data >> 54 & 3 == 0 {
        return i32::MIN;
    }
    let age = generation.wrapping_sub((data >> 56) as u8);
    (data >> 46) as u8 as i32 - AGE_WEIGHT * age as i32
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Bits(u32);
    impl Move for Bits {
        fn to_bits(self) -> u32 {
            self.0
        }
        fn from_bits(bits: u32) -> Bits {
            Bits(bits)
        }
    }

    fn entry(mv: u32, score: i32, depth: u8, bound: Bound) -> Entry<Bits> {
        let mv = (mv != 0).then_some(Bits(mv));
        Entry {
            mv,
            score: Score::from_value(score),
            depth,
            bound,
        }
    }

    #[test]
    fn entries_survive_packing() {
        for mv in [0, 1, 0xff_ffff] {
            for score in [-1_000_001, -1, 0, 1, 999_999, 1_000_001] {
                for depth in [0, 1, 255] {
                    for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                        let entry = entry(mv, score, depth, bound);
                        assert_eq!(unpack(pack(&entry, 200)), Some(entry));
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1).unwrap();
        let stored = entry(7, -31, 4, Bound::Lower);
        table.store(0, stored);
        table.store(u64::MAX, entry(8, 5, 1, Bound::Exact));
        assert_eq!(table.probe(0), Some(stored));
        assert_eq!(table.probe::<Bits>(1), None);
        table.clear();
        assert_eq!(table.probe::<Bits>(0), None);
    }

    #[test]
    fn the_least_valuable_entry_is_replaced() {
        // Zero megabytes: one bucket for all keys.
        let table = Table::new(0).unwrap();
        for (key, depth) in [(1, 9), (2, 3), (3, 7), (4, 5)] {
            table.store(key, entry(1, 0, depth, Bound::Exact));
        }
        table.store(5, entry(1, 0, 1, Bound::Exact));
        assert_eq!(table.probe::<Bits>(2), None, "the shallowest goes");
        table.age();
        table.store(3, entry(1, 0, 2, Bound::Exact));
        table.store(6, entry(1, 0, 1, Bound::Exact));
        table.store(7, entry(1, 0, 1, Bound::Exact));
        assert!(
            table.probe::<Bits>(3).is_some(),
            "an entry of this search outlives older ones"
        );
        assert!(
            table.probe::<Bits>(1).is_some(),
            "depth 9 outweighs one search of age"
        );
    }

    #[test]
    fn a_shallow_entry_does_not_displace_a_deeper_entry_of_the_same_search() {
        let table = Table::new(1).unwrap();
        table.store(9, entry(3, 10, 6, Bound::Lower));
        table.store(9, entry(0, 5, 2, Bound::Exact));
        assert_eq!(table.probe(9), Some(entry(3, 10, 6, Bound::Lower)));
        table.age();
        table.store(9, entry(0, 5, 2, Bound::Upper));
        assert_eq!(
            table.probe(9),
            Some(entry(3, 5, 2, Bound::Upper)),
            "the move is kept"
        );
    }

    #[test]
    fn every_policy_gives_up_its_own_entry() {
        for (replacement, lost) in [
            (Replacement::DepthAndAge, 4),
            (Replacement::Depth, 6),
            (Replacement::Always, 5),
        ] {
            let table = Table::of_buckets(1, replacement).unwrap();
            let store = |key, depth| table.store(key, entry(1, 0, depth, Bound::Exact));
            store(4, 3);
            store(5, 9);
            table.age();
            table.age();
            store(6, 2);
            store(7, 7);
            store(9, 1);
            for key in [4, 5, 6, 7, 9] {
                let found = table.probe::<Bits>(key).is_some();
                assert_eq!(found, key != lost, "{key} with {replacement:?}");
            }
        }
    }

    #[test]
    fn an_impossible_size_is_refused() {
        assert!(Table::new(usize::MAX).is_none());
    }

    #[test]
    fn threads_never_read_a_mixture_of_two_entries() {
        let table = Table::new(0).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..2u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        let key = 1 + (i * 31 + thread) % 7;
                        // Every field is a function of the key, so that a mixture shows.
                        let k = key as u32;
                        table.store(key, entry(k, k as i32 * 10, k as u8, Bound::Exact));
                        if let Some(found) = table.probe::<Bits>(key) {
                            assert_eq!(found, entry(k, k as i32 * 10, k as u8, Bound::Exact));
                        }
                    }
                });
            }
        });
    }
}

/// `RUSTFLAGS="--cfg loom" cargo test -p engine-core --release --lib loom`
#[cfg(all(test, loom))]
mod loom_tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// A fact that outlives the model's runs, of which loom is to know nothing.
    type Shared = std::sync::Arc<AtomicBool>;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Bits(u32);
    impl Move for Bits {
        fn to_bits(self) -> u32 {
            self.0
        }
        fn from_bits(bits: u32) -> Bits {
            Bits(bits)
        }
    }

    /// In every order in which two threads may store an entry each into one bucket while a third
    /// looks for them, what is found under a key was stored under it.
    #[test]
    fn loom_no_mixture_of_two_entries_is_found() {
        let stored = [(5, 10, Bound::Exact), (6, -20, Bound::Lower)].map(|(key, score, bound)| {
            let entry = Entry {
                mv: Some(Bits(key)),
                score: Score::from_value(score),
                depth: key as u8,
                bound,
            };
            (key as u64, entry)
        });
        let is_found = move |table: &Table, key| {
            let entry = table.probe::<Bits>(key);
            let known = entry.is_none_or(|entry| stored.contains(&(key, entry)));
            assert!(known, "{entry:?} under {key}");
            entry.is_some()
        };
        // So that the test does not pass because nothing is ever found, or ever torn.
        let (found_once, torn_once) = (Shared::default(), Shared::default());
        let (found, torn) = (found_once.clone(), torn_once.clone());
        let mut model = loom::model::Builder::new();
        // What can be torn is torn by two: between the words of a writer, and of a reader.
        model.preemption_bound = Some(2);
        model.check(move || {
            let table = Arc::new(Table::new(0).unwrap());
            let writers = stored.map(|(key, entry)| {
                let table = table.clone();
                thread::spawn(move || table.store(key, entry))
            });
            let twin = table.clone();
            let reader = thread::spawn(move || stored.map(|(key, _)| is_found(&twin, key)));
            for writer in writers {
                writer.join().unwrap();
            }
            let early = reader.join().unwrap();
            let late = stored.map(|(key, _)| is_found(&table, key));
            found.fetch_or(early.contains(&true), Relaxed);
            torn.fetch_or(late == [false; 2], Relaxed);
        });
        assert!(found_once.load(Relaxed), "no entry was ever found");
        assert!(torn_once.load(Relaxed), "no entry was ever torn");
    }
}

//! The transposition table, shared by threads without locks; torn entries are never returned.

use crate::evaluate::Candidates;
use crate::memory::Zeroed;
use crate::position::Move;
use crate::score::Score;
use crate::sync::{AtomicU8, AtomicU64, Ordering};

/// The relation of a stored score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The score is the value.
    Exact = 1,
    /// The value is at least the score: the search failed high.
    Lower = 2,
    /// The value is at most the score: the search failed low.
    Upper = 3,
}

/// What a score rests on, the firmest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Grounds {
    /// Ends of the game and exact values ([`crate::Evaluator::exact`]) only: nothing can change it.
    Ends = 0,
    /// Ends of the game only, but moves that may be better were left out
    /// ([`Candidates::Selected`]): no search of the same candidates,
    /// however deep, can change it.
    Candidates = 1,
    /// Evaluations or pruned moves: a deeper search may change it.
    Estimates = 2,
}

impl Grounds {
    /// What a score can rest on at best if these candidates were searched.
    pub fn of(candidates: Candidates) -> Grounds {
        match candidates {
            Candidates::All | Candidates::Complete => Grounds::Ends,
            Candidates::Selected => Grounds::Candidates,
        }
    }

    /// Whether a deeper search can change the score.
    #[inline]
    pub fn may_change(self) -> bool {
        self == Grounds::Estimates
    }
}

/// A table entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<M> {
    /// The best move, or the move that caused the cutoff, if known.
    pub mv: Option<M>,
    /// The value or bound, with wins counted from the node ([`Score::from_root`]).
    pub score: Score,
    /// Depth of the search, plies, 0 to 255.
    pub depth: u8,
    /// Type of `score`.
    pub bound: Bound,
    /// What the score rests on.
    pub grounds: Grounds,
}

impl<M> Entry<M> {
    /// Whether this entry stays when `other` is stored for the same position: it is from a deeper
    /// search and gives at least the same information.
    fn outlasts(&self, other: &Entry<M>) -> bool {
        let covers = match self.bound {
            Bound::Exact => true,
            Bound::Lower => other.bound == Bound::Lower && self.score >= other.score,
            Bound::Upper => other.bound == Bound::Upper && self.score <= other.score,
        };
        covers && (other.grounds, self.depth) > (self.grounds, other.depth)
    }
}

/// An entry is two words, the key XOR the data and the data, each written by one atomic store.
/// Words of two different entries match a key only by chance (Hyatt and Mann, *A Lockless
/// Transposition Table*, 2002), and a mismatch is a miss.
#[derive(Default, Debug)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// Key and data; garbage if another thread writes at the same time.
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

/// Replacement policy: which entry of a full bucket is replaced by a new position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replacement {
    /// The shallowest entry; each search of age makes an entry count as shallower.
    #[default]
    DepthAndAge,
    /// The shallowest entry, regardless of age.
    Depth,
    /// The entry in the slot that the key selects.
    Always,
}

/// A fixed-size table from keys to [`Entry`].
#[derive(Debug)]
pub struct Table {
    buckets: Zeroed<Bucket>,
    replacement: Replacement,
    /// Number of searches modulo [`GENERATIONS`]; entries of earlier searches are replaced first.
    generation: AtomicU8,
}

/// Number of different generations.
const GENERATIONS: u8 = 64;

/// Plies of depth that one search of age counts as.
const AGE_WEIGHT: i32 = 8;

/// data: move 24 bits | score 22 | depth 8 | bound 2 | grounds 2 | generation 6.
fn pack<M: Move>(entry: &Entry<M>, generation: u8) -> u64 {
    let mv = entry.mv.map_or(0, Move::to_bits) as u64;
    let score = (entry.score.value() as u32 & 0x3f_ffff) as u64;
    mv | score << 24
        | (entry.depth as u64) << 46
        | (entry.bound as u64) << 54
        | (entry.grounds as u64) << 56
        | (generation as u64) << 58
}

/// The generation that packed data was stored in.
#[inline]
fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

fn unpack<M: Move>(data: u64) -> Option<Entry<M>> {
    let bound = match data >> 54 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    let grounds = match data >> 56 & 3 {
        0 => Grounds::Ends,
        1 => Grounds::Candidates,
        _ => Grounds::Estimates,
    };
    let bits = data as u32 & 0xff_ffff;
    Some(Entry {
        mv: (bits != 0).then(|| M::from_bits(bits)),
        // Sign-extends 22 bits.
        score: Score::from_value((((data >> 24) as i32) << 10) >> 10),
        depth: (data >> 46) as u8,
        bound,
        grounds,
    })
}

impl Table {
    /// A table of at most `megabytes` MiB, but at least one bucket. `None` if the memory cannot be
    /// allocated.
    pub fn new(megabytes: usize) -> Option<Table> {
        let buckets = megabytes.checked_mul(1 << 20)? / size_of::<Bucket>();
        Table::of_buckets(buckets, Replacement::default())
    }

    /// A table of `buckets` buckets, at least one, of four entries each.
    pub fn of_buckets(buckets: usize, replacement: Replacement) -> Option<Table> {
        Some(Table {
            buckets: Zeroed::new(buckets)?,
            replacement,
            generation: AtomicU8::new(0),
        })
    }

    /// Starts a new search: all entries become one generation older.
    pub fn age(&self) {
        let next = self.generation.load(Ordering::Relaxed) + 1;
        self.generation.store(next % GENERATIONS, Ordering::Relaxed);
    }

    /// Clears the table.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.write(0, 0);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // Multiply-shift: the high bits of the key choose the bucket; the number of buckets is
        // arbitrary.
        &self.buckets[((key as u128 * self.buckets.len() as u128) >> 64) as usize]
    }

    /// Prefetches the bucket of `key` for [`Table::probe`].
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

    /// The entry of the position with this key.
    #[inline]
    pub fn probe<M: Move>(&self, key: u64) -> Option<Entry<M>> {
        self.bucket(key).0.iter().find_map(|slot| {
            let (found, data) = slot.read();
            if found == key { unpack(data) } else { None }
        })
    }

    /// Stores an entry. It replaces the entry of the same position, or the entry that the
    /// [`Replacement`] policy selects. An entry of the same position from a deeper search stays,
    /// unless it is a bound and the new entry is more informative; its age is then refreshed.
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
                // A fail low has no best move; keep the known one for move ordering.
                entry.mv = entry.mv.or(known.mv);
                if known.outlasts(&entry) {
                    if generation_of(data) == generation {
                        return;
                    }
                    entry = known;
                }
                victim = slot;
                break;
            }
            let worth = match self.replacement {
                Replacement::DepthAndAge => worth(data, generation),
                Replacement::Depth => worth(data, generation_of(data)),
                Replacement::Always => -((place as u64 == key % 4) as i32),
            };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        victim.write(key, pack(&entry, generation));
    }

    /// Fraction of the table with entries of this search, in thousandths, from a sample.
    pub fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|&data| data >> 54 & 3 != 0 && generation_of(data) == generation)
            .count();
        (used * 1000 / (sample.len() * 4)) as u32
    }
}

/// Value of keeping an entry; the minimum for an empty slot.
fn worth(data: u64, generation: u8) -> i32 {
    if data >> 54 & 3 == 0 {
        return i32::MIN;
    }
    let age = generation.wrapping_sub(generation_of(data)) % GENERATIONS;
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
            grounds: Grounds::Estimates,
        }
    }

    #[test]
    fn entries_survive_packing() {
        for mv in [0, 1, 0xff_ffff] {
            for score in [-1_000_001, -1, 0, 1, 999_999, 1_000_001] {
                for depth in [0, 1, 255] {
                    for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                        for grounds in [Grounds::Ends, Grounds::Candidates, Grounds::Estimates] {
                            let entry = Entry {
                                grounds,
                                ..entry(mv, score, depth, bound)
                            };
                            let data = pack(&entry, GENERATIONS - 1);
                            assert_eq!(unpack(data), Some(entry));
                            assert_eq!(generation_of(data), GENERATIONS - 1);
                        }
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
    fn a_shallow_entry_displaces_a_deeper_one_only_if_it_says_something_else() {
        let exact = |depth| entry(3, 10, depth, Bound::Exact);
        let lower = |depth| entry(3, 10, depth, Bound::Lower);
        let upper = |depth| entry(3, 10, depth, Bound::Upper);
        let above = |depth| entry(3, 11, depth, Bound::Lower);
        let below = |depth| entry(3, 9, depth, Bound::Upper);
        let solved = |known| Entry {
            grounds: Grounds::Ends,
            ..known
        };
        for (known, new, kept) in [
            (exact(6), exact(2), true),
            (exact(6), upper(2), true),
            (lower(6), lower(2), true),
            (above(6), lower(2), true),
            (lower(6), above(2), false),
            (upper(6), upper(2), true),
            (upper(6), below(2), false),
            (lower(6), lower(6), false),
            (lower(6), upper(2), false),
            (upper(6), exact(2), false),
            (solved(exact(2)), exact(6), true),
            (solved(lower(2)), lower(6), true),
            (lower(6), solved(lower(2)), false),
        ] {
            for age in [0, 1, 5] {
                let table = Table::new(1).unwrap();
                table.store(9, known);
                (0..age).for_each(|_| table.age());
                table.store(9, new);
                let expected = if kept { known } else { new };
                assert_eq!(table.probe(9), Some(expected), "{known:?}, then {new:?}");
            }
        }
    }

    #[test]
    fn storing_again_refreshes_the_age() {
        let table = Table::new(0).unwrap();
        table.store(9, entry(3, 10, 6, Bound::Exact));
        table.age();
        assert_eq!(table.fullness(), 0);
        table.store(9, entry(0, 5, 2, Bound::Exact));
        assert_eq!(table.probe(9), Some(entry(3, 10, 6, Bound::Exact)));
        assert_eq!(table.fullness(), 250, "one of four");
    }

    #[test]
    fn a_best_move_is_kept() {
        let table = Table::new(1).unwrap();
        table.store(9, entry(3, 10, 2, Bound::Lower));
        table.store(9, entry(0, 5, 4, Bound::Upper));
        assert_eq!(table.probe(9), Some(entry(3, 5, 4, Bound::Upper)));
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
                        // Every field is a function of the key, so that a mixture is detected.
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

    /// A flag that survives the runs of the model; loom must not track it.
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

    /// Two threads store one entry each into the same bucket while a third probes: in every
    /// interleaving, an entry found under a key was stored under it.
    #[test]
    fn loom_no_mixture_of_two_entries_is_found() {
        let stored = [(5, 10, Bound::Exact), (6, -20, Bound::Lower)].map(|(key, score, bound)| {
            let entry = Entry {
                mv: Some(Bits(key)),
                score: Score::from_value(score),
                depth: key as u8,
                bound,
                grounds: Grounds::Estimates,
            };
            (key as u64, entry)
        });
        let is_found = move |table: &Table, key| {
            let entry = table.probe::<Bits>(key);
            let known = entry.is_none_or(|entry| stored.contains(&(key, entry)));
            assert!(known, "{entry:?} under {key}");
            entry.is_some()
        };
        // Ensures that the test does not pass only because nothing is ever found or torn.
        let (found_once, torn_once) = (Shared::default(), Shared::default());
        let (found, torn) = (found_once.clone(), torn_once.clone());
        let mut model = loom::model::Builder::new();
        // Two preemptions suffice to tear an entry: one between the words of a writer, one between
        // those of a reader.
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

//! The table of proven bounds.

use engine_core::zobrist::mix;

use super::settled::Settled;

/// Entries of a bucket: one cache line.
const BUCKET: usize = 4;

/// Bits of a bound: −25 to 25, stored plus [`BIAS`].
const BOUND_BITS: u32 = 6;
const BIAS: i32 = 32;
/// Bits of a move.
const MOVE_BITS: u32 = 7;
/// No move.
pub(super) const NO_MOVE: u8 = 127;
/// Bits of the logarithm of the nodes that a bound took.
const EFFORT_BITS: u32 = 6;

const DATA_BITS: u32 = 2 * BOUND_BITS + MOVE_BITS + EFFORT_BITS;
const _: () = assert!(Settled::BITS + DATA_BITS == 64);

/// The key of a quiet position. It is exact: no two positions share one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    /// The smallest image of the drawn lines.
    pub(super) drawn: u64,
    /// [`Settled::code`].
    pub(super) settled: u64,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// Net boxes to come for the side to move: at least, −25 to 25.
    pub(super) lower: i32,
    /// At most.
    pub(super) upper: i32,
    /// The move that proved the last lower bound, in numbers of the smallest image, below 128,
    /// or [`NO_MOVE`].
    pub(super) mv: u8,
    /// Binary logarithm of the nodes that it took, below 64. An empty entry has 0, any other at least 1.
    pub(super) effort: u8,
}

impl Known {
    /// Whether the value is at least `bound`, if that is known.
    #[inline]
    pub(super) fn reaches(self, bound: i32) -> Option<bool> {
        let is_known = self.lower >= bound || self.upper < bound;
        is_known.then_some(self.lower >= bound)
    }

    fn pack(self) -> u64 {
        (self.lower + BIAS) as u64
            | ((self.upper + BIAS) as u64) << BOUND_BITS
            | (self.mv as u64) << (2 * BOUND_BITS)
            | (self.effort as u64) << (2 * BOUND_BITS + MOVE_BITS)
    }

    fn unpack(data: u64) -> Known {
        let bound = |at: u32| (data >> at & 63) as i32 - BIAS;
        Known {
            lower: bound(0),
            upper: bound(BOUND_BITS),
            mv: (data >> (2 * BOUND_BITS) & 127) as u8,
            effort: (data >> (2 * BOUND_BITS + MOVE_BITS) & 63) as u8,
        }
    }
}

/// Drawn lines; then settled components above the data.
#[derive(Clone, Copy, Default, Debug)]
struct Slot([u64; 2]);

impl Slot {
    #[inline]
    fn holds(&self, key: Key) -> bool {
        self.0[0] == key.drawn && self.0[1] >> DATA_BITS == key.settled && self.0[1] != 0
    }

    #[inline]
    fn data(&self) -> u64 {
        self.0[1] & ((1 << DATA_BITS) - 1)
    }

    #[inline]
    fn effort(&self) -> u8 {
        Known::unpack(self.data()).effort
    }
}

/// Four entries in a cache line.
#[derive(Clone, Copy, Default, Debug)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

/// A table of a fixed size. A full bucket loses the entry that took the fewest nodes.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// A table of at most so many bytes, but at least one bucket. `None` if the memory cannot be
    /// allocated.
    pub(super) fn new(bytes: usize) -> Option<Table> {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.resize(count, Bucket::default());
        Some(Table { buckets })
    }

    /// The bucket of a position.
    #[inline]
    pub(super) fn bucket(&self, key: Key) -> usize {
        let hash = mix(key.drawn ^ mix(key.settled));
        ((hash as u128 * self.buckets.len() as u128) >> 64) as usize
    }

    /// Brings buckets into the cache, all at the same time: to read them one after the other, each with a
    /// decision, would wait for each.
    #[inline]
    pub(super) fn fetch(&self, buckets: impl Iterator<Item = usize>) {
        let read = |bucket: usize| self.buckets[bucket].0[0].0[0];
        std::hint::black_box(buckets.fold(0, |sum, bucket| sum ^ read(bucket)));
    }

    /// What is known of a position in its bucket.
    #[inline]
    pub(super) fn get_at(&self, bucket: usize, key: Key) -> Option<Known> {
        let slots = &self.buckets[bucket].0;
        let slot = slots.iter().find(|slot| slot.holds(key))?;
        Some(Known::unpack(slot.data()))
    }

    pub(super) fn set(&mut self, key: Key, known: Known) {
        let bucket = self.bucket(key);
        let slots = &mut self.buckets[bucket].0;
        let place = slots.iter().position(|slot| slot.holds(key));
        let cheapest = || (0..BUCKET).min_by_key(|&i| slots[i].effort());
        let place = place.or_else(cheapest).expect("a bucket has entries");
        slots[place] = Slot([key.drawn, key.settled << DATA_BITS | known.pack()]);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
    }

    /// Filled entries of the first thousand, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        let slots = self.buckets.iter().take(250).flat_map(|bucket| bucket.0);
        let (mut filled, mut all) = (0, 0);
        for slot in slots {
            filled += u32::from(slot.0[1] != 0);
            all += 1;
        }
        1_000 * filled / all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Table {
        fn get(&self, key: Key) -> Option<Known> {
            self.get_at(self.bucket(key), key)
        }
    }

    fn key(number: u64) -> Key {
        Key {
            drawn: mix(number),
            settled: mix(!number) >> DATA_BITS,
        }
    }

    fn known(number: u64) -> Known {
        let random = mix(number ^ 77);
        let lower = (random % 51) as i32 - 25;
        Known {
            lower,
            upper: lower.max((random >> 8) as i32 % 26),
            mv: (random >> 16) as u8 & 127,
            effort: 1 + (random >> 24) as u8 % 63,
        }
    }

    #[test]
    fn entries_come_back() {
        let mut table = Table::new(1 << 16).expect("memory");
        for number in 0..500 {
            assert_eq!(table.get(key(number)), None);
            table.set(key(number), known(number));
            assert_eq!(table.get(key(number)), Some(known(number)));
            table.set(key(number), known(number + 1));
            assert_eq!(table.get(key(number)), Some(known(number + 1)));
        }
        assert!((50..500).contains(&table.fullness()), "{table:?}");
        table.clear();
        assert_eq!(table.get(key(3)), None);
        assert_eq!(table.fullness(), 0);
    }

    #[test]
    fn a_full_bucket_keeps_the_most_expensive() {
        let mut table = Table::new(0).expect("memory");
        let of = |effort| Known { effort, ..known(1) };
        for number in 1..=20 {
            table.set(key(number), of(number as u8));
        }
        for number in 1..=20 {
            let there = table.get(key(number)).map(|known| known.effort);
            assert_eq!(there, (number > 16).then_some(number as u8));
        }
        // The newest entry always finds room.
        table.set(key(30), of(2));
        assert!(table.get(key(30)).is_some() && table.get(key(17)).is_none());
    }
}

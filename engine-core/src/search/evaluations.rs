//! A cache of static evaluations. It is separate from the transposition table, where evaluations
//! would displace search results.

use crate::score::Score;

/// Number of entries, a power of two: 1 MiB.
const ENTRIES: usize = 1 << 16;

/// Evaluations by key. Direct-mapped: of two keys with the same slot the later one stays.
pub(super) struct EvaluationCache {
    entries: Vec<(u64, Score)>,
}

impl EvaluationCache {
    /// An empty cache. If it is not `wanted` it takes no memory and must not be used.
    pub(super) fn new(wanted: bool) -> EvaluationCache {
        EvaluationCache {
            entries: (0..if wanted { ENTRIES } else { 0 }).map(nothing).collect(),
        }
    }

    /// The evaluation of the position with this key; calls `evaluate` on a miss.
    #[inline]
    pub(super) fn get_or(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        // The low bits choose the slot here, because the high bits choose the bucket of the
        // transposition table.
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.0 != key {
            *entry = (key, evaluate());
        }
        entry.1
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for (place, entry) in self.entries.iter_mut().enumerate() {
            *entry = nothing(place);
        }
    }
}

/// An empty entry: its key maps to another slot.
fn nothing(place: usize) -> (u64, Score) {
    (place as u64 ^ 1, Score::DRAW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_once_and_kept_until_its_place_is_taken() {
        let mut cache = EvaluationCache::new(true);
        let mut asked = 0;
        let mut get = |key: u64| {
            cache.get_or(key, || {
                asked += 1;
                Score::points(key as i32 % 1000)
            });
            asked
        };
        let same_place = 7 + ENTRIES as u64;
        assert_eq!([7, 7, 8, same_place, 7].map(&mut get), [1, 1, 2, 3, 4]);
        assert_eq!(
            [0, 1].map(&mut get),
            [5, 6],
            "no key is there from the beginning"
        );
    }
}

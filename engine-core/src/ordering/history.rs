//! History heuristics: how often moves have caused cutoffs.

use crate::ordering::HistoryKey;
use crate::position::Side;
use crate::zobrist::mix;

/// Maximum absolute history value.
pub(crate) const HISTORY_LIMIT: i32 = 1 << 14;

/// Adds `bonus` with gravity: the update shrinks the old value in proportion, so that values stay
/// bounded and old success fades.
#[inline]
fn pull(value: &mut i16, bonus: i32) {
    let old = *value as i32;
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// History heuristic (Schaeffer 1989): how often moves have caused cutoffs, by side and
/// [`crate::Position::history_index`].
#[derive(Clone, Debug)]
pub(crate) struct History {
    values: [Vec<i16>; 2],
}

impl History {
    pub(crate) fn new(len: usize) -> History {
        History {
            values: [vec![0; len], vec![0; len]],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.values.iter_mut().for_each(|side| side.fill(0));
    }

    #[inline]
    pub(crate) fn get(&self, side: Side, index: usize) -> i32 {
        self.values[side.index()][index] as i32
    }

    /// Adds `bonus`, which is negative for a move that was searched without a cutoff.
    #[inline]
    pub(crate) fn add(&mut self, side: Side, index: usize, bonus: i32) {
        pull(&mut self.values[side.index()][index], bonus);
    }
}

/// Continuation history of one ply (Stockfish): how often a move has caused a cutoff as the reply
/// to the previous action, of either side.
///
/// A table of all pairs of Amazons moves would be too large, so pairs share slots by hash.
#[derive(Debug)]
pub(crate) struct Continuation {
    values: Vec<i16>,
}

/// Number of slots, a power of two.
const PLACES: usize = 1 << 18;

impl Continuation {
    pub(crate) fn new() -> Continuation {
        Continuation {
            values: vec![0; PLACES],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.values.fill(0);
    }

    #[inline]
    fn place(previous: HistoryKey, after: HistoryKey) -> usize {
        mix(previous.bits() << 32 | after.bits()) as usize % PLACES
    }

    #[inline]
    pub(crate) fn get(&self, previous: HistoryKey, after: HistoryKey) -> i32 {
        self.values[Self::place(previous, after)] as i32
    }

    pub(crate) fn add(&mut self, previous: HistoryKey, after: HistoryKey, bonus: i32) {
        pull(&mut self.values[Self::place(previous, after)], bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_limit_and_old_success_fades() {
        let mut history = History::new(1);
        for _ in 0..1000 {
            history.add(Side::First, 0, HISTORY_LIMIT / 4);
        }
        let high = history.get(Side::First, 0);
        assert!(high > HISTORY_LIMIT * 9 / 10 && high <= HISTORY_LIMIT);
        for _ in 0..1000 {
            history.add(Side::First, 0, -HISTORY_LIMIT / 4);
        }
        assert!(history.get(Side::First, 0) < -HISTORY_LIMIT * 9 / 10);
        assert_eq!(history.get(Side::Second, 0), 0);
    }

    #[test]
    fn continuation_history_depends_on_the_previous_action() {
        let mut continuation = Continuation::new();
        let [a, b, answer] = [3, 4, 5].map(|index| HistoryKey::new(Side::First, index));
        continuation.add(a, answer, 100);
        assert_eq!(continuation.get(a, answer), 100);
        assert_eq!(continuation.get(b, answer), 0);
        assert_eq!(continuation.get(HistoryKey::NONE, answer), 0);
    }
}

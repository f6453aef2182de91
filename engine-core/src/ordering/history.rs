//! History: how often moves have cut off.

use crate::ordering::Played;
use crate::position::Side;
use crate::zobrist::mix;

/// History values stay within ± this.
pub(crate) const HISTORY_LIMIT: i32 = 1 << 14;

/// Adds `bonus` with gravity: every step shrinks toward the bound, so that old success fades.
#[inline]
fn pull(value: &mut i16, bonus: i32) {
    let old = *value as i32;
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// How often moves have cut off, by side and [`crate::Position::history_index`] (Schaeffer 1989).
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

    /// Adds `bonus`, negative for a move that was tried and did not cut off.
    #[inline]
    pub(crate) fn add(&mut self, side: Side, index: usize, bonus: i32) {
        pull(&mut self.values[side.index()][index], bonus);
    }
}

/// How often a move has cut off as the answer to the action before it, of either side (Stockfish's
/// continuation history of one ply).
///
/// All pairs of Amazons moves would not fit any memory: pairs share places by hash.
#[derive(Debug)]
pub(crate) struct Continuation {
    values: Vec<i16>,
}

/// Places, a power of two.
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
    fn place(before: Played, after: Played) -> usize {
        mix((before.0 as u64) << 32 | after.0 as u64) as usize % PLACES
    }

    #[inline]
    pub(crate) fn get(&self, before: Played, after: Played) -> i32 {
        self.values[Self::place(before, after)] as i32
    }

    pub(crate) fn add(&mut self, before: Played, after: Played, bonus: i32) {
        pull(&mut self.values[Self::place(before, after)], bonus);
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
    fn an_answer_is_known_by_what_it_answers() {
        let mut continuation = Continuation::new();
        let [a, b, answer] = [3, 4, 5].map(|index| Played::new(Side::First, index));
        continuation.add(a, answer, 100);
        assert_eq!(continuation.get(a, answer), 100);
        assert_eq!(continuation.get(b, answer), 0);
        assert_eq!(continuation.get(Played::NONE, answer), 0);
    }
}

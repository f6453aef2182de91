//! What the threads are searching just now, so that they do not all do the same: simplified ABDADA
//! (Kerrigan 2017, after Weill's ABDADA of 1996).
//!
//! Threads that share nothing but the table search the same moves at the same time, unless chance
//! drives them apart. Here each marks the move that it searches, and the others put that move off.
//! When they come back to it, the table has its value.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Moves of nodes with fewer plies below them take less time than marks would save. Of 2, 3 and 4,
/// two threads were the fastest with 2 in Amazons, Connect6 and Hex, with 3 in EinStein; in Surakarta
/// it made no difference (one run each).
const LEAST_DEPTH: u32 = 2;

/// How many marks there is room for. One that is overwritten is not seen, and costs time only.
const ROOM: usize = 1 << 12;

/// The moves that the threads of one player are searching; a thread by itself keeps no marks.
#[derive(Clone)]
pub(super) struct Underway(Option<Arc<[AtomicU64]>>);

/// One move of one node, searched to one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark(u64);

impl Underway {
    /// For so many threads.
    pub(super) fn of(threads: usize) -> Underway {
        let marks = || (0..ROOM).map(|_| AtomicU64::new(0)).collect();
        Underway((threads > 1).then(marks))
    }

    /// Whether there is any use in marks at nodes of this depth.
    #[inline]
    pub(super) fn is_shared(&self, depth: u32) -> bool {
        depth >= LEAST_DEPTH && self.0.is_some()
    }

    /// The mark of the move with this index in the position with this key; `None` where there is no
    /// use for it.
    pub(super) fn mark(&self, key: u64, index: usize, depth: u32) -> Option<Mark> {
        if !self.is_shared(depth) {
            return None;
        }
        let number = (index as u64) << 8 | u64::from(depth);
        // 0 is no mark.
        Some(Mark((key ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1))
    }

    /// Whether a thread is searching the move.
    #[inline]
    pub(super) fn has(&self, mark: Option<Mark>) -> bool {
        mark.and_then(|mark| self.place(mark))
            .is_some_and(|(place, mark)| place.load(Ordering::Relaxed) == mark.0)
    }

    /// A thread begins to search the move.
    #[inline]
    pub(super) fn begin(&self, mark: Option<Mark>) {
        if let Some((place, mark)) = mark.and_then(|mark| self.place(mark)) {
            place.store(mark.0, Ordering::Relaxed);
        }
    }

    /// It has ended.
    #[inline]
    pub(super) fn end(&self, mark: Option<Mark>) {
        if let Some((place, mark)) = mark.and_then(|mark| self.place(mark)) {
            // Where another mark has taken its place, that one stays.
            let _ = place.compare_exchange(mark.0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    fn place(&self, mark: Mark) -> Option<(&AtomicU64, Mark)> {
        let marks = self.0.as_ref()?;
        Some((&marks[(mark.0 >> 1) as usize % ROOM], mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_underway_from_its_beginning_to_its_end() {
        let here = Underway::of(2);
        let there = here.clone();
        let mark = |index, depth| here.mark(17, index, depth);
        let one = mark(3, 5);
        assert!(!there.has(one));
        here.begin(one);
        assert!(there.has(one));
        for other in [mark(4, 5), mark(3, 6), here.mark(18, 3, 5), None] {
            assert_ne!(other, one);
            assert!(!there.has(other));
        }
        here.end(one);
        assert!(!there.has(one));
    }

    #[test]
    fn a_mark_that_was_overwritten_ends_no_other() {
        let underway = Underway::of(2);
        let one = underway.mark(1, 0, 4);
        let same_place = (0..1 << 20).map(|index| underway.mark(1, index, 4));
        let place = |mark: Option<Mark>| mark.map(|mark| (mark.0 >> 1) as usize % ROOM);
        let mut same_place = same_place.filter(|&mark| mark != one && place(mark) == place(one));
        let other = same_place.next().expect("there is less room");
        underway.begin(one);
        underway.begin(other);
        assert!(!underway.has(one) && underway.has(other));
        underway.end(one);
        assert!(underway.has(other));
    }

    #[test]
    fn one_thread_and_shallow_nodes_have_no_marks() {
        assert_eq!(Underway::of(1).mark(17, 3, 5), None);
        assert_eq!(Underway::of(2).mark(17, 3, LEAST_DEPTH - 1), None);
    }
}

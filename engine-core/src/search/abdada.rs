//! Simplified ABDADA (Kerrigan 2017, after Weill's ABDADA of 1996): threads defer moves that other
//! threads are searching.
//!
//! Threads that share only the table would often search the same move at the same time. Here each
//! thread marks the move that it searches, and the other threads defer that move. When they return
//! to it, the table usually has its value.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Minimum depth for marks; below it a move takes less time than its mark would save. Of 2, 3 and
/// 4, two threads were fastest with 2 in Amazons, Connect6 and Hex and with 3 in EinStein; in
/// Surakarta it made no difference (one run each).
const MIN_DEPTH: u32 = 2;

/// Number of slots for marks. A mark that is overwritten only costs time.
const SLOTS: usize = 1 << 12;

/// The moves that the threads of one player are searching. A single thread keeps no marks.
#[derive(Clone)]
pub(super) struct Abdada(Option<Arc<[AtomicU64]>>);

/// Hash of a position, a move and a depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark(u64);

impl Abdada {
    /// Empty marks for `threads` threads.
    pub(super) fn new(threads: usize) -> Abdada {
        let marks = || (0..SLOTS).map(|_| AtomicU64::new(0)).collect();
        Abdada((threads > 1).then(marks))
    }

    /// Whether nodes of this depth use marks.
    #[inline]
    pub(super) fn is_shared(&self, depth: u32) -> bool {
        depth >= MIN_DEPTH && self.0.is_some()
    }

    /// The mark of the move with this history index in the position with this key; `None` if nodes
    /// of this depth use no marks.
    pub(super) fn mark(&self, key: u64, index: usize, depth: u32) -> Option<Mark> {
        if !self.is_shared(depth) {
            return None;
        }
        let number = (index as u64) << 8 | u64::from(depth);
        // 0 means an empty slot.
        Some(Mark((key ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1))
    }

    /// Whether another thread is searching the move.
    #[inline]
    pub(super) fn is_searched(&self, mark: Option<Mark>) -> bool {
        mark.and_then(|mark| self.slot(mark))
            .is_some_and(|(slot, mark)| slot.load(Ordering::Relaxed) == mark.0)
    }

    /// Marks the move: this thread starts to search it.
    #[inline]
    pub(super) fn begin(&self, mark: Option<Mark>) {
        if let Some((slot, mark)) = mark.and_then(|mark| self.slot(mark)) {
            slot.store(mark.0, Ordering::Relaxed);
        }
    }

    /// Clears the mark.
    #[inline]
    pub(super) fn end(&self, mark: Option<Mark>) {
        if let Some((slot, mark)) = mark.and_then(|mark| self.slot(mark)) {
            // Another mark that was stored in the slot meanwhile stays.
            let _ = slot.compare_exchange(mark.0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    fn slot(&self, mark: Mark) -> Option<(&AtomicU64, Mark)> {
        let marks = self.0.as_ref()?;
        Some((&marks[(mark.0 >> 1) as usize % SLOTS], mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_marked_while_it_is_searched() {
        let here = Abdada::new(2);
        let there = here.clone();
        let mark = |index, depth| here.mark(17, index, depth);
        let one = mark(3, 5);
        assert!(!there.is_searched(one));
        here.begin(one);
        assert!(there.is_searched(one));
        for other in [mark(4, 5), mark(3, 6), here.mark(18, 3, 5), None] {
            assert_ne!(other, one);
            assert!(!there.is_searched(other));
        }
        here.end(one);
        assert!(!there.is_searched(one));
    }

    #[test]
    fn a_mark_that_was_overwritten_ends_no_other() {
        let abdada = Abdada::new(2);
        let one = abdada.mark(1, 0, 4);
        let same_slot = (0..1 << 20).map(|index| abdada.mark(1, index, 4));
        let slot = |mark: Option<Mark>| mark.map(|mark| (mark.0 >> 1) as usize % SLOTS);
        let mut same_slot = same_slot.filter(|&mark| mark != one && slot(mark) == slot(one));
        let other = same_slot.next().expect("there is less room");
        abdada.begin(one);
        abdada.begin(other);
        assert!(!abdada.is_searched(one) && abdada.is_searched(other));
        abdada.end(one);
        assert!(abdada.is_searched(other));
    }

    #[test]
    fn one_thread_and_shallow_nodes_have_no_marks() {
        assert_eq!(Abdada::new(1).mark(17, 3, 5), None);
        assert_eq!(Abdada::new(2).mark(17, 3, MIN_DEPTH - 1), None);
    }
}

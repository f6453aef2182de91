//! State shared by the threads of a search, apart from the tree: remaining playouts, and flags to
//! pause or end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::limits::Limits;

/// The shared state of a search.
#[derive(Debug)]
pub(super) struct Control {
    /// Playouts that no thread has taken yet; `u64::MAX` without a limit.
    left: AtomicU64,
    threads: u64,
    /// The search is over.
    over: AtomicBool,
    /// A tree is full: all threads pause until it has been recycled.
    full: AtomicBool,
    /// There was no time to recycle, or nothing to remove: the trees grow no more.
    frozen: AtomicBool,
}

/// Maximum number of playouts that a thread takes at once. Large enough that threads rarely contend
/// for the counter.
const BATCH: u64 = 64;

impl Control {
    pub(super) fn new(playouts: Option<u64>, threads: usize) -> Control {
        Control {
            left: AtomicU64::new(playouts.unwrap_or(u64::MAX)),
            threads: threads as u64,
            over: AtomicBool::new(false),
            full: AtomicBool::new(false),
            frozen: AtomicBool::new(false),
        }
    }

    /// Takes some of the remaining playouts for a thread, fewer near the end; 0 if none remain.
    pub(super) fn take_playouts(&self) -> u64 {
        let share = |left: u64| (left / (2 * self.threads)).clamp(1, BATCH).min(left);
        let rest = |left: u64| match left {
            u64::MAX => Some(left),
            _ => Some(left - share(left)),
        };
        let relaxed = Ordering::Relaxed;
        let before = self.left.fetch_update(relaxed, relaxed, rest);
        before.map_or(0, share)
    }

    /// Returns playouts that a thread has taken but not played.
    pub(super) fn return_playouts(&self, playouts: u64) {
        if self.left.load(Ordering::Relaxed) != u64::MAX {
            self.left.fetch_add(playouts, Ordering::Relaxed);
        }
    }

    /// Ends the search of all threads.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// A tree is full.
    pub(super) fn report_full(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    /// Whether threads must pause: the search is over or a tree is full.
    #[inline]
    pub(super) fn is_paused(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.full.load(Ordering::Relaxed)
    }

    /// Ends the pause. Returns whether the search continues after recycling.
    pub(super) fn resume(&self) -> bool {
        let full = self.full.swap(false, Ordering::Relaxed);
        full && !self.over.load(Ordering::Relaxed)
    }

    /// Stops the growth of the trees for the rest of this search.
    pub(super) fn freeze(&self) {
        self.frozen.store(true, Ordering::Relaxed);
    }

    /// Whether the trees grow no more.
    pub(super) fn is_frozen(&self) -> bool {
        self.frozen.load(Ordering::Relaxed)
    }
}

/// Checks the time limits of a thread. It reads the clock about every [`Timer::STEP`], or after
/// every playout if playouts take longer. Reading it after every playout would cost a fast game a
/// tenth of its speed.
pub(super) struct Timer<'a> {
    limits: &'a Limits,
    timed: bool,
    started: Duration,
    playouts: u64,
    next: u64,
}

impl<'a> Timer<'a> {
    /// Time between two readings of the clock.
    const STEP: Duration = Duration::from_micros(50);

    pub(super) fn new(limits: &'a Limits) -> Timer<'a> {
        let timed = limits.is_timed();
        Timer {
            limits,
            timed,
            started: if timed {
                limits.elapsed()
            } else {
                Duration::ZERO
            },
            playouts: 0,
            next: 0,
        }
    }

    /// Whether a time limit is reached. Called before every playout.
    #[inline]
    pub(super) fn is_over(&mut self) -> bool {
        let limits = self.limits;
        self.is_over_by(|| limits.elapsed())
    }

    /// As [`Timer::is_over`], with a clock that returns the time since the limits were created.
    #[inline]
    fn is_over_by(&mut self, clock: impl FnOnce() -> Duration) -> bool {
        self.playouts += 1;
        self.timed && self.playouts > self.next && self.check(clock())
    }

    #[cold]
    fn check(&mut self, elapsed: Duration) -> bool {
        let spent = elapsed.saturating_sub(self.started).as_nanos().max(1) as u64;
        // The playout that starts now has taken no time yet.
        let rate = (self.playouts - 1) * Self::STEP.as_nanos() as u64 / spent;
        self.next = self.playouts + rate.clamp(1, 256) - 1;
        let reached = |limit: Option<Duration>| limit.is_some_and(|limit| elapsed >= limit);
        // The unscaled soft limit: scaling it lost games.
        reached(self.limits.hard) || reached(self.limits.soft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_playouts_are_handed_out_once() {
        for (playouts, threads) in [(0, 1), (1, 4), (1000, 1), (4000, 3)] {
            let control = Control::new(Some(playouts), threads);
            let mut sum = 0;
            loop {
                match control.take_playouts() {
                    0 => break,
                    some => sum += some,
                }
            }
            assert_eq!(sum, playouts);
        }
        let endless = Control::new(None, 2);
        assert!((0..10).all(|_| endless.take_playouts() == BATCH));
    }

    /// The time at which a search ends if each playout takes `cost`, by a simulated clock.
    fn end(limits: &Limits, cost: Duration) -> Duration {
        let mut timer = Timer::new(limits);
        timer.started = Duration::ZERO;
        let mut elapsed = Duration::ZERO;
        while !timer.is_over_by(|| elapsed) {
            elapsed += cost;
        }
        elapsed
    }

    #[test]
    fn the_time_limit_is_checked_in_time() {
        let hard = Duration::from_millis(3);
        for micros in [0.2, 7.0, 49.0, 51.0, 900.0] {
            let cost = Duration::from_secs_f64(micros * 1e-6);
            let late = end(&Limits::time(hard), cost).checked_sub(hard);
            let late = late.unwrap_or_else(|| panic!("ended early, {cost:?} a playout"));
            assert!(
                late <= Timer::STEP.max(cost),
                "{late:?}, {cost:?} a playout"
            );
        }
    }
}

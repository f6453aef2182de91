//! What the threads of one search share beside the tree: playouts left, and when to pause or end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::limits::Limits;

/// Shared by the threads of a search.
#[derive(Debug)]
pub(super) struct Control {
    /// Playouts not yet handed out; the largest number for no limit.
    left: AtomicU64,
    threads: u64,
    /// The search is over.
    over: AtomicBool,
    /// A tree is full, and all threads rest until it has been collected.
    full: AtomicBool,
    /// There was no time to collect, or nothing to give up: the trees grow no more.
    frozen: AtomicBool,
}

/// Most playouts that a thread is handed at once, so that threads seldom meet here.
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

    /// Takes some of the playouts left, fewer the fewer there are; 0 if none are.
    pub(super) fn draw(&self) -> u64 {
        let share = |left: u64| (left / (2 * self.threads)).clamp(1, BATCH).min(left);
        let rest = |left: u64| match left {
            u64::MAX => Some(left),
            _ => Some(left - share(left)),
        };
        let relaxed = Ordering::Relaxed;
        let before = self.left.fetch_update(relaxed, relaxed, rest);
        before.map_or(0, share)
    }

    /// Returns playouts that were taken and not played.
    pub(super) fn give_back(&self, playouts: u64) {
        if self.left.load(Ordering::Relaxed) != u64::MAX {
            self.left.fetch_add(playouts, Ordering::Relaxed);
        }
    }

    /// The search is over, for all threads.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// A tree is full.
    pub(super) fn report_full(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    /// Whether threads rest: the search is over or a tree full.
    #[inline]
    pub(super) fn is_paused(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.full.load(Ordering::Relaxed)
    }

    /// Whether the search goes on once the trees have room again; ends the pause.
    pub(super) fn resume(&self) -> bool {
        let full = self.full.swap(false, Ordering::Relaxed);
        full && !self.over.load(Ordering::Relaxed)
    }

    /// The trees grow no more in this search.
    pub(super) fn freeze(&self) {
        self.frozen.store(true, Ordering::Relaxed);
    }

    /// Whether the trees grow no more.
    pub(super) fn is_frozen(&self) -> bool {
        self.frozen.load(Ordering::Relaxed)
    }
}

/// Tells a thread when its time is over. It reads the clock often enough for [`Timer::STEP`], and
/// after every playout where they take longer: reading it every time would cost a fast game a tenth
/// of its speed.
pub(super) struct Timer<'a> {
    limits: &'a Limits,
    timed: bool,
    started: Duration,
    playouts: u64,
    next: u64,
}

impl<'a> Timer<'a> {
    /// Time between two looks at the clock.
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

    /// Whether a limit of time is reached. Asked before every playout.
    #[inline]
    pub(super) fn is_over(&mut self) -> bool {
        let limits = self.limits;
        self.is_over_by(|| limits.elapsed())
    }

    /// As [`Timer::is_over`], by a clock that tells the time since the limits were made.
    #[inline]
    fn is_over_by(&mut self, clock: impl FnOnce() -> Duration) -> bool {
        self.playouts += 1;
        self.timed && self.playouts > self.next && self.look(clock())
    }

    #[cold]
    fn look(&mut self, elapsed: Duration) -> bool {
        let spent = elapsed.saturating_sub(self.started).as_nanos().max(1) as u64;
        // The playout that is about to begin has cost nothing yet.
        let rate = (self.playouts - 1) * Self::STEP.as_nanos() as u64 / spent;
        self.next = self.playouts + rate.clamp(1, 256) - 1;
        let reached = |limit: Option<Duration>| limit.is_some_and(|limit| elapsed >= limit);
        // The limit as it was planned: to stretch it lost games.
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
                match control.draw() {
                    0 => break,
                    some => sum += some,
                }
            }
            assert_eq!(sum, playouts);
        }
        let endless = Control::new(None, 2);
        assert!((0..10).all(|_| endless.draw() == BATCH));
    }

    /// The time at which a search ends whose playouts take `cost` each, by a clock of their own.
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
    fn the_clock_is_seen_in_time() {
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

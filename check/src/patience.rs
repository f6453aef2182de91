//! Waits that tell a slow engine from a busy machine: time in which the engine was ready to run and
//! had no core does not count, nor does time in which the referee itself was paused.

use std::time::{Duration, Instant};

use engine_process::process::Process;

/// How often a wait looks for such time.
const INTERVAL: Duration = Duration::from_millis(100);

/// If the referee looks later than this, it was paused itself.
const PAUSE: Duration = Duration::from_secs(1);

/// No wait lasts longer than this many times the patience, however busy the machine is.
const LONGEST: u32 = 6;

/// A wait for an engine.
pub(super) struct Patience {
    /// When the wait began, later by all pauses since.
    begun: Instant,
    within: Duration,
    /// How long the engine has waited for a core since `begun`.
    delayed: Duration,
    /// When it was last looked.
    looked: Instant,
    /// How long the engine had then waited for a core in its life, if that is known.
    waited: Option<Duration>,
}

impl Patience {
    /// A wait of this time, which begins now.
    pub(super) fn new(within: Duration) -> Patience {
        let begun = Instant::now();
        Patience {
            begun,
            within,
            delayed: Duration::ZERO,
            looked: begun,
            waited: None,
        }
    }

    /// When to look again, at the latest.
    pub(super) fn next_look(&self) -> Instant {
        (self.looked + INTERVAL).min(self.deadline())
    }

    fn deadline(&self) -> Instant {
        self.begun + (self.within + self.delayed).min(self.within * LONGEST)
    }

    /// Looks how long the engine has waited for a core. Call it when the wait begins, too, if the
    /// first tenth of a second matters. Returns whether the wait is over.
    pub(super) fn look(&mut self, process: &Process) -> bool {
        self.add(Instant::now(), process.core_delay())
    }

    fn add(&mut self, now: Instant, waited: Duration) -> bool {
        let gap = now - self.looked;
        if gap > PAUSE {
            self.begun += gap;
        } else if let Some(before) = self.waited {
            // Several tasks may have waited at the same time.
            self.delayed += waited.saturating_sub(before).min(gap);
        }
        (self.looked, self.waited) = (now, Some(waited));
        now >= self.deadline()
    }

    /// Time since the wait began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// How much of it the engine has waited for a core.
    pub(super) fn delayed(&self) -> Duration {
        self.delayed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wait of ten seconds for an engine that waits for a core in this share of the time, in
    /// tenths: when it is over, in tenths of a second.
    fn ends(share: u32) -> Option<u32> {
        let mut patience = Patience::new(Duration::from_secs(10));
        let begun = patience.begun;
        (0..1000).find(|&tenths| {
            let now = INTERVAL * tenths;
            patience.add(begun + now, Duration::from_secs(100) + now * share / 10)
        })
    }

    #[test]
    fn time_without_a_core_does_not_count() {
        assert_eq!(ends(0), Some(100));
        assert_eq!(ends(5), Some(200));
        assert_eq!(ends(8), Some(500));
        assert_eq!(ends(10), Some(100 * LONGEST), "every wait ends");
        assert_eq!(ends(1000), Some(100 * LONGEST), "many tasks wait at once");
    }

    #[test]
    fn a_pause_of_the_referee_does_not_count() {
        let mut patience = Patience::new(Duration::from_secs(10));
        let begun = patience.begun;
        let seconds = Duration::from_secs_f64;
        assert!(!patience.add(begun + seconds(0.5), Duration::ZERO));
        let hour = begun + seconds(3600.0);
        assert!(!patience.add(hour, Duration::ZERO));
        assert!(!patience.add(hour + seconds(0.9), Duration::ZERO));
        let ended = (9..200).find(|&tenths| patience.add(hour + INTERVAL * tenths, Duration::ZERO));
        assert_eq!(ended, Some(95));
    }
}

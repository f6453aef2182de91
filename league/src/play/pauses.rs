//! Notices when the referee itself was paused: by Ctrl-Z, in a suspended laptop, in a virtual machine
//! that stood still. Its engines may have run on, and their clocks have counted that time.
//!
//! A thread beats ten times a second. A beat that comes late means a pause, unless the thread was
//! ready to run and waited for a core: that is a busy machine, which engines can bring about.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use engine_process::process::delay;

/// Time between two beats.
const INTERVAL: Duration = Duration::from_millis(100);

/// A longer gap between two beats is a pause.
const LIMIT: Duration = Duration::from_secs(1);

/// How often a thread that finds a late beat looks again.
const PATIENCE: Duration = Duration::from_millis(5);

/// What notices the pauses of this process.
static WATCH: OnceLock<Watch> = OnceLock::new();

struct Watch {
    begun: Instant,
    /// When the last beat came, µs after `begun`.
    beat: AtomicU64,
    /// Number of pauses so far.
    pauses: AtomicU64,
    /// How long all pauses were together, µs.
    paused: AtomicU64,
}

/// The pauses of the referee up to some moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    count: u64,
    /// Their total length.
    total: Duration,
}

impl Pauses {
    /// The pauses until now. None if nothing watches.
    pub fn so_far() -> Pauses {
        WATCH.get().map_or(Pauses::default(), Watch::pauses)
    }

    /// How long the referee has been paused since `earlier`; `None` if it was not.
    pub fn since(self, earlier: Pauses) -> Option<Duration> {
        (self.count > earlier.count).then(|| self.total.saturating_sub(earlier.total))
    }
}

/// Starts to watch for pauses of this process, once.
///
/// # Errors
/// The system has no room for a thread.
pub fn start() -> io::Result<()> {
    let mut is_new = false;
    let watch = WATCH.get_or_init(|| {
        is_new = true;
        Watch {
            begun: Instant::now(),
            beat: AtomicU64::new(0),
            pauses: AtomicU64::new(0),
            paused: AtomicU64::new(0),
        }
    });
    if is_new {
        let thread = thread::Builder::new().name("pauses".to_owned());
        thread.spawn(|| watch.run())?;
    }
    Ok(())
}

impl Watch {
    fn run(&self) {
        let mut waited = waited_for_a_core();
        loop {
            thread::sleep(INTERVAL);
            let (now, waited_now) = (self.now(), waited_for_a_core());
            let gap = now - Duration::from_micros(self.beat.load(Ordering::Relaxed));
            if is_pause(gap, waited_now.saturating_sub(waited)) {
                self.paused.fetch_add(micros(gap), Ordering::Relaxed);
                self.pauses.fetch_add(1, Ordering::Relaxed);
            }
            waited = waited_now;
            // Who sees this beat sees the pause before it.
            self.beat.store(micros(now), Ordering::Release);
        }
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The pauses so far. After a pause, other threads may run before the one that watches: they wait for it.
    fn pauses(&self) -> Pauses {
        loop {
            let beat = Duration::from_micros(self.beat.load(Ordering::Acquire));
            if self.now().saturating_sub(beat) < LIMIT {
                return Pauses {
                    count: self.pauses.load(Ordering::Relaxed),
                    total: Duration::from_micros(self.paused.load(Ordering::Relaxed)),
                };
            }
            thread::sleep(PATIENCE);
        }
    }
}

fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

/// Whether a gap between two beats is a pause, if the thread waited so long for a core in it.
fn is_pause(gap: Duration, waited: Duration) -> bool {
    gap > LIMIT && waited < gap / 2
}

/// How long the calling thread has been ready to run without running. Zero where the system does
/// not say.
fn waited_for_a_core() -> Duration {
    delay::of_task("/proc/thread-self".as_ref()).waited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_beat_is_a_pause_unless_the_machine_was_busy() {
        let seconds = Duration::from_secs_f64;
        assert!(!is_pause(seconds(0.9), Duration::ZERO));
        assert!(is_pause(seconds(5.0), Duration::ZERO));
        assert!(is_pause(seconds(5.0), seconds(0.2)));
        assert!(!is_pause(seconds(5.0), seconds(4.8)));
    }

    #[test]
    fn pauses_are_told_since_a_moment() {
        let pauses = |count, seconds| Pauses {
            count,
            total: Duration::from_secs(seconds),
        };
        assert_eq!(pauses(2, 9).since(pauses(2, 9)), None);
        assert_eq!(
            pauses(3, 14).since(pauses(2, 9)),
            Some(Duration::from_secs(5))
        );
    }
}

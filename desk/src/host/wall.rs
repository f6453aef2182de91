//! The time of day of a session.

use std::time::Duration;

use jiff::Timestamp;

/// The time of day, which does not jump when somebody sets the machine's clock. On Linux it goes on
/// while the machine sleeps, as the clocks of the opponent do.
pub(super) struct Wall {
    time: Timestamp,
    start: Duration,
}

impl Wall {
    /// The time of day from now on, not before `earliest`.
    pub(super) fn from(earliest: Timestamp) -> Wall {
        Wall {
            time: Timestamp::now().max(earliest),
            start: running(),
        }
    }

    /// Now, in whole µs, as in the journal.
    pub(super) fn now(&self) -> Timestamp {
        let now = self.time + running().saturating_sub(self.start);
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}

/// The time since the machine was started.
#[cfg(target_os = "linux")]
fn running() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time since the first call, without what the machine slept.
#[cfg(not(target_os = "linux"))]
fn running() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

//! What a busy machine takes from an engine: time in which it was ready to run, and others had the cores.

use std::time::Duration;

use engine_process::cores::available_cores;
use engine_process::process::CoreTime;

/// What was taken from an engine in this time, by its times with and without a core before and after it.
pub(super) fn taken(elapsed: Duration, before: CoreTime, after: CoreTime) -> Duration {
    let cores = available_cores().len() as u32;
    let (ran, waited) = (
        after.ran.saturating_sub(before.ran),
        after.waited.saturating_sub(before.waited),
    );
    // Then its own threads are in each other's way.
    if ran > elapsed * cores / 2 {
        return Duration::ZERO;
    }
    // Several tasks may have waited at the same time.
    let share = waited.as_secs_f64() / (ran + waited).as_secs_f64().max(f64::MIN_POSITIVE);
    waited.min(elapsed.mul_f64(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is taken in a second from an engine that ran and waited for these shares of it.
    fn taken(ran: f64, waited: f64) -> f64 {
        let time = |seconds| Duration::from_secs_f64(seconds);
        let before = CoreTime {
            ran: time(7.0),
            waited: time(3.0),
        };
        let after = CoreTime {
            ran: before.ran + time(ran),
            waited: before.waited + time(waited),
        };
        super::taken(time(1.0), before, after).as_secs_f64()
    }

    #[test]
    fn time_without_a_core_is_taken_by_others() {
        let cores = available_cores().len() as f64;
        assert_eq!(taken(0.0, 0.0), 0.0);
        assert_eq!(taken(0.3, 0.0), 0.0);
        assert!((taken(0.2, 0.6) - 0.6).abs() < 1e-6);
        assert!((taken(0.01, 0.99) - 0.99).abs() < 1e-6);
        // Four tasks that waited at once for most of the time.
        let all = taken(0.1, 3.6);
        assert!((0.9..1.0).contains(&all), "{all}");
        // More threads than cores: they have the machine for themselves.
        assert_eq!(taken(0.9 * cores, 3.0), 0.0);
    }

    #[test]
    fn tasks_that_have_ended_take_nothing() {
        let none = CoreTime::default();
        let before = CoreTime {
            ran: Duration::from_secs(1),
            waited: Duration::from_secs(1),
        };
        assert_eq!(
            super::taken(Duration::from_secs(1), before, none),
            Duration::ZERO
        );
    }
}

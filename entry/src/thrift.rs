//! How much of its planned time an engine uses, turn by turn.
//!
//! A search seldom takes all that is planned: it begins no iteration that it could not end, and stops when its
//! move is decided. What it leaves comes back in the shares of later turns, too late where the game ends
//! before. So the plan of a turn is divided by the part that the turns before have used.

use std::time::Duration;

/// How much of the sums one turn leaves: the last few turns count most.
const MEMORY: f64 = 0.8;

/// The most by which a plan is multiplied.
const MOST: f64 = 3.0;

/// What the turns of a game were planned to take, and took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Thrift {
    planned: f64,
    used: f64,
}

impl Thrift {
    /// The time to plan for a turn so that it takes about `share`.
    pub(crate) fn plan(&self, share: Duration) -> Duration {
        if self.used <= 0.0 {
            return share;
        }
        share.mul_f64((self.planned / self.used).clamp(1.0, MOST))
    }

    /// Counts a turn that was planned to take `planned`, and took `used`.
    pub(crate) fn count(&mut self, planned: Duration, used: Duration) {
        self.planned = MEMORY * self.planned + planned.as_secs_f64();
        self.used = MEMORY * self.used + used.as_secs_f64();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_thrifty_engine_is_given_more_until_it_takes_its_share() {
        let mut thrift = Thrift::default();
        assert_eq!(thrift.plan(SECOND), SECOND);
        let mut took = Duration::ZERO;
        for _ in 0..20 {
            let planned = thrift.plan(SECOND);
            took = planned.mul_f64(0.5);
            thrift.count(planned, took);
        }
        assert_eq!(took, SECOND);
        // Never more than three times, and never less than planned.
        let mut lazy = Thrift::default();
        lazy.count(SECOND, SECOND / 100);
        assert_eq!(lazy.plan(SECOND), 3 * SECOND);
        let mut late = Thrift::default();
        late.count(SECOND, 2 * SECOND);
        assert_eq!(late.plan(SECOND), SECOND);
        let mut none = Thrift::default();
        none.count(SECOND, Duration::ZERO);
        assert_eq!(none.plan(SECOND), SECOND);
    }
}

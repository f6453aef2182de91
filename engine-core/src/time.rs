//! A clock turned into the time for one turn.

use std::time::Duration;

/// What a side has on its clock when its turn begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after every turn.
    pub increment: Duration,
}

/// How long a turn should take, and may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Time to aim for.
    pub soft: Duration,
    /// Time not to exceed.
    pub hard: Duration,
}

impl Clock {
    /// Divides the clock among `turns_left` turns, this one included. `overhead` is kept for what
    /// the engine does not see: pipes, a busy machine.
    ///
    /// The hard limit lets one turn take three shares, but never more than half of what is left, so
    /// that the flag cannot fall by one deep thought.
    pub fn budget(self, turns_left: u32, overhead: Duration) -> Budget {
        let usable = self.left.saturating_sub(overhead);
        let share = usable / turns_left.max(1) + self.increment.mul_f64(0.75);
        let most = usable / 2;
        Budget {
            soft: share.min(most),
            hard: (share * 3).min(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_budget_is_never_more_than_half_of_the_clock() {
        for left in [0, 1, 5, 100, 1_000, 900_000] {
            for turns in [0, 1, 2, 30] {
                for increment in [0, 500] {
                    let clock = Clock {
                        left: left * MS,
                        increment: increment * MS,
                    };
                    let budget = clock.budget(turns, 5 * MS);
                    assert!(budget.soft <= budget.hard && budget.hard * 2 <= left * MS);
                }
            }
        }
    }

    #[test]
    fn fewer_turns_left_get_longer_each() {
        let clock = Clock {
            left: 60_000 * MS,
            increment: Duration::ZERO,
        };
        assert_eq!(
            clock.budget(30, Duration::ZERO),
            Budget {
                soft: 2_000 * MS,
                hard: 6_000 * MS
            }
        );
        assert!(clock.budget(10, Duration::ZERO).soft > clock.budget(30, Duration::ZERO).soft);
    }

    /// A whole game within the clock: every turn takes the hard limit and the overhead.
    #[test]
    fn the_flag_never_falls() {
        let mut clock = Clock {
            left: 1_000 * MS,
            increment: Duration::ZERO,
        };
        for _ in 0..200 {
            let hard = clock.budget(30, 2 * MS).hard;
            clock.left = clock.left.checked_sub(hard).expect("time is left");
        }
    }
}

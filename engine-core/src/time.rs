//! Time management: from the clock to the time limits of one turn.

use std::time::Duration;

/// The clock of a side at the start of its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeLeft {
    /// Time left.
    pub left: Duration,
    /// Added after every turn.
    pub increment: Duration,
    /// Byo-yomi: time that every turn may use in addition to `left`; unused time is lost.
    pub period: Duration,
    /// Moves to go: turns until time is added, including this one; `None` if `left` is for the
    /// whole game.
    pub turns: Option<u32>,
}

/// Soft and hard limit of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnTime {
    /// Soft limit; `None` if using less than `hard` saves nothing.
    pub soft: Option<Duration>,
    /// Hard limit.
    pub hard: Duration,
}

/// The time of one turn without what is reserved for what the engine cannot measure, which is at most half of
/// it: a turn without a search would be worth nothing. A clock for a game is another matter: who has no more
/// than the overhead moves at once.
pub fn less(budget: Duration, overhead: Duration) -> Duration {
    budget - overhead.min(budget / 2)
}

impl TimeLeft {
    /// Divides the clock among `turns_left` turns, including this one. `overhead` is reserved for
    /// time that the engine cannot measure: pipes, a busy machine.
    ///
    /// The hard limit allows a turn three shares, but at most half of the remaining time plus one
    /// period, so that one long search cannot lose on time.
    pub fn turn_time(self, turns_left: u32, overhead: Duration) -> TurnTime {
        let turns = self.turns.unwrap_or(u32::MAX).min(turns_left).max(1);
        let usable = self.left.saturating_sub(overhead);
        let period = self.period.saturating_sub(overhead);
        let share = usable / turns + self.increment.mul_f64(0.75) + period;
        let most = usable / 2 + period;
        let period_alone = usable.is_zero() && !period.is_zero();
        TurnTime {
            soft: (!period_alone).then_some(share.min(most)),
            hard: (share * 3).min(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_turn_is_never_more_than_half_of_the_clock_and_a_period() {
        for left in [0, 1, 5, 100, 1_000, 900_000] {
            for turns in [0, 1, 2, 30] {
                for (increment, period) in [(0, 0), (500, 0), (0, 3), (0, 500)] {
                    let clock = TimeLeft {
                        left: left * MS,
                        increment: increment * MS,
                        period: period * MS,
                        turns: (turns > 0).then_some(turns),
                    };
                    let TurnTime { soft, hard } = clock.turn_time(30, 5 * MS);
                    assert!(soft.is_none_or(|soft| soft <= hard));
                    assert!(hard * 2 <= (left + 2 * period) * MS);
                    assert!(hard <= (left + period).saturating_sub(5) * MS);
                }
            }
        }
    }

    #[test]
    fn fewer_turns_left_get_longer_each() {
        let mut clock = TimeLeft {
            left: 60_000 * MS,
            ..TimeLeft::default()
        };
        let long = TurnTime {
            soft: Some(2_000 * MS),
            hard: 6_000 * MS,
        };
        assert_eq!(clock.turn_time(30, Duration::ZERO), long);
        assert!(clock.turn_time(10, Duration::ZERO).soft > long.soft);
        clock.turns = Some(40);
        assert_eq!(
            clock.turn_time(30, Duration::ZERO),
            long,
            "the game ends before"
        );
        clock.turns = Some(10);
        let short = clock.turn_time(30, Duration::ZERO);
        assert_eq!((short.soft, short.hard), (Some(6_000 * MS), 18_000 * MS));
    }

    #[test]
    fn a_period_is_taken_in_full() {
        let mut clock = TimeLeft {
            period: 1_000 * MS,
            ..TimeLeft::default()
        };
        let time = clock.turn_time(30, 5 * MS);
        assert_eq!((time.soft, time.hard), (None, 995 * MS));
        clock.left = 3_005 * MS;
        let time = clock.turn_time(30, 5 * MS);
        assert_eq!(
            (time.soft, time.hard),
            (Some(1_095 * MS), 2_495 * MS),
            "a share of the clock, and a period"
        );
    }

    #[test]
    fn the_overhead_is_half_of_a_budget_at_most() {
        for (budget, expected) in [
            (0, 0),
            (1_000, 500),
            (8_000, 4_000),
            (10_000, 5_000),
            (60_000, 55_000),
        ] {
            let [budget, expected] = [budget, expected].map(Duration::from_micros);
            assert_eq!(less(budget, 5 * MS), expected);
        }
    }

    /// A whole game stays within the clock although every turn uses its hard limit and the
    /// overhead.
    #[test]
    fn the_flag_never_falls() {
        let mut clock = TimeLeft {
            left: 1_000 * MS,
            ..TimeLeft::default()
        };
        for _ in 0..200 {
            let hard = clock.turn_time(30, 2 * MS).hard;
            clock.left = clock.left.checked_sub(hard).expect("time is left");
        }
    }
}

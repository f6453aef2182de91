//! CPU time of engines: in their own turns, and while they were not to move.

use std::time::Duration;

use gamelog::record::{SideName, TurnRecord, WaitRecord};
use serde::Serialize;

use crate::play::wait::{LEAST_MS, LEAST_SHARE, Wait};

/// The CPU time of one engine in turns for which it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CpuTimes {
    /// Number of turns.
    pub turns: u64,
    /// CPU time in its own turns, ms.
    pub turn_ms: u64,
    /// Duration of its own turns, ms.
    pub used_ms: u64,
    /// CPU time while it was not to move, ms.
    pub idle_ms: u64,
    /// How long it was not to move, ms.
    pub waited_ms: u64,
}

impl CpuTimes {
    /// Those of one side of a game with these turns; `after` is its time after its last turn.
    pub fn of<S>(turns: &[TurnRecord<S>], side: SideName, after: Option<WaitRecord>) -> CpuTimes {
        let mut times = CpuTimes::default();
        let (mut used_us, mut waited_us, mut waiting_us) = (0, 0, 0u64);
        for turn in turns {
            if turn.side != side {
                waiting_us = waiting_us.saturating_add(turn.used_us);
                continue;
            }
            if let Some(cpu) = turn.cpu {
                times.turns += 1;
                times.turn_ms = times.turn_ms.saturating_add(cpu.turn_ms);
                times.idle_ms = times.idle_ms.saturating_add(cpu.idle_ms);
                used_us = turn.used_us.saturating_add(used_us);
                waited_us = waiting_us.saturating_add(waited_us);
            }
            // A roll comes before the turn that it is for, and takes no time.
            waiting_us = 0;
        }
        times.used_ms = used_us / 1_000;
        times.waited_ms = waited_us / 1_000;
        if let Some(after) = after {
            times.idle_ms = times.idle_ms.saturating_add(after.idle_ms);
            times.waited_ms = times.waited_ms.saturating_add(after.waited_ms);
        }
        times
    }

    /// The time while it was not to move.
    pub(crate) fn wait(&self) -> Wait {
        Wait {
            cpu: Duration::from_millis(self.idle_ms),
            waited: Duration::from_millis(self.waited_ms),
        }
    }

    /// Adds those of other games.
    pub fn add(&mut self, other: &CpuTimes) {
        let sum = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        sum(&mut self.turns, other.turns);
        sum(&mut self.turn_ms, other.turn_ms);
        sum(&mut self.used_ms, other.used_ms);
        sum(&mut self.idle_ms, other.idle_ms);
        sum(&mut self.waited_ms, other.waited_ms);
    }

    /// The CPU time while the engine was not to move as a share of that time: above 1 with several
    /// threads. `None` if it did not compute then, or hardly.
    pub fn idle_share(&self) -> Option<f64> {
        let share = self.idle_ms as f64 / self.waited_ms.max(1) as f64;
        let per_turn = self.idle_ms as f64 / self.turns.max(1) as f64;
        (share >= LEAST_SHARE && per_turn >= LEAST_MS).then_some(share)
    }
}

#[cfg(test)]
mod tests {
    use gamelog::record::{CpuTime, sample};

    use super::*;

    fn turn(side: SideName, used_ms: u64, cpu: Option<[u64; 2]>) -> TurnRecord {
        TurnRecord {
            side,
            used_us: 1_000 * used_ms,
            cpu: cpu.map(|[turn_ms, idle_ms]| CpuTime { turn_ms, idle_ms }),
            ..sample::turn("a")
        }
    }

    #[test]
    fn an_engine_waits_for_the_turns_of_its_opponent() {
        use SideName::{First, Second};
        let turns = [
            turn(First, 10, Some([9, 0])),
            turn(Second, 100, None),
            turn(First, 20, Some([18, 90])),
            turn(Second, 50, Some([40, 1])),
            turn(Second, 30, Some([3, 0])),
            turn(First, 5, None),
        ];
        let first = CpuTimes {
            turns: 2,
            turn_ms: 27,
            used_ms: 30,
            idle_ms: 90,
            waited_ms: 100,
        };
        assert_eq!(CpuTimes::of(&turns, First, None), first);
        let second = CpuTimes::of(&turns, Second, None);
        assert_eq!((second.turns, second.waited_ms, second.idle_ms), (2, 20, 1));
        assert_eq!((first.idle_share(), second.idle_share()), (Some(0.9), None));
    }

    #[test]
    fn any_time_in_a_log_is_accepted() {
        let most = Some([u64::MAX, u64::MAX]);
        let mut turns = vec![turn(SideName::First, 0, most); 2];
        turns.iter_mut().for_each(|turn| turn.used_us = u64::MAX);
        let mut times = CpuTimes::of(&turns, SideName::First, None);
        times.add(&times.clone());
        assert_eq!((times.turns, times.idle_ms), (4, u64::MAX));
    }
}

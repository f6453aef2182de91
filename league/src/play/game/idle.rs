//! The CPU time of engines while they are not to move: read before every question and at the end of the
//! game, and what follows from it.

use std::time::{Duration, Instant};

use engine_core::Side;
use engine_process::driver::Driver;
use gamelog::record::{CpuTime, Reason, WaitRecord};
use task::IdleCpu;
use task::clock::Clock;

use super::EarlyEnd;
use crate::play::wait::Wait;

/// The readings of both engines in a game.
pub(super) struct Idle {
    rule: IdleCpu,
    /// By [`Side::index`]; `None` where CPU time is not known.
    last: [Option<Reading>; 2],
    /// All that was not in a turn, so far.
    sums: [Wait; 2],
}

/// The CPU time of an engine's processes at a moment in which it was not thinking.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    cpu: Duration,
    at: Instant,
}

impl Reading {
    /// The time now. Read while no clock runs: before a question is sent, and after its answer has its
    /// time stamp.
    pub(super) fn of(engine: &dyn Driver) -> Option<Reading> {
        Some(Reading {
            cpu: engine.processor_time()?,
            at: Instant::now(),
        })
    }

    fn until(self, later: Reading) -> Wait {
        Wait {
            cpu: later.cpu.saturating_sub(self.cpu),
            waited: later.at - self.at,
        }
    }
}

impl Idle {
    pub(super) fn new(rule: IdleCpu) -> Idle {
        Idle {
            rule,
            last: [None; 2],
            sums: [Wait::default(); 2],
        }
    }

    /// Both engines are ready for the game.
    pub(super) fn begin(&mut self, engines: &[Box<dyn Driver>; 2]) {
        for (last, engine) in self.last.iter_mut().zip(engines) {
            if let Some(process) = engine.process() {
                process.find_processes();
            }
            *last = Reading::of(&**engine);
        }
    }

    /// An engine is about to be asked: charges what it used since its last turn, if the rule says so.
    /// Returns what was taken from its clock.
    ///
    /// # Errors
    /// It forfeits the game.
    pub(super) fn charge(
        &mut self,
        side: Side,
        now: Option<Reading>,
        clock: &mut Clock,
    ) -> Result<Duration, EarlyEnd> {
        let Some(wait) = self.since_last(side, now) else {
            return Ok(Duration::ZERO);
        };
        self.sums[side.index()] += wait;
        match self.rule {
            IdleCpu::Show => Ok(Duration::ZERO),
            IdleCpu::Charge => Ok(clock.take(wait.excess())),
            IdleCpu::Forfeit => self.forfeit(side).map_or(Ok(Duration::ZERO), Err),
        }
    }

    /// An engine has answered. Returns the CPU times of its turn; `asked` is the reading before it.
    pub(super) fn answered(
        &mut self,
        side: Side,
        asked: Option<Reading>,
        now: Option<Reading>,
    ) -> Option<CpuTime> {
        let before = self.since_last(side, asked);
        self.last[side.index()] = now;
        Some(CpuTime {
            turn_ms: rounded_ms(asked?.until(now?).cpu),
            idle_ms: rounded_ms(before?.cpu),
        })
    }

    /// The game is over: what each engine has used since its last turn, if it was much. `thinking` was
    /// to move.
    pub(super) fn end(
        &mut self,
        engines: &[Box<dyn Driver>; 2],
        thinking: Option<Side>,
    ) -> [Option<WaitRecord>; 2] {
        let mut ends = [None; 2];
        for side in Side::BOTH
            .into_iter()
            .filter(|&side| thinking != Some(side))
        {
            let now = Reading::of(&*engines[side.index()]);
            let Some(wait) = self.since_last(side, now) else {
                continue;
            };
            self.sums[side.index()] += wait;
            ends[side.index()] = (!wait.excess().is_zero()).then(|| WaitRecord {
                idle_ms: rounded_ms(wait.cpu),
                waited_ms: rounded_ms(wait.waited),
            });
        }
        ends
    }

    /// What an engine has used since its last turn. `None` if it is not known.
    pub(super) fn since_last(&self, side: Side, now: Option<Reading>) -> Option<Wait> {
        Some(self.last[side.index()]?.until(now?))
    }

    /// The loss of an engine that has computed for much of the time in which it was not to move, if the
    /// rule says so.
    pub(super) fn forfeit(&self, side: Side) -> Option<EarlyEnd> {
        let wait = self.sums[side.index()];
        (self.rule == IdleCpu::Forfeit && wait.forfeits()).then(|| {
            let Wait { cpu, waited } = wait;
            let detail = format!(
                "{:.1} s of CPU time in {:.1} s in which it was not to move",
                cpu.as_secs_f64(),
                waited.as_secs_f64()
            );
            EarlyEnd::Loss(side, Reason::Time, detail)
        })
    }
}

fn rounded_ms(time: Duration) -> u64 {
    (time + Duration::from_micros(500)).as_millis() as u64
}

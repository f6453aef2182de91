//! What engines are told of their clocks.
//!
//! The rule is that an engine which never takes longer than it is told never loses on time, whether
//! it knows the rule behind the figures or not:
//!
//! - Simple delay is told as time that the next turn has (`base` and delay together) and as
//!   increment. A turn that takes at least the delay leaves exactly what an increment would; a
//!   shorter one leaves less than the engine may expect, and it is told so before its next turn.
//! - Bronstein's time is told as increment alone, since the flag falls before it is given back. A
//!   turn shorter than it leaves less than the engine may expect, as above.
//! - Byo-yomi is told as in USI: what is left of `base`, and the length of one period. Further
//!   periods are not told, so that no engine spends them.
//! - Times are rounded down to ms, and the margin is not told.

use std::time::Duration;

use engine_core::Side;
use entry::ugi::Go;
use jiff::SignedDuration;

use super::{Clock, duration};

/// What the engine of `side`, which is to move, is told of both clocks and its other limits.
pub fn go(clocks: &[Clock; 2], side: Side) -> Go {
    let [p1time, p2time] = clocks.each_ref().map(Clock::time_told);
    let [p1inc, p2inc] = clocks.each_ref().map(Clock::increment_told);
    let own = &clocks[side.index()];
    let told = |time: SignedDuration| millis(duration(time));
    Go {
        p1time,
        p2time,
        p1inc,
        p2inc,
        movestogo: own.turns_to_go(),
        byoyomi: own.spec.byoyomi.map(told),
        movetime: own.spec.per_move.map(told),
        depth: own.spec.depth,
        nodes: own.spec.nodes,
        infinite: false,
    }
}

impl Clock {
    fn time_told(&self) -> Option<u64> {
        let delay = duration(self.spec.delay);
        self.main.map(|main| millis(main.saturating_add(delay)))
    }

    fn increment_told(&self) -> Option<u64> {
        let spec = &self.spec;
        // At most one of them is not 0.
        let rules = [spec.increment, spec.delay, spec.bronstein].map(duration);
        self.main.map(|_| rules.into_iter().map(millis).sum())
    }
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

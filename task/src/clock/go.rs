//! The `go` command: what engines are told of their clocks.
//!
//! An engine that never takes longer than it is told never loses on time, even if it does not know
//! the time control behind the numbers:
//!
//! - Simple delay is sent as time for the next turn (`base` plus delay) and as increment. A turn of
//!   at least the delay leaves exactly what an increment would. A shorter one leaves less than the
//!   engine may expect; the next `go` command corrects that.
//! - Bronstein delay is sent as increment only, because the flag falls before it is given back. A
//!   turn shorter than the delay leaves less than the engine may expect, as above.
//! - Byo-yomi is sent as in USI: what is left of `base`, and the length of one period. Further
//!   periods are not sent, so that no engine spends them.
//! - A side without such a clock is not told of its opponent's, which it could take for its own.
//! - The longer time of a first turn is not sent: an engine that needs it to warm up would use it to
//!   think, and some protocols announce the time of a turn once for all turns.
//! - Where a turn and the game have times, both are sent: an engine that takes the time of a turn alone
//!   never exceeds a turn, and runs out of time only as it would by its own fault.
//! - Times are rounded down to ms; the margin is not sent.

use std::time::Duration;

use engine_core::Side;
use jiff::SignedDuration;
use protocol::ugi::Go;

use super::{Clock, duration};

/// The clocks and limits sent to the engine of `side`, which is to move.
pub fn go(clocks: &[Clock; 2], side: Side) -> Go {
    let own = &clocks[side.index()];
    let sent = |ms: Option<u64>| own.main.and(ms);
    let [p1time, p2time] = clocks.each_ref().map(|clock| sent(clock.time_sent()));
    let [p1inc, p2inc] = clocks.each_ref().map(|clock| sent(clock.increment_sent()));
    let to_ms = |time: SignedDuration| millis(duration(time));
    // What is left may be less than the time of a turn.
    let most = own.main.map_or(u64::MAX, |_| millis(own.allowed()));
    Go {
        p1time,
        p2time,
        p1inc,
        p2inc,
        movestogo: own.turns_to_go(),
        byoyomi: own.spec.byoyomi.map(to_ms),
        movetime: own.spec.per_move.map(|time| to_ms(time).min(most)),
        depth: own.spec.depth,
        nodes: own.spec.nodes,
        infinite: false,
    }
}

impl Clock {
    fn time_sent(&self) -> Option<u64> {
        let delay = duration(self.spec.delay);
        self.main.map(|main| millis(main.saturating_add(delay)))
    }

    fn increment_sent(&self) -> Option<u64> {
        let spec = &self.spec;
        // At most one of them is not 0.
        let rules = [spec.increment, spec.delay, spec.bronstein].map(duration);
        self.main.map(|_| rules.into_iter().map(millis).sum())
    }
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

//! Clocks: what a league file says of them, and one side's running clock.

mod told;

use std::num::NonZeroU32;
use std::time::Duration;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use told::go;

/// How long the engines may think: the `[clock]` table of a league file.
///
/// Durations are text with a unit, of whole µs: `"15m"`, `"60s"`, `"500ms"`. A side has `base` or
/// `byoyomi` or both, or else `move`; of `increment`, `delay` and `bronstein` at most one may be
/// given, and none of them, nor `moves`, beside `byoyomi`. `nodes` and `depth` may stand alone or
/// beside any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSpec {
    /// Sudden death: time of one side for the whole game, or for each `moves` turns of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<SignedDuration>,
    /// Whether `base` is for all games of a meeting, which are then played one after another.
    #[serde(default, rename = "match", skip_serializing_if = "std::ops::Not::not")]
    pub whole_match: bool,
    /// So many of the side's own turns are played in `base`, which is then added anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<NonZeroU32>,
    /// Fischer: added to the side's clock after each of its turns.
    #[serde(default, skip_serializing_if = "SignedDuration::is_zero")]
    pub increment: SignedDuration,
    /// Simple delay: so much of each turn costs nothing.
    #[serde(default, skip_serializing_if = "SignedDuration::is_zero")]
    pub delay: SignedDuration,
    /// Bronstein: so much of each turn is given back after it.
    #[serde(default, skip_serializing_if = "SignedDuration::is_zero")]
    pub bronstein: SignedDuration,
    /// Japanese byo-yomi: when `base` is used up, a turn within a period of this length costs
    /// nothing, and one that is longer uses up the periods it runs over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byoyomi: Option<SignedDuration>,
    /// How many such periods there are; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<NonZeroU32>,
    /// Time for every turn.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub per_move: Option<SignedDuration>,
    /// Nodes an engine may search for a turn; it is asked, not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth an engine may search to; it is asked, not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The longest turn where no time runs; [`UNTIMED_TURN`] if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<SignedDuration>,
    /// Grace: a flag falls only when a turn takes this much longer than the clock shows.
    #[serde(default = "default_margin")]
    pub margin: SignedDuration,
}

/// The grace of a league file that gives none: what a busy machine may steal from an engine.
fn default_margin() -> SignedDuration {
    SignedDuration::from_millis(20)
}

/// The longest turn where no clock runs, only a limit of nodes or depth, and the league file says
/// nothing else: what ends a game with an engine that never answers.
pub const UNTIMED_TURN: Duration = Duration::from_secs(60);

/// One side's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    spec: ClockSpec,
    /// What is left of `base`, which may be absent beside byo-yomi; `None` where time is not kept
    /// from turn to turn.
    main: Option<Duration>,
    /// Periods of byo-yomi that are not used up, at least one; of no length if there is none.
    periods: u32,
    /// Turns charged.
    turns: u32,
}

/// A turn took longer than the clock allows, margin included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{:.3} s used of {:.3} s", used.as_secs_f64(), allowed.as_secs_f64())]
pub struct FlagFallen {
    /// What the turn took.
    pub used: Duration,
    /// What it was allowed to take, without the margin.
    pub allowed: Duration,
}

impl Clock {
    /// A clock as the game begins.
    pub fn new(spec: &ClockSpec) -> Clock {
        let no_base = spec.byoyomi.map(|_| SignedDuration::ZERO);
        Clock {
            spec: *spec,
            main: spec.base.or(no_base).map(duration),
            periods: spec.periods.map_or(1, NonZeroU32::get),
            turns: 0,
        }
    }

    /// A clock that goes on with what an earlier game of the same meeting has left.
    pub fn carrying(spec: &ClockSpec, left: Duration) -> Clock {
        Clock {
            main: Some(left),
            ..Clock::new(spec)
        }
    }

    /// What is left of the side's time, its periods of byo-yomi included; `None` where time is not
    /// kept from turn to turn.
    pub fn left(&self) -> Option<Duration> {
        let periods = self.period().saturating_mul(self.periods);
        self.main.map(|main| main.saturating_add(periods))
    }

    /// The length of a period of byo-yomi.
    fn period(&self) -> Duration {
        self.spec.byoyomi.map_or(Duration::ZERO, duration)
    }

    /// The side's turns until `base` is added anew, the next one included.
    fn turns_to_go(&self) -> Option<u32> {
        self.spec
            .moves
            .map(|moves| moves.get() - self.turns % moves)
    }

    /// What the next turn is allowed to take, without the margin.
    fn allowed(&self) -> Duration {
        let delay = duration(self.spec.delay);
        self.left()
            .map(|left| left.saturating_add(delay))
            .or(self.spec.per_move.or(self.spec.patience).map(duration))
            .unwrap_or(UNTIMED_TURN)
    }

    /// How long to wait for the next turn: what it is allowed to take, and the margin.
    pub fn patience(&self) -> Duration {
        self.allowed().saturating_add(duration(self.spec.margin))
    }

    /// Charges a finished turn, in whole µs, and gives what the rules give after it. The margin is
    /// grace and not time: what a turn takes of it is not taken from the clock.
    ///
    /// # Errors
    /// The flag has fallen, and the clock stays as it is.
    pub fn charge(&mut self, used: Duration) -> Result<(), FlagFallen> {
        let used = Duration::from_micros(used.as_micros() as u64);
        if used > self.patience() {
            let allowed = self.allowed();
            return Err(FlagFallen { used, allowed });
        }
        let last = self.turns_to_go() == Some(1);
        self.turns += 1;
        let Some(main) = self.main else {
            return Ok(());
        };
        let counted = used.saturating_sub(duration(self.spec.delay));
        let taken = counted.min(main);
        self.use_up_periods(counted - taken);
        let back = taken.min(duration(self.spec.bronstein));
        let base = self.spec.base.filter(|_| last).unwrap_or_default();
        let given = [duration(self.spec.increment), back, duration(base)];
        let left = main - taken;
        self.main = Some(given.into_iter().fold(left, Duration::saturating_add));
        Ok(())
    }

    /// Takes the periods that a turn has run over, `over` being what it took beyond `base`. The
    /// margin keeps the last one.
    fn use_up_periods(&mut self, over: Duration) {
        // A turn of exactly a period is within it.
        let whole = over.as_micros().saturating_sub(1);
        let used_up = whole.checked_div(self.period().as_micros()).unwrap_or(0);
        let used_up = u32::try_from(used_up).unwrap_or(u32::MAX);
        self.periods = self.periods.saturating_sub(used_up).max(1);
    }
}

/// The clocks of `First` and `Second` as their game begins, with what an earlier game of the same
/// meeting has left on them, in µs.
pub fn both(specs: &[ClockSpec; 2], carried_us: Option<[u64; 2]>) -> [Clock; 2] {
    match carried_us {
        None => specs.each_ref().map(Clock::new),
        Some([first, second]) => [
            Clock::carrying(&specs[0], Duration::from_micros(first)),
            Clock::carrying(&specs[1], Duration::from_micros(second)),
        ],
    }
}

/// A league file's duration; a negative one, which it refuses, is none.
fn duration(signed: SignedDuration) -> Duration {
    signed.try_into().unwrap_or_default()
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

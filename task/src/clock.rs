//! Clocks: the `[clock]` table of a league file, and the running clock of one side.

mod factor;
mod go;

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::factor::Factor;
pub use self::go::go;

/// Longest time of a clock: one year. Its µs, and sums of such times, fit every field and protocol.
pub const MAX_TIME: SignedDuration = SignedDuration::from_hours(365 * 24);

/// How long the engines may think: the `[clock]` table of a league file.
///
/// Durations are text with a unit, in whole µs: `"15m"`, `"60s"`, `"500ms"`. A side has `base` or
/// `byoyomi` or both, or `move`, and with it `first_turn`; with `base` and `move`, a turn has neither more
/// than what is left nor more than `move`. At most one of `increment`, `delay`
/// and `bronstein` may be given. None of these, nor `moves`, may be combined with `byoyomi`. `nodes`
/// and `depth` may be given alone or together with anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSpec {
    /// Sudden death: time of one side for the whole game, or for every `moves` turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<SignedDuration>,
    /// Whether `base` covers all games of a meeting; these are then played one after another.
    #[serde(default, rename = "match", skip_serializing_if = "std::ops::Not::not")]
    pub whole_match: bool,
    /// After this many turns of the side, `base` is added again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<NonZeroU32>,
    /// Fischer: added to the side's clock after each of its turns.
    #[serde(default, skip_serializing_if = "SignedDuration::is_zero")]
    pub increment: SignedDuration,
    /// Simple delay: this much of each turn is free.
    #[serde(default, skip_serializing_if = "SignedDuration::is_zero")]
    pub delay: SignedDuration,
    /// Bronstein delay: up to this much of the time used for a turn is given back after it.
    #[serde(default, skip_serializing_if = "SignedDuration::is_zero")]
    pub bronstein: SignedDuration,
    /// Japanese byo-yomi: when `base` is used up, a turn within one period of this length costs
    /// nothing; a longer turn uses up every period that it exceeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byoyomi: Option<SignedDuration>,
    /// Number of byo-yomi periods; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<NonZeroU32>,
    /// Time per turn.
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    pub per_move: Option<SignedDuration>,
    /// How many times `move` a side's first turn may take. Absent: once, and twice on Botzone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_turn: Option<Factor>,
    /// Node limit per turn; sent to the engine, not enforced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth limit; sent to the engine, not enforced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time limit per turn where no clock runs; [`UNTIMED_TURN`] if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<SignedDuration>,
    /// Grace: the flag falls only when a turn exceeds the clock by more than this.
    #[serde(default = "default_margin")]
    pub margin: SignedDuration,
}

impl ClockSpec {
    /// No limit: the longest patience where no clock runs. For people; an engine needs a limit.
    pub fn unlimited() -> ClockSpec {
        ClockSpec {
            patience: Some(MAX_TIME),
            ..ClockSpec::default()
        }
    }

    /// Whether a clock runs, not only a limit of nodes or depth.
    pub fn is_timed(&self) -> bool {
        self.base.is_some() || self.byoyomi.is_some() || self.per_move.is_some()
    }
}

/// The keys of the `[clock]` table with their values, but for those that say nothing of how long the
/// engines may think: `base 10s, increment 100ms`.
impl fmt::Display for ClockSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |time: Option<SignedDuration>| time.map(|time| format!("{time:#}"));
        let some = |time: SignedDuration| (!time.is_zero()).then_some(time);
        let keys = [
            ("base", time(self.base)),
            ("match", self.whole_match.then(|| true.to_string())),
            ("moves", self.moves.map(|turns| turns.to_string())),
            ("increment", time(some(self.increment))),
            ("delay", time(some(self.delay))),
            ("bronstein", time(some(self.bronstein))),
            ("byoyomi", time(self.byoyomi)),
            ("periods", self.periods.map(|periods| periods.to_string())),
            ("move", time(self.per_move)),
            (
                "first_turn",
                self.first_turn.map(|factor| factor.to_string()),
            ),
            ("nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("depth", self.depth.map(|depth| depth.to_string())),
        ];
        let given = keys
            .into_iter()
            .filter_map(|(key, value)| Some(format!("{key} {}", value?)));
        f.write_str(&given.collect::<Vec<_>>().join(", "))
    }
}

/// The default margin: the time that a busy machine may take from an engine.
fn default_margin() -> SignedDuration {
    SignedDuration::from_millis(20)
}

/// Default time limit per turn where no clock runs, only a node or depth limit. It ends the game
/// with an engine that never answers.
pub const UNTIMED_TURN: Duration = Duration::from_secs(60);

/// One side's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    spec: ClockSpec,
    /// What is left of `base`, or zero with byo-yomi alone; `None` if time does not carry over
    /// between turns.
    main: Option<Duration>,
    /// Remaining byo-yomi periods, at least one; they have zero length without byo-yomi.
    periods: u32,
    /// Number of turns charged.
    turns: u32,
}

/// A turn took longer than the clock allows, margin included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{:.3} s used of {:.3} s", used.as_secs_f64(), allowed.as_secs_f64())]
pub struct FlagFallen {
    /// How long the turn took.
    pub used: Duration,
    /// How long it could take, without the margin.
    pub allowed: Duration,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(spec: &ClockSpec) -> Clock {
        let no_base = spec.byoyomi.map(|_| SignedDuration::ZERO);
        Clock {
            spec: *spec,
            main: spec.base.or(no_base).map(duration),
            periods: spec.periods.map_or(1, NonZeroU32::get),
            turns: 0,
        }
    }

    /// A clock that starts with the time left from an earlier game of the same meeting.
    pub fn carrying(spec: &ClockSpec, left: Duration) -> Clock {
        Clock {
            main: Some(left),
            ..Clock::new(spec)
        }
    }

    /// The side's remaining time, including its byo-yomi periods; `None` if time does not carry
    /// over between turns.
    pub fn left(&self) -> Option<Duration> {
        let periods = self.period().saturating_mul(self.periods);
        self.main.map(|main| main.saturating_add(periods))
    }

    /// The length of a byo-yomi period.
    fn period(&self) -> Duration {
        self.spec.byoyomi.map_or(Duration::ZERO, duration)
    }

    /// How many turns the side has until `base` is added again, including the next one.
    fn turns_to_go(&self) -> Option<u32> {
        self.spec
            .moves
            .map(|moves| moves.get() - self.turns % moves)
    }

    /// Whether a clock runs, not only a limit of nodes or depth.
    pub fn is_timed(&self) -> bool {
        self.spec.is_timed()
    }

    /// How long the next turn may take, without the margin.
    pub fn allowed(&self) -> Duration {
        let delay = duration(self.spec.delay);
        let left = self.left().map(|left| left.saturating_add(delay));
        let limits = left.into_iter().chain(self.turn_time());
        limits
            .min()
            .or(self.spec.patience.map(duration))
            .unwrap_or(UNTIMED_TURN)
    }

    /// The time of a turn, of each the same but the first; the clock of the game may leave less.
    fn turn_time(&self) -> Option<Duration> {
        let time = duration(self.spec.per_move?);
        let factor = self.spec.first_turn.filter(|_| self.turns == 0);
        Some(factor.map_or(time, |factor| factor.of(time)))
    }

    /// How long to wait for the next turn: the allowed time plus the margin.
    pub fn patience(&self) -> Duration {
        self.allowed().saturating_add(duration(self.spec.margin))
    }

    /// Charges a finished turn, in whole µs, then adds what the time control gives after a turn.
    /// The margin is grace, not time: the part of a turn that falls into it is not charged.
    ///
    /// # Errors
    /// The flag has fallen; the clock is unchanged.
    pub fn charge(&mut self, used: Duration) -> Result<(), FlagFallen> {
        let used = Duration::from_micros(used.as_micros() as u64);
        if used > self.patience() {
            let allowed = self.allowed();
            return Err(FlagFallen { used, allowed });
        }
        let used = used.min(self.allowed());
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

    /// Takes time from the clock between two turns, in whole µs, as far as it has time besides its
    /// byo-yomi periods. Returns what it took: zero if time does not carry over between turns.
    pub fn take(&mut self, time: Duration) -> Duration {
        let time = Duration::from_micros(time.as_micros() as u64);
        let taken = self.main.map_or(Duration::ZERO, |main| main.min(time));
        self.main = self.main.map(|main| main - taken);
        taken
    }

    /// The clock within a turn that has taken this long: what an engine is told that is asked only
    /// now.
    pub fn after(&self, used: Duration) -> Clock {
        let mut clock = self.clone();
        if let (Some(time), Some(all)) = (self.spec.per_move, self.turn_time()) {
            let left = all.saturating_sub(used).max(Duration::from_millis(1));
            let left = SignedDuration::try_from(left).unwrap_or(MAX_TIME);
            clock.spec.per_move = Some(time.min(left));
            clock.spec.first_turn = None;
        }
        if let Some(main) = self.main {
            let taken = used.min(main);
            clock.use_up_periods(used - taken);
            clock.main = Some(main - taken);
        }
        clock
    }

    /// Charges a turn after which the clock has run out and the game goes on all the same.
    pub fn run_out(&mut self) {
        let all = self.allowed();
        // A turn of exactly the time allowed is within it.
        let _ = self.charge(all);
    }

    /// Sets the time left. Byo-yomi periods are not part of it.
    pub fn set(&mut self, left: Duration) {
        self.main = Some(left);
    }

    /// Removes the periods that a turn has used up; `over` is its time beyond `base`. The last
    /// period stays, so that the margin applies to it.
    fn use_up_periods(&mut self, over: Duration) {
        // A turn of exactly one period is within it.
        let whole = over.as_micros().saturating_sub(1);
        let used_up = whole.checked_div(self.period().as_micros()).unwrap_or(0);
        let used_up = u32::try_from(used_up).unwrap_or(u32::MAX);
        self.periods = self.periods.saturating_sub(used_up).max(1);
    }
}

/// The clocks of `First` and `Second` at the start of a game; `carried_us` is the time left from an
/// earlier game of the same meeting, in µs.
pub fn both(specs: &[ClockSpec; 2], carried_us: Option<[u64; 2]>) -> [Clock; 2] {
    match carried_us {
        None => specs.each_ref().map(Clock::new),
        Some([first, second]) => [
            Clock::carrying(&specs[0], Duration::from_micros(first)),
            Clock::carrying(&specs[1], Duration::from_micros(second)),
        ],
    }
}

/// Converts a duration of a league file; a negative one, which the file check rejects, becomes
/// zero.
fn duration(signed: SignedDuration) -> Duration {
    signed.try_into().unwrap_or_default()
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

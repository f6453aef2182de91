//! Clocks: what a league file says of them, and one side's running clock.

use std::time::Duration;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How long the engines may think: the `[clock]` table of a league file.
///
/// Durations are text with a unit: `"15m"`, `"60s"`, `"500ms"`. Of `base` and `move` at most one
/// may be given; `nodes` and `depth` may stand alone or beside either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSpec {
    /// Sudden death: time of one side for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<SignedDuration>,
    /// Added to the side's clock after each of its turns.
    #[serde(default, skip_serializing_if = "SignedDuration::is_zero")]
    pub increment: SignedDuration,
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
    left: Option<Duration>,
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
        Clock {
            spec: *spec,
            left: spec.base.map(duration),
        }
    }

    /// What is left of the side's time for the whole game, if it has one. The engine is told this,
    /// without the margin.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// What the next turn is allowed to take, without the margin.
    fn allowed(&self) -> Duration {
        self.left
            .or(self.spec.per_move.or(self.spec.patience).map(duration))
            .unwrap_or(UNTIMED_TURN)
    }

    /// How long to wait for the next turn: what it is allowed to take, and the margin.
    pub fn patience(&self) -> Duration {
        self.allowed().saturating_add(duration(self.spec.margin))
    }

    /// Charges a finished turn, in whole µs, and adds the increment. The margin is grace and not
    /// time: what a turn takes of it is not taken from the clock.
    ///
    /// # Errors
    /// The flag has fallen.
    pub fn charge(&mut self, used: Duration) -> Result<(), FlagFallen> {
        if used > self.patience() {
            let allowed = self.allowed();
            return Err(FlagFallen { used, allowed });
        }
        if let Some(left) = &mut self.left {
            let used = Duration::from_micros(used.as_micros() as u64);
            *left = left
                .saturating_sub(used)
                .saturating_add(duration(self.spec.increment));
        }
        Ok(())
    }
}

/// A league file's duration; a negative one, which it refuses, is none.
fn duration(signed: SignedDuration) -> Duration {
    signed.try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(edit: impl Fn(&mut ClockSpec)) -> Clock {
        let mut spec = ClockSpec {
            margin: SignedDuration::from_millis(20),
            ..ClockSpec::default()
        };
        edit(&mut spec);
        Clock::new(&spec)
    }

    #[test]
    fn sudden_death_counts_down_and_the_increment_is_added_after_the_turn() {
        let mut clock = clock(|spec| {
            spec.base = Some(SignedDuration::from_secs(1));
            spec.increment = SignedDuration::from_millis(100);
        });
        assert_eq!(clock.patience(), 1020 * MS);
        clock.charge(300 * MS).unwrap();
        assert_eq!(clock.left(), Some(800 * MS));
        clock.charge(Duration::from_nanos(1_999)).unwrap();
        assert_eq!(
            clock.left(),
            Some(900 * MS - Duration::from_micros(1)),
            "whole µs"
        );
    }

    #[test]
    fn the_flag_falls_only_beyond_the_margin() {
        let mut clock = clock(|spec| spec.base = Some(SignedDuration::from_secs(1)));
        clock.charge(1020 * MS).unwrap();
        assert_eq!(clock.left(), Some(Duration::ZERO));
        assert_eq!(clock.patience(), 20 * MS);
        let fallen = clock.charge(21 * MS).unwrap_err();
        assert_eq!(fallen.to_string(), "0.021 s used of 0.000 s");
        assert_eq!(
            clock.left(),
            Some(Duration::ZERO),
            "a fallen flag moves nothing"
        );
    }

    #[test]
    fn time_for_every_turn_does_not_add_up() {
        let mut clock = clock(|spec| spec.per_move = Some(SignedDuration::from_millis(100)));
        for _ in 0..5 {
            clock.charge(110 * MS).unwrap();
        }
        assert_eq!(clock.left(), None);
        assert!(clock.charge(121 * MS).is_err());
    }

    #[test]
    fn without_a_clock_there_is_an_end_too() {
        let mut clock = clock(|spec| spec.nodes = Some(1_000));
        clock.charge(UNTIMED_TURN).unwrap();
        assert_eq!(clock.left(), None);
        assert!(clock.charge(UNTIMED_TURN + 21 * MS).is_err());
        let patient = |spec: &mut ClockSpec| {
            spec.depth = Some(9);
            spec.patience = Some(SignedDuration::from_mins(5));
        };
        assert_eq!(self::clock(patient).patience(), 300_020 * MS);
    }
}

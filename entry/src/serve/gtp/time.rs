//! The clocks of a GTP controller.

use std::time::Duration;

use engine_core::Side;
use engine_core::time::TimeLeft;

/// Times sent by the controller; none at first.
#[derive(Debug, Default)]
pub(super) struct Time {
    settings: Option<Settings>,
    /// Remaining time of each side and the number of turns it covers; 0 turns for the whole game.
    left: [Option<(Duration, u32)>; 2],
}

/// `time_settings`: main time, then a number of turns in every period.
#[derive(Clone, Copy, Debug)]
struct Settings {
    main: Duration,
    period: Duration,
    turns: u32,
}

impl Settings {
    /// By GTP, a period for zero turns means no limit.
    fn unlimited(self) -> bool {
        self.turns == 0 && !self.period.is_zero()
    }
}

impl Time {
    /// `time_settings` with its arguments.
    ///
    /// # Errors
    /// Arguments that are no times.
    pub(super) fn set(main: &str, period: &str, turns: &str) -> Result<Time, String> {
        let settings = Settings {
            main: seconds(main)?,
            period: seconds(period)?,
            turns: turns.parse().map_err(|_| "syntax error")?,
        };
        Ok(Time {
            settings: Some(settings),
            ..Time::default()
        })
    }

    /// `time_left` with its arguments.
    ///
    /// # Errors
    /// Arguments that are no times.
    pub(super) fn set_left(&mut self, side: Side, time: &str, turns: &str) -> Result<(), String> {
        let turns = turns.parse().map_err(|_| "syntax error")?;
        self.left[side.index()] = Some((seconds(time)?, turns));
        Ok(())
    }

    /// Forgets the times left, as a new game begins.
    pub(super) fn begin(&mut self) {
        self.left = [None; 2];
    }

    /// The clock of the side to move, if it has one.
    pub(super) fn clock(&self, side: Side) -> Option<TimeLeft> {
        let settings = self.settings.filter(|settings| !settings.unlimited());
        let begin = settings.map(|settings| match settings.main {
            Duration::ZERO => (settings.period, settings.turns),
            main => (main, 0),
        });
        let (left, turns) = self.left[side.index()].or(begin)?;
        Some(TimeLeft {
            left,
            turns: (turns > 0).then_some(turns),
            ..TimeLeft::default()
        })
    }
}

/// Reads seconds. Some controllers send fractions, or negative numbers when time has run out.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
    let time = number.and_then(|number| Duration::try_from_secs_f64(number.max(0.0)).ok());
    time.ok_or_else(|| "syntax error".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(settings: [u32; 3], left: Option<(u64, u32)>) -> Option<(u64, Option<u32>)> {
        let [main, period, turns] = settings;
        let seconds = |s: u32| Duration::from_secs(s.into());
        let left = left.map(|(s, turns)| (Duration::from_secs(s), turns));
        let time = Time {
            settings: Some(Settings {
                main: seconds(main),
                period: seconds(period),
                turns,
            }),
            left: [left, None],
        };
        let clock = time.clock(Side::First)?;
        Some((clock.left.as_secs(), clock.turns))
    }

    #[test]
    fn seconds_are_read_leniently() {
        for (text, ms) in [("5", 5000), ("2.5", 2500), ("0", 0), ("-1", 0)] {
            assert_eq!(seconds(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "x", "1e99", "inf", "NaN"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn time_is_that_of_the_clock_or_of_the_settings() {
        assert_eq!(clock([60, 0, 0], None), Some((60, None)));
        assert_eq!(clock([60, 10, 5], None), Some((60, None)));
        assert_eq!(clock([0, 10, 5], None), Some((10, Some(5))));
        assert_eq!(clock([60, 10, 5], Some((7, 2))), Some((7, Some(2))));
        assert_eq!(clock([0, 1, 0], None), None, "no limit");
        assert_eq!(clock([0, 0, 0], None), Some((0, None)), "no time");
    }
}

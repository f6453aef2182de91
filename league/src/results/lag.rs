//! Lag: how much more time the clock charges for a turn than the engine knows of.

use gamelog::record::TurnRecord;
use hdrhistogram::Histogram;
use serde::Serialize;

/// Significant digits of the histogram's values: values above 255 µs are up to 0.8 % too high. A
/// histogram then takes some ten KiB, however many turns there are.
const DIGITS: u8 = 2;

/// Lags above this are recorded as this value, in µs: about a year. It limits the size of the
/// histogram.
const LONGEST_US: u64 = 1 << 45;

/// The lags of one engine's turns.
///
/// The lag of a turn is the time charged for it minus the time that the engine last reported in it
/// (`info … time`), but at least 0. Turns without such a report, and turns lost on time, have no
/// lag. Pipes, a busy machine and the engine's work after its last report cause lag. Engines report
/// whole ms, so it is up to 1 ms too high.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lags {
    /// In µs; `None` before the first lag.
    histogram: Option<Histogram<u64>>,
    worst_us: u64,
}

/// A summary of an engine's lags, in µs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LagReport {
    /// Number of turns with a lag.
    pub turns: u64,
    /// The median.
    pub median_us: u64,
    /// The 99th percentile.
    pub percentile_99_us: u64,
    /// The maximum, exact.
    pub worst_us: u64,
}

impl Lags {
    /// The lag of a turn, in µs, if it has one.
    pub fn of<S>(turn: &TurnRecord<S>) -> Option<u64> {
        let reported = turn.info.as_ref()?.time_ms?;
        Some(turn.used_us.saturating_sub(reported.saturating_mul(1_000)))
    }

    /// Adds the lag of a turn, in µs.
    pub fn add(&mut self, lag: u64) {
        self.worst_us = self.worst_us.max(lag);
        let histogram = self.histogram.get_or_insert_with(|| {
            Histogram::new(DIGITS).expect("a histogram supports this many digits")
        });
        histogram
            .record(lag.min(LONGEST_US))
            .expect("the histogram resizes itself");
    }

    /// Nearest-rank percentiles; `None` if no turn has a lag.
    pub fn report(&self) -> Option<LagReport> {
        let histogram = self.histogram.as_ref()?;
        let at = |quantile| histogram.value_at_quantile(quantile).min(self.worst_us);
        Some(LagReport {
            turns: histogram.len(),
            median_us: at(0.5),
            percentile_99_us: at(0.99),
            worst_us: self.worst_us,
        })
    }
}

#[cfg(test)]
mod tests {
    use engine_process::info::EngineInfo;
    use gamelog::record::sample;

    use super::*;

    fn lags(turns: impl IntoIterator<Item = (u64, Option<u64>)>) -> Lags {
        let mut lags = Lags::default();
        for (used_us, time_ms) in turns {
            let info = EngineInfo {
                time_ms,
                ..EngineInfo::default()
            };
            let turn = TurnRecord {
                used_us,
                info: Some(info),
                ..sample::turn("a")
            };
            Lags::of(&turn).into_iter().for_each(|lag| lags.add(lag));
        }
        lags
    }

    #[test]
    fn a_lag_is_the_time_that_the_engine_does_not_know_of() {
        let turns = [
            (5_200, Some(5)),
            (9_000, None),
            (7_000, Some(8)),
            (400_100, Some(100)),
        ];
        let report = LagReport {
            turns: 3,
            median_us: 200,
            percentile_99_us: 300_100,
            worst_us: 300_100,
        };
        assert_eq!(lags(turns).report(), Some(report));
        assert_eq!(lags([(9_000, None)]).report(), None);
        assert_eq!(Lags::of(&sample::turn("a")), None);
    }

    #[test]
    fn percentiles_are_exact_to_their_digits() {
        let report = lags((1..=1_000).map(|n| (100 * n, Some(0))))
            .report()
            .unwrap();
        let near = |found: u64, exact: u64| (exact..=exact + exact / 100).contains(&found);
        assert!(near(report.median_us, 50_000), "{report:?}");
        assert!(near(report.percentile_99_us, 99_000), "{report:?}");
        assert_eq!((report.turns, report.worst_us), (1_000, 100_000));
    }

    #[test]
    fn any_time_in_a_log_is_accepted() {
        let report = lags([(u64::MAX, Some(0)), (0, Some(u64::MAX))])
            .report()
            .unwrap();
        assert_eq!((report.turns, report.worst_us), (2, u64::MAX));
    }
}

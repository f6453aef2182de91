//! Progress of a running league, on standard error; the tables go to standard output.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use referee_core::base::error::{inform, shows_bar};
use referee_core::base::plain::plain;
use referee_core::base::table;
use referee_core::league::workers::Watcher;
use referee_core::log::record::GameRecord;
use referee_core::report;
use referee_core::results::replay::one_line;
use referee_core::results::standings::{Row, Standings};

/// How often the intermediate points are printed during a run without a terminal.
const TABLES: usize = 10;

/// Minimum time between updates of the table below the bar: computing ratings takes as long as many
/// short games.
const STATE_INTERVAL: Duration = Duration::from_millis(500);

/// The progress of a league.
#[derive(Debug)]
pub struct Progress {
    begun: Instant,
    /// Games to play in this run, as far as they are known.
    planned: usize,
    /// Games in the log before this run.
    before: usize,
    played: usize,
    /// Standings of all games so far.
    standings: Standings,
    bar: Option<ProgressBar>,
    /// When the table below the bar was last updated.
    shown: Option<Instant>,
}

impl Progress {
    /// Progress of a run that starts from the standings of the log: a bar on a terminal, otherwise
    /// plain lines.
    pub fn new(logged: Standings) -> Progress {
        let before = logged.all.facts.games() as usize;
        let bar = shows_bar().then(|| {
            let bar = ProgressBar::new(before as u64).with_position(before as u64);
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games\n{msg}");
            bar.set_style(style.expect("the template is sound"));
            bar
        });
        Progress {
            begun: Instant::now(),
            planned: 0,
            before,
            played: 0,
            standings: logged,
            bar,
            shown: None,
        }
    }

    /// Removes the bar at the end of the run, so that the tables can follow.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn pace(&self) -> String {
        pace(self.played, self.planned, self.begun.elapsed())
    }

    /// Shows a finished game, and `state` below the bar.
    pub(crate) fn show(&mut self, game: &GameRecord, state: impl FnOnce(&Standings) -> String) {
        self.played += 1;
        self.standings.add(&game.into());
        let line = one_line(game);
        let line = plain(&line);
        match &self.bar {
            Some(bar) => {
                bar.println(&line);
                bar.inc(1);
                if self.shown.is_none_or(|at| at.elapsed() >= STATE_INTERVAL) {
                    self.shown = Some(Instant::now());
                    let state = state(&self.standings);
                    bar.set_message(format!("{}\n\n{}", self.pace(), plain(&state)));
                }
            }
            None => {
                let (done, all) = (self.before + self.played, self.before + self.planned);
                inform(format_args!("[{done}/{all}] {line} | {}", self.pace()));
            }
        }
    }

    /// The standings of all games so far.
    pub(crate) fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Whether standard error is not a terminal: there is no bar with a table below it.
    pub(crate) fn is_plain(&self) -> bool {
        self.bar.is_none()
    }
}

impl Watcher for Progress {
    fn planned(&mut self, more: usize) {
        self.planned += more;
        if let Some(bar) = &self.bar {
            bar.inc_length(more as u64);
        }
    }

    fn game(&mut self, game: &GameRecord) -> ControlFlow<()> {
        self.show(game, |standings| {
            let (header, rows) = report::overall(standings);
            table::render(header, rows)
        });
        let every = self.planned.div_ceil(TABLES);
        if self.is_plain() && self.played.is_multiple_of(every) && self.played < self.planned {
            let rows = self.standings.all.ranked();
            let points = |row: &&Row| format!("{} {}", row.name, row.total().points());
            let points: Vec<_> = rows.iter().map(points).collect();
            inform(format_args!("points so far: {}", points.join(", ")));
        }
        ControlFlow::Continue(())
    }

    fn tick(&mut self) {
        if let Some(bar) = &self.bar {
            bar.tick();
        }
    }
}

/// Game rate and estimated time left.
fn pace(played: usize, planned: usize, elapsed: Duration) -> String {
    let each = elapsed.as_secs_f64() / played.max(1) as f64;
    let left = Duration::from_secs_f64(each * planned.saturating_sub(played) as f64);
    let rate = 1.0 / each.max(1e-6);
    let rate = if rate >= 1.0 {
        format!("{rate:.1} games/s")
    } else {
        format!("{:.1} games/min", 60.0 * rate)
    };
    format!("{rate}, {} left", clock(left))
}

/// A time as hours, minutes and seconds: `1:02:03`, `2:03`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left_are_estimated() {
        assert_eq!(
            pace(10, 40, Duration::from_secs(5)),
            "2.0 games/s, 0:15 left"
        );
        assert_eq!(
            pace(1, 101, Duration::from_secs(120)),
            "0.5 games/min, 3:20:00 left"
        );
        assert_eq!(
            pace(4, 4, Duration::from_secs(240)),
            "1.0 games/min, 0:00 left"
        );
    }
}

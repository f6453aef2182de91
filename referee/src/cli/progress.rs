//! Progress of a running league, on standard error; the tables go to standard output.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use base::error::{inform, shows_bar, tell_through};
use base::plain::{games_in_words, plain};
use base::table;
use gamelog::record::{GameRecord, SideName};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use league::live::{Live, Playing};
use league::report;
use league::results::replay::one_line;
use league::results::standings::{Row, Standings};
use league::workers::Watcher;
use ratatui::crossterm::terminal;

/// How often the intermediate points are printed during a run without a terminal.
const TABLES: usize = 10;

/// Minimum time between updates of the table below the bar: computing ratings takes as long as many
/// short games.
const STATE_INTERVAL: Duration = Duration::from_millis(500);

/// Columns and rows from which on a terminal shows the table below the bar.
const LEAST: (u16, u16) = (60, 12);

/// Rows of the terminal that the table leaves free: the bar, the game rate, and the lines above.
const FREE: usize = 5;

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
    /// The games in progress.
    live: Live,
    bar: Option<ProgressBar>,
    /// The table below the bar, and when it was made.
    table: String,
    shown: Option<Instant>,
}

impl Progress {
    /// Progress of a run that starts from the standings of the log: a bar on a terminal, otherwise
    /// plain lines. Messages are printed above the bar until [`Progress::finish`].
    pub(super) fn new(logged: Standings, live: Live) -> Progress {
        let before = logged.all.facts.games() as usize;
        let bar = shows_bar().then(|| {
            let bar = ProgressBar::new(before as u64).with_position(before as u64);
            // How many games there are is not known yet.
            bar.set_style(style("{wide_bar} engines are tried\n{msg}"));
            let above = bar.clone();
            tell_through(Some(Box::new(move |line| above.println(line))));
            bar
        });
        Progress {
            begun: Instant::now(),
            planned: 0,
            before,
            played: 0,
            standings: logged,
            live,
            bar,
            table: String::new(),
            shown: None,
        }
    }

    /// Removes the bar at the end of the run, so that the tables can follow.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            tell_through(None);
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
                    self.table = state(&self.standings);
                    self.refresh();
                }
            }
            None => {
                let (done, all) = (self.before + self.played, self.before + self.planned);
                inform(format_args!("[{done}/{all}] {line} | {}", self.pace()));
            }
        }
    }

    /// Shows the game rate, and in a large terminal the table and the games in progress.
    fn refresh(&self) {
        let Some(bar) = &self.bar else {
            return;
        };
        let mut message = match self.played {
            0 => "no game of this run has ended yet".to_owned(),
            _ => self.pace(),
        };
        let size = terminal::size().unwrap_or_default();
        if size.0 >= LEAST.0 && size.1 >= LEAST.1 {
            let rows = usize::from(size.1).saturating_sub(FREE);
            let now = Timestamp::now();
            let games = self.live.list(|game| in_progress(game, now));
            let text = live(&self.table, &games, usize::from(size.0), rows);
            message += &format!("\n\n{text}");
        }
        bar.set_message(plain(&message).into_owned());
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
            bar.set_style(style("{wide_bar} {pos}/{len} games\n{msg}"));
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
        self.refresh();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is sound")
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

/// A game in progress on one line: its time, its turns and rolls, its id, and the last score of each
/// engine.
fn in_progress(game: &Playing, now: Timestamp) -> String {
    let time = Duration::try_from(now.duration_since(game.started)).unwrap_or_default();
    let mut line = format!(
        "{:>8} {:>4} turns  {}",
        clock(time),
        game.turns.len(),
        game.id
    );
    for (side, name) in [SideName::First, SideName::Second]
        .into_iter()
        .zip(&game.engines)
    {
        let turns = game.turns.iter().rev().filter(|turn| turn.side == side);
        let mut scores = turns.filter_map(|turn| turn.info.as_ref()?.score.as_deref());
        if let Some(score) = scores.next() {
            line += &format!("  {name} {score}");
        }
    }
    line
}

/// The table and the games in progress in at most `rows` lines of `columns`. The games get at least
/// the third part.
fn live(table: &str, games: &[String], columns: usize, rows: usize) -> String {
    let table_rows = table.lines().count();
    let room = rows.saturating_sub(table_rows + 2).max(rows / 3);
    let shown = &games[..games.len().min(room)];
    let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
    lines.truncate(rows.saturating_sub(shown.len() + 2));
    if !lines.is_empty() {
        lines.push(String::new());
    }
    let more = match games.len() - shown.len() {
        0 => String::new(),
        more => format!(", {more} not shown"),
    };
    lines.push(format!(
        "in progress: {}{more}",
        games_in_words(games.len())
    ));
    lines.extend_from_slice(shown);
    let cut = |line: String| line.chars().take(columns - 1).collect();
    let lines: Vec<String> = lines.into_iter().map(cut).collect();
    lines.join("\n")
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

    #[test]
    fn the_live_table_fits_into_its_rows_and_columns() {
        let table = "header\n──────\n  1   pvs\n  2   mcts";
        let game = |number: usize| format!("    0:00 {number:>4} turns  hex-r{number}-pvs-mcts-0");
        let games: Vec<String> = (1..20).map(game).collect();
        for (columns, rows) in [(60, 7), (80, 19), (200, 60)] {
            for count in [0, 1, 19] {
                let text = live(table, &games[..count], columns, rows);
                let lines: Vec<&str> = text.lines().collect();
                assert!(lines.len() <= rows, "{columns}×{rows}: {text}");
                assert!(
                    lines.iter().all(|line| line.chars().count() < columns),
                    "{text}"
                );
                assert!(text.contains("in progress: "), "{text}");
            }
        }
        let text = live(table, &games[..2], 80, 19);
        let expected = "\n\nin progress: 2 games\n    0:00    1 turns  hex-r1-pvs-mcts-0\n";
        assert!(text.starts_with(table) && text.contains(expected), "{text}");
        assert!(live(table, &games, 80, 19).contains("in progress: 19 games, "));
    }
}

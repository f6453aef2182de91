//! What a log says, as tables that can be pasted into a report.
//!
//! ```text
//! [GameRecord] ─ Standings ─ games | engines | openings ─▶ [Section] ─ format ─▶ text
//! ```

mod deviations;
mod engines;
mod format;
mod games;
mod json;
mod lags;
mod openings;
mod tournament;

pub use format::Format;
pub(crate) use games::overall;
pub use tournament::tournament;

use crate::standings::{Standings, Tally};
use crate::stats::Estimate;

/// What the tables are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum By {
    /// A table of engines for each game, one over all games, and one of deviations.
    #[default]
    Game,
    /// A table of opponents for each engine, one of their lags, and one of deviations.
    Engine,
    /// A table of openings for each game.
    Opening,
}

/// How a report is made.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// What its tables are about.
    pub by: By,
    /// How they are written.
    pub format: Format,
    /// The engine whose rating is 0; else the mean of all is.
    pub anchor: Option<String>,
}

/// A table with a title, and what is to be said of it.
struct Section {
    title: String,
    notes: Vec<String>,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The report of these standings.
pub fn report(standings: &Standings, wishes: &Wishes) -> String {
    let anchor = wishes.anchor.as_deref();
    if wishes.format == Format::Json {
        return json::write(standings, anchor);
    }
    let mut sections = match wishes.by {
        By::Game => games::sections(standings, anchor),
        By::Engine => {
            let mut sections = engines::sections(standings, anchor);
            sections.extend(lags::section(standings));
            sections
        }
        By::Opening => openings::sections(standings),
    };
    if wishes.by != By::Opening {
        sections.extend(deviations::section(standings));
    }
    format::write(&sections, wishes.format)
}

/// The name that people read.
fn name_of(game: &str) -> &str {
    catalog::find(game).map_or(game, |rules| rules.name())
}

/// `1 game`, `2 games`.
fn games_in_words(count: u32) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

fn w_d_l(tally: Tally) -> String {
    format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
}

/// A share as a percentage, `62.5 %`; nothing where there is none.
fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
}

/// The two cells of a figure and its error; a dash where it cannot be told.
fn with_error(estimate: Option<Estimate>) -> [String; 2] {
    match estimate {
        Some(Estimate { value, error }) => [format!("{value:+.1}"), format!("{error:.1}")],
        None => ["–".to_owned(), String::new()],
    }
}

fn cells<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests;

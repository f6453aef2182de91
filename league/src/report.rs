//! The standings as tables for a report.
//!
//! ```text
//! [GameRecord] ─ Standings ─ games | engines | openings | list ─▶ [Section] ─ format ─▶ text
//! ```

mod anchors;
mod builds;
mod cpu;
mod deviations;
mod engines;
mod format;
mod games;
mod hosts;
mod json;
mod lags;
mod list;
mod openings;
mod searches;
pub mod sprt;
mod tournament;

pub use format::Format;
pub use games::overall;
pub use tournament::tournament;

use base::plain::games_in_words;
use stats::{Estimate, Figure};

use crate::results::anchors::Anchor;
use crate::results::standings::Standings;
use crate::results::tally::Tally;

/// Grouping of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// Tables of engines and of their searches per game, and one of all games. Below them those of hosts,
    /// CPU time while not to move, builds and protocol deviations.
    #[default]
    Game,
    /// One table of opponents per engine, one of lags, one of hosts, one of CPU time while not to
    /// move, one of builds and one of protocol deviations.
    Engine,
    /// One table of openings per game.
    Opening,
    /// One rating list per game: the strongest first, over all leagues.
    List,
}

impl By {
    /// All of them.
    pub const ALL: [By; 4] = [By::Game, By::Engine, By::Opening, By::List];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            By::Game => "game",
            By::Engine => "engine",
            By::Opening => "opening",
            By::List => "list",
        }
    }

    /// What it is, for a list of them.
    pub const fn about(self) -> &'static str {
        match self {
            By::Game => {
                "Tables of engines and of their searches per game, and one of all games. Below them those of \
                 hosts, CPU time while not to move, builds and protocol deviations"
            }
            By::Engine => {
                "One table of opponents per engine, one of lags, one of hosts, one of CPU time while not to \
                 move, one of builds and one of protocol deviations"
            }
            By::Opening => "One table of openings per game",
            By::List => "One rating list per game: the strongest first, over all leagues",
        }
    }
}

/// Options of a report.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    /// Grouping of the tables.
    pub by: By,
    /// Output format.
    pub format: Format,
    /// The engines whose ratings are given; none to set the mean of all ratings to 0.
    pub anchors: Vec<Anchor>,
}

/// A table with title and notes.
struct Section {
    title: String,
    notes: Vec<String>,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The report of these standings.
pub fn report(standings: &Standings, options: &ReportOptions) -> String {
    let anchors = &options.anchors;
    if options.format == Format::Json {
        return json::write(standings, anchors);
    }
    let mut sections = match options.by {
        By::Game => games::sections(standings, anchors),
        By::Engine => {
            let mut sections = engines::sections(standings, anchors);
            sections.extend(lags::section(standings));
            sections
        }
        By::Opening => openings::sections(standings),
        By::List => list::sections(standings, anchors),
    };
    if options.by == By::Game {
        sections.extend(searches::sections(standings));
    }
    if matches!(options.by, By::Game | By::Engine) {
        sections.extend(hosts::section(standings));
        sections.extend(cpu::section(standings));
        sections.extend(builds::section(standings));
        sections.extend(deviations::section(standings));
    }
    let uncounted = [
        (
            standings.unfinished,
            "without a result: not counted in any table",
        ),
        (
            standings.decided,
            "decided by a person: not counted in these tables",
        ),
    ];
    if let Some(section) = sections.first_mut() {
        for (count, what) in uncounted.into_iter().filter(|(count, _)| *count > 0) {
            let games = games_in_words(count as usize);
            section.notes.push(format!("{games} {what}"));
        }
    }
    format::write(&sections, options.format)
}

/// The display name of a game.
fn name_of(game: &str) -> &str {
    catalog::find(game).map_or(game, |rules| rules.name())
}

fn w_d_l(tally: Tally) -> String {
    format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
}

/// A share as a percentage, `62.5 %`; empty if unknown.
fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
}

/// What stands in place of a bound that does not say who is ahead.
const FEW: &str = "few games";

/// A value with its sign, to a tenth; nought has none.
fn signed(value: f64) -> String {
    match format!("{value:+.1}").as_str() {
        "+0.0" | "-0.0" => "0.0".to_owned(),
        text => text.to_owned(),
    }
}

/// Two cells, value and error; a bound has no error. A dash if nothing is known.
fn with_error(figure: Option<Figure>) -> [String; 2] {
    match figure {
        Some(Figure::Estimate(Estimate { value, error })) => [signed(value), format!("{error:.1}")],
        Some(vague) if vague.is_vague() => [FEW.to_owned(), String::new()],
        Some(Figure::Above(bound)) => [format!("> {bound:+.1}"), String::new()],
        Some(Figure::Below(bound)) => [format!("< {bound:+.1}"), String::new()],
        None => ["–".to_owned(), String::new()],
    }
}

/// A rating and its error. On a scale that is given, a sign would say nothing.
fn rating(figure: Option<Figure>, anchors: &[Anchor]) -> [String; 2] {
    let [value, error] = with_error(figure);
    if anchors.iter().all(|anchor| anchor.rating == 0.0) {
        return [value, error];
    }
    [value.replace('+', ""), error]
}

/// A figure in a sentence: `+12.0 ± 3.4`, or `> +350.0 (95 %)`; `unknown` if nothing is known.
pub(crate) fn in_words(figure: Option<Figure>) -> String {
    match (figure, with_error(figure)) {
        (None, _) => "unknown".to_owned(),
        (Some(Figure::Estimate(_)), [value, error]) => format!("{value} ± {error}"),
        (Some(vague), _) if vague.is_vague() => "unknown after few games".to_owned(),
        (Some(_), [bound, _]) => format!("{bound} (95 %)"),
    }
}

fn cells<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests;

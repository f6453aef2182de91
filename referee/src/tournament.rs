//! Tournaments: which games are due, given those that have been played, and how everybody stands.
//!
//! A format is a plain function that asks for the results of games as if all had been played, and
//! stops where one is missing. What it asked for in vain is due. So the games of a league follow
//! from its file and its log alone, a league that was stopped goes on by itself, and no state but
//! the log is kept.
//!
//! ```text
//! stage ─ groups ─▶ round robin, gauntlet | swiss | knockout ─▶ meetings ─▶ games asked for
//!   ▲                                                              │
//!   └───────── who goes on ◀──────── ranking, tie-breaks ◀─────────┘
//! ```

mod fixture;
mod group;
mod knockout;
mod meeting;
mod played;
mod ranking;
mod stages;
mod swiss;

use std::path::{Path, PathBuf};

pub use fixture::{Decider, Entrant, Fixture};
pub use meeting::Met;
pub use played::{Ended, Played};
pub use ranking::{Place, Standing};
pub use stages::GroupTable;

use crate::config::{Config, Format, GameConfig, Meeting};
use crate::opening::book::Book;
use crate::plan::Planner;
use crate::task::GameTask;

/// What the games played so far mean for a league.
#[derive(Debug, Default)]
pub struct Survey {
    /// The games that can be played now, in the order of play.
    pub due: Vec<GameTask>,
    /// How many of the games that have been played are of the league.
    pub played: usize,
    /// The tables of each game of the league, stage by stage and group by group.
    pub tables: Vec<Vec<GroupTable>>,
}

/// A league, and everything that its games are planned with.
pub struct Tournament {
    /// What the league file says.
    pub config: Config,
    /// The file of this program, with which built-in engines are started.
    referee: PathBuf,
    /// The openings of each game.
    books: Vec<Book>,
}

impl Tournament {
    /// The tournament of a league; `referee` is the file of this program, with which built-in
    /// engines are started.
    pub fn new(config: Config, referee: &Path) -> Tournament {
        let book = |game: &GameConfig| {
            let rules = catalog::find(&game.id).expect("the games of a league were checked");
            Book::new(rules, &game.variant, &game.openings, config.seed)
        };
        Tournament {
            books: config.games.iter().map(book).collect(),
            referee: referee.to_owned(),
            config,
        }
    }

    /// Whether results decide which games are played: else the first survey names all of them.
    pub fn is_open(&self) -> bool {
        let stages = &self.config.stages;
        stages.len() > 1
            || self.config.games.iter().any(|game| game.clock.whole_match)
            || stages.iter().any(|stage| {
                matches!(stage.format, Format::Swiss | Format::Knockout)
                    || matches!(stage.meeting, Meeting::Wins(_))
                    || stage.tie_breaks.iter().any(|rule| rule.is_played())
            })
    }

    /// Surveys the league after these games, of which those that are not of the league count nothing.
    pub fn survey(&self, played: &Played) -> Survey {
        let mut survey = Survey::default();
        let mut due = Vec::new();
        for (index, game) in self.config.games.iter().enumerate() {
            let planner = Planner {
                config: &self.config,
                game,
                book: &self.books[index],
                referee: &self.referee,
            };
            let mut before: Option<(Fixture, Ended)> = None;
            let mut ask = |fixture: &Fixture| {
                let plan = planner.plan(fixture);
                let Some(ended) = played.get(&plan.id) else {
                    let mut task = plan.task();
                    task.carried_us = before
                        .filter(|(earlier, _)| task.clock.whole_match && earlier.meets_as(fixture))
                        .and_then(|(earlier, ended)| carried(&earlier, ended, fixture));
                    due.push((fixture.turn(index), task));
                    return None;
                };
                survey.played += 1;
                before = Some((*fixture, ended));
                Some(ended.result)
            };
            let tables = stages::play(&self.config, index, &mut ask);
            survey.tables.push(tables);
        }
        // Stable: the games of a meeting stay together.
        due.sort_by_key(|(turn, _)| *turn);
        survey.due = due.into_iter().map(|(_, task)| task).collect();
        survey
    }

    /// All games that follow from the league file alone, in the order of play.
    pub fn plan(&self) -> Vec<GameTask> {
        self.survey(&Played::default()).due
    }
}

/// What a game has left on the clocks of the sides of the next game of its meeting, in µs.
fn carried(earlier: &Fixture, ended: Ended, next: &Fixture) -> Option<[u64; 2]> {
    let mut left = ended.left_us?;
    if earlier.sides != next.sides {
        left.reverse();
    }
    Some(left)
}

#[cfg(test)]
mod tests;

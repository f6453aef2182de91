//! Tournaments: which games are due after the games played so far, and the standings.
//!
//! A format is a plain function that asks for the results of games as if all had been played, and
//! stops at a missing one. Every game that was asked for and is missing is due. So the games of a
//! league depend only on its file and its log: there is no other state, and resuming needs no code.
//!
//! ```text
//! stage ─ groups ─▶ round robin, gauntlet | swiss | knockout ─▶ meetings ─▶ games asked for
//!   ▲                                                              │
//!   └───────── who advances ◀─────── ranking, tie-breaks ◀─────────┘
//! ```

mod group;
mod knockout;
mod meeting;
mod played;
mod ranking;
mod stages;
mod swiss;

use std::path::{Path, PathBuf};

pub use meeting::Met;
pub(crate) use meeting::plays_first;
pub use played::{Ended, Played};
pub use ranking::{Place, Standing};
pub use stages::GroupTable;

use crate::league::config::{Config, Format, GameConfig, Meeting};
use crate::league::fixture::Fixture;
use crate::league::plan::Planner;
use crate::task::GameTask;
use crate::task::opening::book::Book;

/// The state of a league after the games played so far.
#[derive(Debug, Default)]
pub struct Survey {
    /// The games that can be played now, in playing order.
    pub due: Vec<GameTask>,
    /// Number of games played that belong to the league.
    pub played: usize,
    /// The tables of each game of the league, by stage and group.
    pub tables: Vec<Vec<GroupTable>>,
}

/// A league with everything needed to plan its games.
pub struct Tournament {
    /// The league file.
    pub config: Config,
    /// The executable of this program, which runs built-in engines.
    referee: PathBuf,
    /// The opening book of each game.
    books: Vec<Book>,
}

impl Tournament {
    /// The tournament of a league. `referee` is the executable of this program, which runs built-in
    /// engines.
    ///
    /// # Panics
    /// If the league has no seed.
    pub fn new(config: Config, referee: &Path) -> Tournament {
        let book = |game: &GameConfig| {
            let rules = catalog::find(&game.id).expect("the games of a league were checked");
            Book::new(rules, &game.variant, &game.openings, config.seed())
        };
        Tournament {
            books: config.games.iter().map(book).collect(),
            referee: referee.to_owned(),
            config,
        }
    }

    /// Whether later games depend on results. If not, the first survey has all games.
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

    /// The state of the league after these games. Games that are not in the league are ignored.
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
                        .filter(|(earlier, _)| {
                            task.clock.whole_match && earlier.is_same_meeting(fixture)
                        })
                        .and_then(|(earlier, ended)| carried(&earlier, ended, fixture));
                    due.push((fixture.order(index), task));
                    return None;
                };
                survey.played += 1;
                before = Some((*fixture, ended));
                Some(ended.result)
            };
            let tables = stages::play(&self.config, index, &mut ask);
            survey.tables.push(tables);
        }
        // A stable sort keeps the games of a meeting together.
        due.sort_by_key(|(order, _)| *order);
        survey.due = due.into_iter().map(|(_, task)| task).collect();
        survey
    }

    /// All games that depend only on the league file, in playing order.
    pub fn plan(&self) -> Vec<GameTask> {
        self.survey(&Played::default()).due
    }
}

/// Time that a game leaves on the clocks for the sides of the next game of its meeting, µs.
fn carried(earlier: &Fixture, ended: Ended, next: &Fixture) -> Option<[u64; 2]> {
    let mut left = ended.left_us?;
    if earlier.sides != next.sides {
        left.reverse();
    }
    Some(left)
}

#[cfg(test)]
mod tests;

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

mod due;
mod group;
mod knockout;
mod meeting;
mod played;
mod ranking;
mod stages;
mod swiss;
mod wrapping;

use std::path::{Path, PathBuf};

use task::GameTask;
use task::opening::book::Book;

use crate::config::{Config, Format, GameConfig, Meeting, Seeding};
use crate::fixture::{Fixture, Wanted};
use crate::plan::Planner;

pub use due::Due;
pub use group::Bye;
pub use meeting::plays_first;
pub use meeting::{Ending, Met};
pub use played::{Ended, Played};
pub use ranking::{Place, Standing};
pub use stages::GroupTable;
pub use wrapping::Wrapping;

/// The state of a league after the games played so far.
#[derive(Debug, Default)]
pub struct Survey {
    /// The games that can be played now, in playing order.
    pub due: Vec<Due>,
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

    /// Whether a lot that follows from the league's seed says who meets whom at the begin.
    pub fn is_drawn(&self) -> bool {
        let first = &self.config.stages[0];
        let all_meet =
            matches!(first.format, Format::RoundRobin | Format::Gauntlet) && first.groups == 1;
        first.seeding == Seeding::Random && !all_meet
    }

    /// The state of the league after these games. Games that are not in the league are ignored.
    pub fn survey(&self, played: &Played) -> Survey {
        let mut survey = Survey::default();
        for index in 0..self.config.games.len() {
            let planner = self.planner(index);
            let mut before: Option<(Fixture, Ended)> = None;
            let mut ask = |fixture: &Fixture, wanted: Wanted| {
                let Some(ended) = find(played, &planner, fixture) else {
                    if wanted == Wanted::Look {
                        return None;
                    }
                    let one_clock = planner.game.clock_of(fixture).whole_match;
                    let carried = before
                        .filter(|(earlier, _)| one_clock && earlier.is_same_meeting(fixture))
                        .and_then(|(earlier, ended)| carried(&earlier, ended, fixture));
                    survey.due.push(Due::new(index, fixture, carried));
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
        survey
            .due
            .sort_by_key(|due| due.fixture().order(due.game()));
        survey
    }

    /// All games that depend only on the league file, in playing order.
    pub fn plan(&self) -> Vec<Due> {
        self.survey(&Played::default()).due
    }

    /// Everything needed to play a game that is due.
    pub fn task(&self, due: &Due) -> GameTask {
        GameTask {
            carried_us: due.carried(),
            ..self.planner(due.game()).plan(&due.fixture()).task()
        }
    }

    /// The id of a game that is due.
    pub fn id(&self, due: &Due) -> String {
        self.planner(due.game()).plan(&due.fixture()).id
    }

    fn planner(&self, game: usize) -> Planner<'_> {
        Planner {
            config: &self.config,
            game: &self.config.games[game],
            book: &self.books[game],
            referee: &self.referee,
        }
    }
}

/// How a game ended, if it has been played.
fn find(played: &Played, planner: &Planner<'_>, fixture: &Fixture) -> Option<Ended> {
    if played.is_empty() {
        return None;
    }
    played.get(&planner.plan(fixture).id)
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

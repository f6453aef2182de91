//! Standings: who has how many points. A pure function of the log.

use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

use engine_core::Side;

use crate::record::{GameRecord, GameResult, Reason};

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// One game, seen from `side`.
    fn one(result: GameResult, side: Side) -> Tally {
        match (result, side) {
            (GameResult::Draw, _) => Tally {
                draws: 1,
                ..Tally::default()
            },
            (GameResult::First, Side::First) | (GameResult::Second, Side::Second) => Tally {
                wins: 1,
                ..Tally::default()
            },
            _ => Tally {
                losses: 1,
                ..Tally::default()
            },
        }
    }

    /// The contest's points: two for a win, one for a draw.
    pub fn points(self) -> u32 {
        2 * self.wins + self.draws
    }

    /// All games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// How one engine stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The engine.
    pub name: String,
    /// Its games as `First` and as `Second`, by [`Side::index`].
    pub by_side: [Tally; 2],
    /// Its games against each opponent.
    pub against: BTreeMap<String, Tally>,
    /// Games it lost by a fault: neither by the rules of the game nor by giving up.
    pub faults: BTreeMap<Reason, u32>,
}

impl Row {
    /// All its games.
    pub fn total(&self) -> Tally {
        let mut total = self.by_side[0];
        total += self.by_side[1];
        total
    }

    fn add(&mut self, game: &GameRecord, side: Side) {
        let tally = Tally::one(game.result, side);
        let opponent = match side {
            Side::First => &game.second.name,
            Side::Second => &game.first.name,
        };
        self.by_side[side.index()] += tally;
        *self.against.entry(opponent.clone()).or_default() += tally;
        if tally.losses == 1 && !matches!(game.reason, Reason::Rules | Reason::Resign) {
            *self.faults.entry(game.reason).or_default() += 1;
        }
    }
}

/// A table: the best engine first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// One row an engine, by points, then games (fewer first), then name.
    pub rows: Vec<Row>,
    /// Games in it.
    pub games: u32,
}

impl Table {
    /// The table of these games.
    pub fn of<'g>(games: impl IntoIterator<Item = &'g GameRecord>) -> Table {
        let mut rows: HashMap<&str, Row> = HashMap::new();
        let mut count = 0;
        for game in games {
            count += 1;
            for (side, engine) in [(Side::First, &game.first), (Side::Second, &game.second)] {
                rows.entry(&engine.name).or_default().add(game, side);
            }
        }
        let named = |(name, row): (&str, Row)| Row {
            name: name.to_owned(),
            ..row
        };
        let mut rows: Vec<Row> = rows.into_iter().map(named).collect();
        rows.sort_by(|a, b| {
            let key = |row: &Row| (u32::MAX - row.total().points(), row.total().games());
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        Table { rows, games: count }
    }

    /// The row of an engine.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }
}

/// The standings of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// One table a game, by id.
    pub by_game: BTreeMap<String, Table>,
    /// One table over all games.
    pub all: Table,
}

impl Standings {
    /// The standings after these games, in any order.
    pub fn of(games: &[GameRecord]) -> Standings {
        let mut by_game: BTreeMap<&str, Vec<&GameRecord>> = BTreeMap::new();
        for game in games {
            by_game.entry(&game.game).or_default().push(game);
        }
        let table = |(id, games): (&str, Vec<&GameRecord>)| (id.to_owned(), Table::of(games));
        Standings {
            by_game: by_game.into_iter().map(table).collect(),
            all: Table::of(games),
        }
    }
}

#[cfg(test)]
mod tests;

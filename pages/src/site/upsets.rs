//! Upsets: games that the lower rated engine won.

use std::collections::HashMap;

use gamelog::record::GameResult;
use stats::rating::Ratings;

use crate::leagues::{League, Row};

/// Finds the upsets of a league by the ratings of each game played. They are estimated when they are
/// asked for first.
pub(super) struct Upsets<'l> {
    league: &'l League,
    /// By id of the game.
    rated: HashMap<&'l str, Rated<'l>>,
}

/// The ratings in one game, with the place of each engine in them.
struct Rated<'l> {
    places: HashMap<&'l str, usize>,
    ratings: Ratings,
}

impl<'l> Upsets<'l> {
    pub(super) fn of(league: &'l League) -> Upsets<'l> {
        let rated = HashMap::new();
        Upsets { league, rated }
    }

    /// Whether the loser of a game is rated above its winner.
    pub(super) fn has(&mut self, row: &Row) -> bool {
        let [winner, loser] = match row.result {
            GameResult::First => [0, 1],
            GameResult::Second => [1, 0],
            GameResult::Draw | GameResult::Unfinished => return false,
        };
        // Games at the desk rate nobody.
        if self.league.is_of_desk() {
            return false;
        }
        let Some((game, table)) = self.league.standings.by_game.get_key_value(&*row.game) else {
            return false;
        };
        let rated = self.rated.entry(game).or_insert_with(|| Rated {
            places: (table.ranked().into_iter().enumerate())
                .map(|(place, row)| (&*row.name, place))
                .collect(),
            ratings: table.ratings(&[]),
        });
        let place = |side: usize| rated.places.get(&*row.engines[side]).copied();
        let (Some(winner), Some(loser)) = (place(winner), place(loser)) else {
            return false;
        };
        let superiority = rated.ratings.superiority(loser, winner);
        superiority.is_some_and(|likelihood| likelihood > 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leagues::tests::league;

    #[test]
    fn an_upset_is_a_win_of_the_lower_rated() {
        let league = league(&[
            ("a b first", &[]),
            ("b a second", &[]),
            ("a b first", &[]),
            ("b a first", &[]),
            ("a b draw", &[]),
        ]);
        let mut upsets = Upsets::of(&league);
        let found: Vec<bool> = league.games.iter().map(|row| upsets.has(row)).collect();
        assert_eq!(found, [false, false, false, true, false]);
    }
}

//! Games that two engines would begin in the same way more than once: engines that answer alike play them
//! alike, and such games count once in the error bars.

use std::collections::HashMap;

use task::clock::ClockSpec;

use super::{Due, Tournament};
use crate::config::GameConfig;
use crate::fixture::Entrant;

/// A game of the league, who plays `First` and `Second`, and an opening.
type Start = (usize, [Entrant; 2], String);

/// Games that begin like another.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrapping {
    /// What to say of them.
    pub line: String,
    /// Whether that probably wastes games: the engines have the same limits at every turn, whatever the
    /// time.
    pub wastes: bool,
}

/// Random openings that are generated to find that there are no more.
const FEW: u32 = 300;

impl Tournament {
    /// What to say of games that begin like another of the same two engines, one line for each game of the
    /// league where that wastes games. `due` are the games that are still to play.
    pub fn wrapping(&self, due: &[Due]) -> Vec<Wrapping> {
        for (game, book) in self.books.iter().enumerate() {
            let of_game = due.iter().filter(|due| due.game() == game);
            if let Some(last) = of_game.map(|due| due.fixture().opening).max() {
                book.prepare(last.min(FEW) as usize);
            }
        }
        let mut starts: HashMap<Start, u32> = HashMap::new();
        for due in due {
            let (game, fixture) = (due.game(), due.fixture());
            let book = &self.books[game];
            // While there are more openings, none is played again.
            if book.count().is_some() {
                let opening = book.get(fixture.opening as usize).unwrap_or_default();
                *starts.entry((game, fixture.sides, opening)).or_default() += 1;
            }
        }
        let most = |game: usize| {
            let of_game = starts.iter().filter(|((of, ..), _)| *of == game);
            of_game.map(|(_, &games)| games).max().unwrap_or(0)
        };
        (self.config.games.iter().enumerate())
            .filter_map(|(index, game)| self.warning(game, index, most(index)))
            .collect()
    }

    /// What to say of a game of which the same two engines play up to `most` games with the same opening
    /// and the same sides.
    fn warning(&self, game: &GameConfig, index: usize, most: u32) -> Option<Wrapping> {
        let rules = catalog::find(&game.id).expect("the games of a league were checked");
        if most < 2 || rules.has_dice() {
            return None;
        }
        // On a clock, engines seldom answer alike; the tables say where they did.
        let wastes = is_fixed(game.clock);
        let what = match self.books[index].count()? {
            1 if !wastes => return None,
            count if !wastes => {
                let line = format!(
                    "{}: the same two engines play one of {count} openings up to {most} times",
                    game.id
                );
                return Some(Wrapping { line, wastes });
            }
            1 => format!(
                "{}: the same two engines begin {most} times at the same position",
                game.id
            ),
            count => format!(
                "{}: {count} openings are too few, the same two engines play one up to {most} times",
                game.id
            ),
        };
        let line = format!(
            "{what}; games that engines repeat move for move count once in the error bars (set \
             [openings.{}] to more openings, or play fewer rounds)",
            game.id
        );
        Some(Wrapping { line, wastes })
    }
}

/// Whether an engine has the same limits at every turn, whatever the time.
fn is_fixed(clock: ClockSpec) -> bool {
    let untimed = clock.base.is_none() && clock.per_move.is_none();
    untimed && (clock.nodes.is_some() || clock.depth.is_some())
}

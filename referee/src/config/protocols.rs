//! What the protocols of engines have words for.

use super::source::Source;
use super::{EngineConfig, GameConfig};
use crate::error::BadInput;
use crate::opening::book::{Book, Openings};
use crate::opening::{Opening, begin};
use crate::task::Protocol;

/// Whether an engine of a protocol can be told of options.
pub(super) fn has_options(protocol: Protocol) -> bool {
    matches!(protocol, Protocol::Ugi | Protocol::Gtp | Protocol::Gomocup)
}

/// Refuses games, variants and openings for engines whose protocols have no words for them.
pub(super) fn check(
    source: &Source<'_>,
    games: &[GameConfig],
    engines: &[EngineConfig],
) -> Result<(), BadInput> {
    for game in games {
        for (index, engine) in engines.iter().enumerate() {
            if !engine.games.contains(&game.id) {
                continue;
            }
            let rules = catalog::find(&game.id).expect("the games of a league were checked");
            if let Err(message) = rules.announce(engine.protocol, &game.variant) {
                let steps = ["engine".into(), index.into(), "protocol".into()];
                return Err(source.error(&steps, message));
            }
            if let Some(what) = unspoken(engine.protocol, game) {
                let found = format!(
                    "openings for engine {:?}, expected none, as {} has no words for {what}",
                    engine.name,
                    engine.protocol.name(),
                );
                return Err(source.error(&["openings".into(), game.id.as_str().into()], found));
            }
        }
    }
    Ok(())
}

/// What of a game's openings a protocol has no words for.
fn unspoken(protocol: Protocol, game: &GameConfig) -> Option<&'static str> {
    match (protocol, &game.openings) {
        (_, Openings::None) | (Protocol::Ugi, _) => None,
        (Protocol::Sau, _) => Some("them"),
        (_, Openings::List { openings, .. }) => {
            let mut unspoken = openings.iter().map(|opening| unspoken_of(game, opening));
            unspoken.find_map(|what| what)
        }
        (_, Openings::Random { plies, .. }) => {
            let rules = catalog::find(&game.id)?;
            // All have as many actions, and so as many whole turns, however even they are.
            let random = Openings::Random {
                plies: *plies,
                max_advantage: None,
            };
            let opening = Book::new(rules, &game.variant, &random, 0).get(0)?;
            unspoken_of(game, &opening)
        }
    }
}

/// What of an opening there are no words for outside of UGI.
fn unspoken_of(game: &GameConfig, opening: &str) -> Option<&'static str> {
    if Opening::parse(opening).position.is_some() {
        return Some("positions");
    }
    let board = begin(catalog::find(&game.id)?, &game.variant, opening).ok()?;
    board.mid_turn().then_some("a part of a turn")
}

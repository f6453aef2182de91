//! What the protocols of engines have words for.

use super::source::Source;
use super::{EngineConfig, GameConfig};
use crate::error::BadInput;
use crate::opening::Opening;
use crate::opening::book::Openings;
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
            if let Some(what) = unspoken(engine.protocol, &game.openings) {
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

/// What of openings a protocol has no words for.
fn unspoken(protocol: Protocol, openings: &Openings) -> Option<&'static str> {
    let positions = || match openings {
        Openings::List { openings, .. } => openings
            .iter()
            .any(|opening| Opening::parse(opening).position.is_some()),
        _ => false,
    };
    match (protocol, openings) {
        (_, Openings::None) | (Protocol::Ugi, _) => None,
        (Protocol::Sau, _) => Some("them"),
        _ => positions().then_some("positions"),
    }
}

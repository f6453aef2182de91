//! Which options, commands, games and openings each protocol supports.

use std::collections::BTreeMap;

use base::error::BadInput;
use serde_json::Value;
use task::Protocol;
use task::opening::book::{Book, Openings};
use task::opening::{Opening, begin};
use task::seed::Seed;

use super::source::Source;
use super::{EngineConfig, GameConfig};

/// Whether a protocol can set options of an engine.
pub fn has_options(protocol: Protocol) -> bool {
    matches!(protocol, Protocol::Ugi | Protocol::Gtp | Protocol::Gomocup)
}

/// Refuses options in a protocol that has none.
pub(super) fn check_options(
    protocol: Protocol,
    options: &BTreeMap<String, Value>,
) -> Result<(), String> {
    if has_options(protocol) || options.is_empty() {
        return Ok(());
    }
    let instead = match protocol {
        Protocol::Sau => "; init = [\"…\"] sends commands",
        _ => "",
    };
    let name = protocol.name();
    Err(format!(
        "options, expected none: {name} does not support options{instead}"
    ))
}

/// Refuses an engine's own commands in a protocol that has options for them, or that sends nothing
/// but requests.
///
/// # Errors
/// What is expected instead.
pub fn check_init(protocol: Protocol, init: &[String]) -> Result<(), String> {
    let reason = match protocol {
        Protocol::Sau | Protocol::Gomocup => return Ok(()),
        Protocol::Ugi => "options: ugi sends them before each game",
        Protocol::Gtp => "options: gtp sends each as a command before each game",
        Protocol::Botzone | Protocol::BotzoneSimple => "none: Botzone sends only requests",
    };
    match init {
        [] => Ok(()),
        _ => Err(format!("expected {reason}")),
    }
}

/// Refuses a command of an engine's own that is not one line.
///
/// # Errors
/// What is expected instead.
pub fn check_init_line(line: &str) -> Result<(), String> {
    if line.trim().is_empty() || line.chars().any(char::is_control) {
        Err("expected a command on one line".to_owned())
    } else {
        Ok(())
    }
}

/// Refuses games, variants and openings that the protocol of an engine does not support.
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
            if let Some(reason) = unsupported(engine.protocol, game) {
                let able = Protocol::ALL.into_iter().filter(|&protocol| {
                    let is_announced = rules.announce(protocol, &game.variant).is_ok();
                    is_announced && unsupported(protocol, game).is_none()
                });
                let able: Vec<&str> = able.map(Protocol::name).collect();
                let found = format!(
                    "openings with engine {:?}, expected none, or an engine in {}: {} {reason}",
                    engine.name,
                    able.join(", "),
                    engine.protocol.name(),
                );
                return Err(source.error(&["openings".into(), game.id.as_str().into()], found));
            }
        }
    }
    Ok(())
}

/// Whether engines of a protocol can get a game's openings.
pub(super) fn can_be_told(protocol: Protocol, game: &GameConfig) -> bool {
    unsupported(protocol, game).is_none()
}

/// Why engines of a protocol cannot get a game's openings, if they cannot.
fn unsupported(protocol: Protocol, game: &GameConfig) -> Option<&'static str> {
    match (protocol, &game.openings) {
        (_, Openings::None) | (Protocol::Ugi, _) => None,
        (Protocol::Sau, _) => Some("has no words for an engine's own turns"),
        (_, Openings::List { openings, .. }) => {
            let mut unsupported = openings.iter().map(|opening| unsupported_in(game, opening));
            unsupported.find_map(|what| what)
        }
        (_, Openings::Random { plies, .. }) => {
            let rules = catalog::find(&game.id)?;
            // All random openings have the same number of actions, and so of whole turns, with or
            // without `max_advantage`.
            let random = Openings::Random {
                plies: *plies,
                max_advantage: None,
            };
            let opening = Book::new(rules, &game.variant, &random, &Seed::of_number(0)).get(0)?;
            unsupported_in(game, &opening)
        }
    }
}

/// Why engines of protocols that send turns, but not positions, cannot get an opening, if they
/// cannot.
fn unsupported_in(game: &GameConfig, opening: &str) -> Option<&'static str> {
    let rules = catalog::find(&game.id)?;
    if let Some(position) = Opening::parse(opening).position
        && rules.actions_to(&game.variant, position).is_none()
    {
        return Some("has no words for a position, and no turns are known that lead to it");
    }
    let board = begin(rules, &game.variant, opening).ok()?;
    board
        .mid_turn()
        .then_some("does not support openings that end within a turn")
}

//! Games of logs, to learn from.

use std::path::PathBuf;

use base::digest::Digest;
use base::error::{BadInput, tell};
use catalog::Rules;
use engine_core::{Outcome, Side};
use gamelog::record::Logged;
use gamelog::{each, find};
use learning::LoggedGame;
use serde_json::Value;
use task::opening::Opening;

/// The games of a game and variant in logs or folders with logs, but for those that a fault decided;
/// and the number of games of this game that are left out.
///
/// # Errors
/// The logs cannot be read, or have no such game.
pub fn games(
    logs: &[PathBuf],
    rules: &dyn Rules,
    variant: &Value,
) -> Result<(Vec<LoggedGame>, u64), BadInput> {
    let keep = |game: Logged<'_>| -> Option<Option<LoggedGame>> {
        (game.game == rules.id()).then(|| of_log(&game, variant))
    };
    let (mut games, mut left_out) = (Vec::new(), 0);
    let warnings = each(&find(logs)?, keep, |game| match game {
        Some(Some(game)) => games.push(game),
        Some(None) => left_out += 1,
        None => {}
    })?;
    for warning in warnings {
        tell(format_args!("warning: {warning}"));
    }
    if games.is_empty() {
        return Err(BadInput(format!(
            "no games of {} with this variant in the logs, expected some",
            rules.id()
        )));
    }
    Ok((games, left_out))
}

/// A game that counts: of the variant, finished, and not decided by a fault.
fn of_log(game: &Logged<'_>, variant: &Value) -> Option<LoggedGame> {
    let outcome = game.result.outcome()?;
    if game.reason.is_fault() || game.variant != *variant {
        return None;
    }
    let turns: Vec<&str> = game.turns.iter().map(|turn| turn.text.as_ref()).collect();
    let Opening { position, words } = Opening::parse(&game.opening);
    Some(LoggedGame {
        id: game.id.clone(),
        position: position.map(str::to_owned),
        opening: words.to_owned(),
        turns: turns.join(" "),
        points: match outcome {
            Outcome::Win(Side::First) => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Win(Side::Second) => 0.0,
        },
    })
}

/// A number from 0 to 1 that depends on a game's id and on no order of logs.
pub fn drawn(seed: u64, game: &LoggedGame) -> f64 {
    let mut digest = Digest::default();
    digest.number(seed);
    digest.text(&game.id);
    (digest.value() >> 11) as f64 / (1u64 << 53) as f64
}

//! The `[adjudication]` and `[adjudication.GAME]` tables.

use catalog::PROVER;

use super::GameConfig;
use super::source::{Source, Step};
use super::tables::Tables;
use crate::adjudication::{Adjudication, Proven};
use crate::error::BadInput;

/// The table.
const NAME: &str = "adjudication";

/// The keys that are tables and no games.
const OWN: [&str; 3] = ["resign", "draw", "proven"];

/// Says of every game when it is ended, as the file does. All else of the games is known.
pub(super) fn read(source: &Source<'_>, games: &mut [GameConfig]) -> Result<(), BadInput> {
    let Some(Tables { common, special }) = Tables::read(source, NAME, &OWN)? else {
        return Ok(());
    };
    // Those of games that the league does not play, too.
    for table in special.values() {
        source.read_table::<Adjudication>(table)?;
    }
    for game in games {
        let own = special.get(&game.id);
        let Some(table) = own.or(common.as_ref()) else {
            continue;
        };
        let adjudication = source.read_table(table)?;
        check(game, &adjudication).map_err(|(key, message)| {
            let id = own.map(|_| Step::Key(&game.id));
            let steps = [Some(NAME.into()), id, Some(Step::Key(key))];
            let steps: Vec<Step<'_>> = steps.into_iter().flatten().collect();
            source.error(&steps, message)
        })?;
        game.adjudication = adjudication;
    }
    Ok(())
}

/// Refuses what can never end a game; the key, and what is wrong with it.
fn check(game: &GameConfig, adjudication: &Adjudication) -> Result<(), (&'static str, String)> {
    let rules = catalog::find(&game.id).expect("the games of a league were checked");
    let id = &game.id;
    if adjudication.draw.is_some() {
        let start = rules.start(&game.variant);
        if !start.is_ok_and(|start| start.can_be_drawn()) {
            let message =
                format!("draw for {id}, which cannot be drawn, expected [{NAME}.{id}] without it");
            return Err(("draw", message));
        }
    }
    if let Some(Proven { nodes, .. }) = adjudication.proven {
        if let Err(message) = rules.fits(PROVER) {
            let message = format!("{message}, expected [{NAME}.{id}] without proven");
            return Err(("proven", message));
        }
        let most = Proven::MAX_NODES;
        if !(1..=most).contains(&nodes) {
            let message = format!("proven within {nodes} nodes, expected 1 to {most}");
            return Err(("proven", message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

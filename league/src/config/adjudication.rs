//! The `[adjudication]` and `[adjudication.GAME]` tables.

use base::error::BadInput;
use catalog::PROVER;
use task::adjudication::{Adjudication, Proven};

use super::GameConfig;
use super::source::{Source, Step};
use super::tables::Tables;

/// Name of the table.
const NAME: &str = "adjudication";

/// Keys whose values are tables but not games.
const RESERVED: [&str; 3] = ["resign", "draw", "proven"];

/// Sets the adjudication rules of every game. All other fields of `games` are already set.
pub(super) fn read(source: &Source<'_>, games: &mut [GameConfig]) -> Result<(), BadInput> {
    let Some(Tables { common, special }) = Tables::read(source, NAME, &RESERVED)? else {
        return Ok(());
    };
    // Check the tables of games outside this league too.
    for table in special.values() {
        source.read_table::<Adjudication>(table)?;
    }
    for game in games {
        let game_table = special.get(&game.id);
        let Some(table) = game_table.or(common.as_ref()) else {
            continue;
        };
        let adjudication = source.read_table(table)?;
        check(game, &adjudication).map_err(|(key, message)| {
            let id = game_table.map(|_| Step::Key(&game.id));
            let steps = [Some(NAME.into()), id, Some(Step::Key(key))];
            let steps: Vec<Step<'_>> = steps.into_iter().flatten().collect();
            source.error(&steps, message)
        })?;
        game.adjudication = adjudication;
    }
    Ok(())
}

/// Refuses rules that can never end a game. The error has the key and the message.
fn check(game: &GameConfig, adjudication: &Adjudication) -> Result<(), (&'static str, String)> {
    let rules = catalog::find(&game.id).expect("the games of a league were checked");
    let id = &game.id;
    if adjudication.draw.is_some() {
        let start = rules.start(&game.variant);
        if !start.is_ok_and(|start| start.can_be_drawn()) {
            let message =
                format!("draw, but {id} cannot be drawn, expected [{NAME}.{id}] without draw");
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

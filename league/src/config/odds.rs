//! Clocks of single engines: the `clock` key of an engine, and what its protocol has of its own.

use std::collections::BTreeMap;

use base::error::BadInput;
use task::Protocol;
use task::clock::{ClockSpec, Factor};

use super::EngineConfig;
use super::clock::{Clocks, Fault, check};
use super::source::{Source, Step};
use super::tables::Table;

/// A kind of limit: the keys that set it, and those that only have a meaning with it.
struct Limit {
    keys: &'static [&'static str],
    others: &'static [&'static str],
}

/// All kinds of limits. `patience` belongs to the absence of the first two.
const LIMITS: [Limit; 4] = [
    Limit {
        keys: &["base", "byoyomi"],
        others: &[
            "match",
            "moves",
            "increment",
            "delay",
            "bronstein",
            "periods",
        ],
    },
    Limit {
        keys: &["move"],
        others: &["first_turn"],
    },
    Limit {
        keys: &["nodes"],
        others: &[],
    },
    Limit {
        keys: &["depth"],
        others: &[],
    },
];

impl Limit {
    fn is_in(&self, table: &Table<'_>) -> bool {
        self.keys
            .iter()
            .any(|&key| table.get_ref().contains_key(key))
    }
}

/// The clocks of an engine, which is at `index` of the file, for those of its games where they
/// differ from the game's clock.
pub(super) fn read(
    source: &Source<'_>,
    clocks: &Clocks<'_>,
    index: usize,
    engine: &EngineConfig,
) -> Result<BTreeMap<String, ClockSpec>, BadInput> {
    let steps = ["engine".into(), index.into(), "clock".into()];
    let own = source.table(&steps);
    let mut odds = BTreeMap::new();
    for id in &engine.games {
        let table = clocks.table(source, id)?;
        let mut clock: ClockSpec = match &own {
            Some(own) => source.read_table(&merge(table, own))?,
            None => source.read_table(table)?,
        };
        let error = |(key, message): Fault| {
            let steps = [&steps[..], &[Step::Key(key)]].concat();
            source.error(&steps, format!("in {id}: {message}"))
        };
        check(&clock).map_err(error)?;
        let game = clocks.of(source, id)?;
        check_match(&game, &clock).map_err(error)?;
        if clock.per_move.is_some() {
            clock.first_turn = clock.first_turn.or(usual_first_turn(engine.protocol));
        }
        if clock != game {
            odds.insert(id.clone(), clock);
        }
    }
    Ok(odds)
}

/// How many times the time of a turn the judge of a protocol gives to the first turn.
fn usual_first_turn(protocol: Protocol) -> Option<Factor> {
    match protocol {
        Protocol::Botzone | Protocol::BotzoneSimple => Some(Factor::TWICE),
        Protocol::Ugi | Protocol::Sau | Protocol::Gtp | Protocol::Gomocup => None,
    }
}

/// The keys of an engine's clock over those of the game's. If the engine names a kind of limit that
/// the game's clock lacks, it has only the kinds that it names: an engine on `nodes` has no clock.
fn merge<'t>(game: &Table<'t>, own: &Table<'t>) -> Table<'t> {
    let mut merged = game.clone();
    let table = merged.get_mut();
    if LIMITS
        .iter()
        .any(|limit| limit.is_in(own) && !limit.is_in(game))
    {
        let unnamed = LIMITS.iter().filter(|limit| !limit.is_in(own));
        for &key in unnamed.flat_map(|limit| limit.keys.iter().chain(limit.others)) {
            table.remove(key);
        }
    }
    let [game_time, per_move, ..] = &LIMITS;
    if game_time.is_in(own) || per_move.is_in(own) {
        table.remove("patience");
    }
    table.extend(own.get_ref().clone());
    merged
}

/// Refuses a clock that lacks what the game's clock carries over to the next game, or has it alone.
fn check_match(game: &ClockSpec, own: &ClockSpec) -> Result<(), Fault> {
    let message = match (game.whole_match, own.whole_match) {
        (true, false) => "no base, expected one: the clock of the game has match = true",
        (false, true) => "match in the clock of an engine, expected it in the clock of the game",
        _ => return Ok(()),
    };
    Err(("match", message.to_owned()))
}

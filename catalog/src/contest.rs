//! A game between two settings of a game's engine, in this process: what a tuner plays by the
//! thousand.

use std::time::Duration;

use engine_core::{Algorithm, Limits, Resources, Rng, Search, Side, StopFlag};
use entry::parameters::{self, Assignment};
use game::turn::play_words;
use game::{Searched, start};
use serde_json::Value;

use crate::search::{SearchError, made};

/// A game to play. With limits of nodes or depth, everything in it is reproducible.
#[derive(Clone, Copy, Debug)]
pub struct Contest<'a> {
    /// The variant.
    pub variant: &'a Value,
    /// The position at which it begins; `None` for the initial one.
    pub position: Option<&'a str>,
    /// Actions and rolls from there, before the players take over.
    pub words: &'a str,
    /// The algorithm of both players.
    pub algorithm: Algorithm,
    /// The parameters of `First` and of `Second`; all others have their defaults.
    pub parameters: [&'a [Assignment]; 2],
    /// Depth limit of each search, plies.
    pub depth: Option<u32>,
    /// Limit of nodes or playouts of each search.
    pub nodes: Option<u64>,
    /// Time limit of each search.
    pub time: Option<Duration>,
    /// Memory of the table or tree of each player, MiB.
    pub table_mb: usize,
    /// Seed of the dice and the players.
    pub seed: u64,
}

/// Plays a game and returns the points of `First`; `None` if `stop` ended it.
pub(crate) fn play<G: Searched>(
    contest: &Contest<'_>,
    stop: &StopFlag,
) -> Result<Option<f64>, SearchError> {
    let mut position: G = start(contest.variant)?;
    if let Some(text) = contest.position {
        position = position.parse_position(text)?;
    }
    play_words(&mut position, contest.words)?;
    let mut players = [
        player(&position, contest, Side::First)?,
        player(&position, contest, Side::Second)?,
    ];
    let limits = || {
        let mut limits = Limits::default();
        limits.depth = contest.depth;
        limits.nodes = contest.nodes;
        limits.hard = contest.time;
        limits
    };
    let [first, second] = &mut players;
    let mut dice = Rng::new(contest.seed);
    let points = learning::contest(
        position,
        [&mut **first, &mut **second],
        limits,
        &mut dice,
        stop,
    );
    Ok(points.map(f64::from))
}

fn player<G: Searched>(
    position: &G,
    contest: &Contest<'_>,
    side: Side,
) -> Result<Box<dyn Search<G>>, SearchError> {
    let settings = parameters::settings::<G>(contest.parameters[side.index()]);
    let settings = settings.map_err(SearchError::Parameter)?;
    let resources = Resources {
        table_mb: contest.table_mb,
        threads: 1,
        seed: contest.seed,
    };
    let mut player = made(
        position.player(contest.algorithm, &settings, resources),
        resources,
    )?;
    player.new_game();
    Ok(player)
}

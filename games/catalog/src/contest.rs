//! A game between two settings of a game's engine, in this process: what a tuner plays by the
//! thousand. A league has every check of the referee; here both players are our own searches.

use std::time::Duration;

use engine_core::{Algorithm, Limits, Outcome, Resources, Rng, Search, Side, StopFlag};
use entry::Game;
use entry::parameters::{self, Assignment};
use entry::turn::play_words;
use serde_json::Value;

use crate::rules::start;
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
pub(crate) fn play<G: Game>(
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
    let mut dice = Rng::new(contest.seed);
    while position.outcome().is_none() {
        if stop.is_set() {
            return Ok(None);
        }
        if position.is_chance() {
            position.play_roll(1 + dice.below(u32::from(G::FACES)) as u8);
            continue;
        }
        let player = &mut *players[position.side().index()];
        let action = choose(player, &position, contest, stop);
        position.play(action);
    }
    let outcome = position.outcome().unwrap_or(Outcome::Draw);
    Ok(Some(f64::from(outcome.points_of_first())))
}

fn player<G: Game>(
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

/// The action that a search finds within the limits.
fn choose<G: Game>(
    player: &mut dyn Search<G>,
    position: &G,
    contest: &Contest<'_>,
    stop: &StopFlag,
) -> G::Move {
    let mut limits = Limits::default();
    limits.depth = contest.depth;
    limits.nodes = contest.nodes;
    limits.hard = contest.time;
    limits.stop = stop.child();
    let report = player.search(position, &limits, &mut |report| {
        // Monte-Carlo search ignores the limit: its depth is the length of its line.
        if limits.depth.is_some_and(|depth| report.depth >= depth) {
            limits.stop.stop();
        }
    });
    let found = report.pv.first().copied();
    let found = found.filter(|&action| position.is_legal(action));
    found.unwrap_or_else(|| position.legal_moves()[0])
}

//! One search of one position, as text: what algorithms are compared by.

use std::time::Duration;

use engine_core::players::NoPlayer;
use engine_core::{Algorithm, Counters, Limits, Report, Resources, Score};
use entry::{Game, VariantError};
use thiserror::Error;

/// A search that is wanted, on one thread.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// By which algorithm.
    pub algorithm: Algorithm,
    /// Depth to reach, plies.
    pub depth: Option<u32>,
    /// Nodes, or playouts.
    pub nodes: Option<u64>,
    /// Time after which it ends wherever it is.
    pub time: Option<Duration>,
    /// Whether it looks at the game's candidates alone, and tells only values apart that the game
    /// tells apart, as the game's engines do; else at all moves, for exact values.
    pub as_played: bool,
    /// Memory of the table or tree, MiB.
    pub table_mb: usize,
    /// Seed of everything random.
    pub seed: u64,
}

/// What a search knew when it had come one ply deeper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Completed depth, plies.
    pub depth: u32,
    /// Value of the position for the side that acts.
    pub score: Score,
    /// The action to play.
    pub best: String,
    /// Nodes since the search began.
    pub nodes: u64,
}

/// What a search has found, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// One a completed depth; of an algorithm that does not deepen, the end alone. Empty if not even
    /// one ply could be searched.
    pub steps: Vec<Step>,
    /// Whether time ran out before the depth was reached.
    pub stopped: bool,
    /// Deepest ply that was looked at.
    pub seldepth: u32,
    /// Nodes, or playouts.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// What the search has counted.
    pub counters: Counters,
}

/// Why a position cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchError {
    /// The game has no such variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The text is no position of the variant.
    #[error(transparent)]
    Text(#[from] engine_core::ParseError),
    /// Nobody acts there any more.
    #[error("column 1: expected a position in which a player acts, found one that is over")]
    Over,
    /// The die acts there.
    #[error("column 1: expected a position in which a player acts, found one with a roll due")]
    Roll,
    /// The algorithm does not fit the game, which does what is said here.
    #[error("the algorithm does not fit the game, which {0}")]
    Unfit(&'static str),
    /// The system does not have the memory for the table.
    #[error("no memory for a table of {0} MiB")]
    Memory(usize),
}

/// Reads a position in which a player acts.
pub(crate) fn read<G: Game>(start: &G, text: &str) -> Result<G, SearchError> {
    let position = start.parse_position(text)?;
    match position.outcome() {
        Some(_) => Err(SearchError::Over),
        None if position.is_chance() => Err(SearchError::Roll),
        None => Ok(position),
    }
}

/// Searches a position. Nothing is known from an earlier search.
pub(crate) fn search<G: Game>(position: &G, request: &Request) -> Result<Finding, SearchError> {
    let mut settings = G::settings();
    if !request.as_played {
        settings.width = None;
        settings.search.grain = 1;
    }
    let resources = Resources {
        table_mb: request.table_mb,
        threads: 1,
        seed: request.seed,
    };
    let mut player = position
        .player(request.algorithm, &settings, resources)
        .map_err(|error| match error {
            NoPlayer::Unfit(reason) => SearchError::Unfit(reason),
            NoPlayer::OutOfMemory => SearchError::Memory(request.table_mb),
        })?;
    // Touches all memory of the table before the clock runs.
    player.new_game();
    let mut limits = Limits::default();
    limits.depth = request.depth;
    limits.nodes = request.nodes;
    limits.hard = request.time;
    let mut steps = Vec::new();
    let deepens = matches!(request.algorithm, Algorithm::Deepening(_));
    let report = player.search(position, &limits, &mut |report| {
        // What a stopped iteration has found is not worth its depth.
        if deepens && steps.last().map_or(0, |step: &Step| step.depth) < report.depth {
            steps.extend(step(position, report));
        }
    });
    if !deepens {
        steps.extend(step(position, &report));
    }
    let short = request.depth.is_some_and(|depth| report.depth < depth);
    let late = request.time.is_some_and(|time| report.time >= time);
    Ok(Finding {
        steps,
        stopped: short && late,
        seldepth: report.seldepth,
        nodes: report.nodes,
        time: report.time,
        counters: report.counters,
    })
}

fn step<G: Game>(position: &G, report: &Report<G::Move>) -> Option<Step> {
    Some(Step {
        depth: report.depth,
        score: report.score,
        best: position.write_move(*report.pv.first()?),
        nodes: report.nodes,
    })
}

//! One search of one position, with the results as text: used to compare algorithms.

use std::time::Duration;

use engine_core::players::NoPlayer;
use engine_core::table::Table;
use engine_core::{Counters, Limits, Position, Report, Resources, Score, Search, Settings};
use game::{NewPlayer, Searched, VariantError, evaluator};
use textbook::AnySearch;
use thiserror::Error;

/// The parameters of a single-threaded search.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The algorithm.
    pub algorithm: AnySearch,
    /// Depth limit, plies.
    pub depth: Option<u32>,
    /// Limit of nodes or playouts.
    pub nodes: Option<u64>,
    /// Time limit.
    pub time: Option<Duration>,
    /// Whether it searches only the game's candidate moves, as the game's engines do. Otherwise it
    /// searches all moves, for exact values.
    pub as_played: bool,
    /// Memory of the table or tree, MiB.
    pub table_mb: usize,
    /// Seed of everything random.
    pub seed: u64,
}

/// The result of one completed depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Completed depth, plies.
    pub depth: u32,
    /// Value of the position for the side to move.
    pub score: Score,
    /// The action to play.
    pub best: String,
    /// Nodes since the start of the search.
    pub nodes: u64,
}

/// The result and cost of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// One step per completed depth; only the final one if the algorithm does not use iterative
    /// deepening. Empty if not even one ply was completed.
    pub steps: Vec<Step>,
    /// Whether time ran out before the depth was reached.
    pub stopped: bool,
    /// Whether the last score is final: no longer search can change it.
    pub solved: bool,
    /// Maximum ply reached.
    pub seldepth: u32,
    /// Nodes, or playouts.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// Table and cut-off counters.
    pub counters: Counters,
}

/// Why a position cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchError {
    /// The game has no such variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The text is not a position of the variant.
    #[error(transparent)]
    Text(#[from] engine_core::ParseError),
    /// The game is over in this position.
    #[error("column 1: expected a position in which a player acts, found one that is over")]
    Over,
    /// A roll is due in this position.
    #[error("column 1: expected a position in which a player acts, found one with a roll due")]
    Roll,
    /// The algorithm does not fit the game; the text is the property of the game that prevents it.
    #[error("the algorithm does not fit the game, which {0}")]
    Unfit(&'static str),
    /// The game has no such parameter, or not this value; the text says what was expected.
    #[error("{0}")]
    Parameter(String),
    /// Not enough memory for the table.
    #[error("no memory for a table of {0} MiB")]
    Memory(usize),
}

/// Reads a position with a player to move.
pub(crate) fn read<G: Searched>(start: &G, text: &str) -> Result<G, SearchError> {
    acting(start.parse_position(text)?)
}

/// The position, if a player is to act in it.
pub(crate) fn acting<G: Position>(position: G) -> Result<G, SearchError> {
    match position.outcome() {
        Some(_) => Err(SearchError::Over),
        None if position.is_chance() => Err(SearchError::Roll),
        None => Ok(position),
    }
}

/// The player, or why there is none.
pub(crate) fn made<G: Searched>(
    player: NewPlayer<G>,
    resources: Resources,
) -> Result<Box<dyn Search<G>>, SearchError> {
    player.map_err(|error| match error {
        NoPlayer::Unfit(reason) => SearchError::Unfit(reason),
        NoPlayer::OutOfMemory => SearchError::Memory(resources.table_mb),
    })
}

/// A player by any search, those of the textbooks too.
///
/// # Errors
/// The search does not fit the game, or its table not into memory.
pub fn player<G: Searched>(
    position: &G,
    search: AnySearch,
    settings: &Settings,
    resources: Resources,
) -> Result<Box<dyn Search<G>>, SearchError> {
    match search {
        AnySearch::Engine(algorithm) => {
            made(position.player(algorithm, settings, resources), resources)
        }
        AnySearch::Textbook(taught) => {
            let table = Table::new(resources.table_mb);
            let table = table.ok_or(SearchError::Memory(resources.table_mb))?;
            let evaluator = evaluator(position, settings);
            Ok(textbook::player(
                taught,
                Some(table),
                evaluator,
                &settings.search,
            ))
        }
    }
}

/// Searches a position, with an empty table or tree.
pub(crate) fn search<G: Searched>(position: &G, request: &Request) -> Result<Finding, SearchError> {
    let mut settings = G::settings();
    if !request.as_played {
        settings.candidate_limit = None;
    }
    let resources = Resources {
        table_mb: request.table_mb,
        threads: 1,
        seed: request.seed,
    };
    let mut player = player(position, request.algorithm, &settings, resources)?;
    // Touches all memory of the table before the clock starts.
    player.new_game();
    let mut limits = Limits::default();
    limits.depth = request.depth;
    limits.nodes = request.nodes;
    limits.hard = request.time;
    let mut steps = Vec::new();
    let deepens = match request.algorithm {
        AnySearch::Engine(algorithm) => settings.resolve(algorithm).deepens(),
        AnySearch::Textbook(_) => true,
    };
    let report = player.search(position, &limits, &mut |report| {
        // A stopped iteration does not count as a completed depth.
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
        solved: report.solved,
        seldepth: report.seldepth,
        nodes: report.nodes,
        time: report.time,
        counters: report.counters,
    })
}

fn step<G: Searched>(position: &G, report: &Report<G::Move>) -> Option<Step> {
    Some(Step {
        depth: report.depth,
        score: report.score?,
        best: position.write_move(*report.pv.first()?),
        nodes: report.nodes,
    })
}

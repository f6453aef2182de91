//! Runs every algorithm on the same positions, for `referee compare`.

pub mod json;
pub mod plot;
pub mod text;
pub mod verdict;
mod words;

use std::time::Duration;

use catalog::{AnyGame, Finding, Request, SearchError};
use engine_core::{Algorithm, Method};
use serde_json::Value;
use textbook::AnySearch;

/// The limits of each search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// A depth in plies, and a time limit of one search in case the depth takes too long.
    Depth(u32, Duration),
    /// The time of one search.
    Time(Duration),
    /// The nodes or playouts of one search, which is reproducible.
    Nodes(u64),
}

/// The searches to compare.
pub struct Plan {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Its variant.
    pub variant: Value,
    /// Positions of the variant with a player to act, not a roll.
    pub positions: Vec<String>,
    /// The algorithms, in table order.
    pub algorithms: Vec<AnySearch>,
    /// The limits of each search.
    pub limit: SearchLimit,
    /// Whether to search like the game's engines, with candidate moves, instead of all moves for
    /// exact values.
    pub as_played: bool,
    /// Size of the transposition table, MiB.
    pub table_mb: usize,
}

/// Results of one algorithm.
#[derive(Clone, Debug)]
pub struct Row {
    /// The algorithm.
    pub algorithm: AnySearch,
    /// One finding per position.
    pub findings: Vec<Finding>,
}

/// Runs all searches in sequence. Calls `begin` before each search.
///
/// # Errors
/// A position cannot be searched, or the table does not fit into memory.
pub fn run(plan: &Plan, begin: &mut dyn FnMut(AnySearch, usize)) -> Result<Vec<Row>, SearchError> {
    let row = |&algorithm: &AnySearch| {
        let search = |(index, position): (usize, &String)| {
            begin(algorithm, index);
            let request = request(plan, algorithm);
            plan.game.search(&plan.variant, position, &request)
        };
        let findings = plan.positions.iter().enumerate().map(search);
        Ok(Row {
            algorithm,
            findings: findings.collect::<Result<_, _>>()?,
        })
    };
    plan.algorithms.iter().map(row).collect()
}

fn request(plan: &Plan, algorithm: AnySearch) -> Request {
    let (depth, nodes, time) = match plan.limit {
        SearchLimit::Depth(depth, cap) => (Some(depth), None, Some(cap)),
        SearchLimit::Time(time) => (None, None, Some(time)),
        SearchLimit::Nodes(nodes) => (None, Some(nodes), None),
    };
    Request {
        algorithm,
        depth,
        nodes,
        time,
        as_played: plan.as_played,
        table_mb: plan.table_mb,
        seed: 1,
    }
}

/// Whether it differs from principal variation search only at chance nodes.
pub fn for_dice(algorithm: AnySearch) -> bool {
    matches!(
        algorithm,
        AnySearch::Engine(Algorithm::Deepening(Method::Star1 | Method::Star2))
    )
}

impl Row {
    /// Total nodes over all positions.
    pub fn nodes(&self) -> u64 {
        self.findings.iter().map(|finding| finding.nodes).sum()
    }

    /// Total time over all positions.
    pub fn time(&self) -> Duration {
        self.findings.iter().map(|finding| finding.time).sum()
    }

    /// Sum of the completed depths over all positions, plies.
    pub fn depths(&self) -> u32 {
        let last = self
            .findings
            .iter()
            .filter_map(|finding| finding.steps.last());
        last.map(|step| step.depth).sum()
    }

    /// Whether the search of any position ran out of time.
    pub fn stopped(&self) -> bool {
        self.findings.iter().any(|finding| finding.stopped)
    }
}

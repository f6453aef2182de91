//! Every algorithm on the same positions: what `referee compare` runs.

pub mod plot;
pub mod text;
pub mod verdict;
mod words;

use std::time::Duration;

use catalog::{Finding, Request, Rules, SearchError};
use engine_core::{Algorithm, Method};
use serde_json::Value;

/// What every algorithm may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// A depth in plies, and the time of one search, should the depth be too much for it.
    Depth(u32, Duration),
    /// The time of one search.
    Time(Duration),
}

/// What is compared.
pub struct Plan {
    /// The game.
    pub game: &'static dyn Rules,
    /// Its variant.
    pub variant: Value,
    /// Positions of the variant in which a player acts.
    pub positions: Vec<String>,
    /// The algorithms, in the order of the table.
    pub algorithms: Vec<Algorithm>,
    /// What each may spend.
    pub budget: Budget,
    /// Whether they search as the game's engines do, or all moves for exact values.
    pub as_played: bool,
    /// Memory of the table, MiB.
    pub table_mb: usize,
}

/// What an algorithm has found, position by position.
#[derive(Clone, Debug)]
pub struct Row {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// One finding a position.
    pub findings: Vec<Finding>,
}

/// Runs every search of the plan, one after the other; `begin` hears of each before it begins.
///
/// # Errors
/// A position that cannot be searched, or a table that does not fit into memory.
pub fn run(plan: &Plan, begin: &mut dyn FnMut(Algorithm, usize)) -> Result<Vec<Row>, SearchError> {
    let row = |&algorithm: &Algorithm| {
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

fn request(plan: &Plan, algorithm: Algorithm) -> Request {
    let (depth, time) = match plan.budget {
        Budget::Depth(depth, cap) => (Some(depth), cap),
        Budget::Time(time) => (None, time),
    };
    Request {
        algorithm,
        depth,
        nodes: None,
        time: Some(time),
        as_played: plan.as_played,
        table_mb: plan.table_mb,
        seed: 1,
    }
}

/// Whether an algorithm searches to a depth.
pub fn deepens(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Deepening(_))
}

/// Whether its values are minimax's.
pub fn is_exact(algorithm: Algorithm) -> bool {
    deepens(algorithm) && algorithm != Algorithm::Deepening(Method::Selective)
}

/// Whether it differs from principal variation search at chance nodes alone.
pub fn for_dice(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Deepening(Method::Star1 | Method::Star2)
    )
}

/// Whether it asks the transposition table.
pub fn has_table(algorithm: Algorithm) -> bool {
    use Method::{Minimax, MinimaxOne, Negamax, Plain};
    deepens(algorithm)
        && ![Minimax, MinimaxOne, Negamax, Plain]
            .map(Algorithm::Deepening)
            .contains(&algorithm)
}

impl Row {
    /// Nodes of all positions.
    pub fn nodes(&self) -> u64 {
        self.findings.iter().map(|finding| finding.nodes).sum()
    }

    /// Time of all positions.
    pub fn time(&self) -> Duration {
        self.findings.iter().map(|finding| finding.time).sum()
    }

    /// The completed depths of all positions, plies.
    pub fn depths(&self) -> u32 {
        let last = self
            .findings
            .iter()
            .filter_map(|finding| finding.steps.last());
        last.map(|step| step.depth).sum()
    }

    /// Whether time ran out at a position.
    pub fn stopped(&self) -> bool {
        self.findings.iter().any(|finding| finding.stopped)
    }
}

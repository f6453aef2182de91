//! Whether the algorithms agree, and which one was cheapest.

use catalog::Step;
use engine_core::Score;
use textbook::AnySearch;

use super::{Plan, Row};

/// Different values of exact algorithms for the same position and depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Index of the position, from 0.
    pub position: usize,
    /// The depth, plies.
    pub depth: u32,
    /// The values, each with the algorithms that found it.
    pub values: Vec<(Score, Vec<AnySearch>)>,
}

impl Difference {
    /// Whether the difference must be a fault: two algorithms without a transposition table differ.
    pub fn is_fault(&self) -> bool {
        let plain = |(_, names): &&(Score, Vec<AnySearch>)| names.iter().any(|&a| !a.has_table());
        self.values.iter().filter(plain).count() > 1
    }
}

/// Whether algorithms disagree that must agree.
pub fn has_fault(plan: &Plan, differences: &[Difference]) -> bool {
    !plan.as_played && differences.iter().any(Difference::is_fault)
}

/// All disagreements, at every depth that two exact algorithms completed.
pub fn differences(rows: &[Row]) -> Vec<Difference> {
    let positions = rows.first().map_or(0, |row| row.findings.len());
    let deepest = |position: usize| {
        let depths = rows.iter().filter_map(|row| last(row, position));
        depths.map(|step| step.depth).max().unwrap_or(0)
    };
    let places = (0..positions).flat_map(|at| (1..=deepest(at)).map(move |depth| (at, depth)));
    places
        .filter_map(|(position, depth)| difference(rows, position, depth))
        .collect()
}

fn difference(rows: &[Row], position: usize, depth: u32) -> Option<Difference> {
    let mut values: Vec<(Score, Vec<AnySearch>)> = Vec::new();
    for row in rows.iter().filter(|row| row.algorithm.is_exact()) {
        let Some(step) = at_depth(row, position, depth) else {
            continue;
        };
        match values.iter_mut().find(|(score, _)| *score == step.score) {
            Some((_, found_by)) => found_by.push(row.algorithm),
            None => values.push((step.score, vec![row.algorithm])),
        }
    }
    (values.len() > 1).then_some(Difference {
        position,
        depth,
        values,
    })
}

/// The deepest completed step at a position.
pub fn last(row: &Row, position: usize) -> Option<&Step> {
    row.findings[position].steps.last()
}

fn at_depth(row: &Row, position: usize, depth: u32) -> Option<&Step> {
    let mut steps = row.findings[position].steps.iter();
    steps.find(|step| step.depth == depth)
}

/// The reference for this position and depth: the step of an exact algorithm without a table if
/// there is one, otherwise of the first exact algorithm.
pub fn reference(rows: &[Row], position: usize, depth: u32) -> Option<&Step> {
    let exact = rows.iter().filter(|row| row.algorithm.is_exact());
    let (tables, plain): (Vec<&Row>, Vec<&Row>) = exact.partition(|row| row.algorithm.has_table());
    let mut candidates = plain.into_iter().chain(tables);
    candidates.find_map(|row| at_depth(row, position, depth))
}

/// The exact algorithms that completed the depth at every position with the reference values,
/// fewest nodes first.
pub fn by_nodes(rows: &[Row]) -> Vec<&Row> {
    let equal = |row: &&Row| {
        let same = |position: usize| {
            let step = last(row, position)?;
            Some(reference(rows, position, step.depth)?.score == step.score)
        };
        let all = 0..row.findings.len();
        row.algorithm.is_exact()
            && !row.stopped()
            && all.into_iter().all(|at| same(at) == Some(true))
    };
    let mut found: Vec<&Row> = rows.iter().filter(equal).collect();
    found.sort_by_key(|row| row.nodes());
    found
}

/// The exact algorithms, deepest first.
pub fn by_depth(rows: &[Row]) -> Vec<&Row> {
    let mut found: Vec<&Row> = rows.iter().filter(|row| row.algorithm.is_exact()).collect();
    found.sort_by_key(|row| std::cmp::Reverse(row.depths()));
    found
}

#[cfg(test)]
pub(crate) mod tests;

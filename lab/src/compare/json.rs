//! A comparison as JSON.

use catalog::Finding;
use serde_json::{Value, json};

use super::verdict::{Difference, differences};
use super::{Plan, Row, text};

/// All findings, and the depths at which exact algorithms differ.
pub fn facts(plan: &Plan, rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let positions = plan.positions.iter().zip(&row.findings);
        let findings = positions.map(|(position, finding)| found(position, finding));
        json!({
            "algorithm": row.algorithm.name(),
            "exact": row.algorithm.is_exact(),
            "searches": findings.collect::<Vec<_>>(),
        })
    };
    let differences = differences(rows);
    let differences = differences.iter().map(|found| difference(plan, found));
    json!({
        "game": plan.game.id(),
        "variant": plan.variant,
        "algorithms": rows.iter().map(row).collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    })
}

/// One search; `depth` is the last one completed.
fn found(position: &str, finding: &Finding) -> Value {
    let last = finding.steps.last();
    json!({
        "position": position,
        "depth": last.map_or(0, |step| step.depth),
        "value": last.map(|step| text::value(step.score)),
        "best": last.map(|step| &step.best),
        "stopped": finding.stopped,
        "seldepth": finding.seldepth,
        "nodes": finding.nodes,
        "time_ms": finding.time.as_secs_f64() * 1e3,
    })
}

fn difference(plan: &Plan, found: &Difference) -> Value {
    let value = |(score, by): &(_, Vec<textbook::AnySearch>)| {
        let names: Vec<_> = by.iter().map(|algorithm| algorithm.name()).collect();
        json!({ "value": text::value(*score), "algorithms": names })
    };
    json!({
        "position": plan.positions[found.position],
        "depth": found.depth,
        "values": found.values.iter().map(value).collect::<Vec<_>>(),
    })
}

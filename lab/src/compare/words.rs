//! The conclusions of a comparison as text.

use std::fmt::Write;

use super::text::{grouped, value};
use super::verdict::{self, Difference};
use super::{Plan, Row, SearchLimit};

/// The moves searched, whether the values agree, and the best algorithm.
pub(super) fn verdict(plan: &Plan, rows: &[Row]) -> String {
    let (agreement, best) = (agreement(plan, rows), best(plan, rows));
    format!("{}{agreement}{best}", searched(plan))
}

/// Which moves were searched.
fn searched(plan: &Plan) -> &'static str {
    if plan.as_played {
        "Searched like the game's engines: algorithms with a table search only the game's candidate \
         moves, and do not prove losses.\n"
    } else {
        "Every algorithm searches all moves, not only the game's candidates.\n"
    }
}

/// Maximum number of differences listed.
const MAX_LISTED: usize = 5;

/// Whether the values agree, and possible reasons if not.
fn agreement(plan: &Plan, rows: &[Row]) -> String {
    let mut text = String::new();
    let exact = rows.iter().filter(|row| row.algorithm.is_exact()).count();
    let differences = verdict::differences(rows);
    if exact > 1 && differences.is_empty() {
        let _ = writeln!(
            text,
            "Values agree: {exact} exact algorithms, at every depth that two of them completed."
        );
    }
    for difference in differences.iter().take(MAX_LISTED) {
        let _ = writeln!(text, "{}", describe(difference));
    }
    if differences.len() > MAX_LISTED {
        let _ = writeln!(
            text,
            "… and {} more differences.",
            differences.len() - MAX_LISTED
        );
    }
    text += reason(plan, &differences);
    if rows
        .iter()
        .any(|row| row.algorithm.deepens() && !row.algorithm.is_exact())
    {
        text += "selective prunes moves, so its values may differ.\n";
    }
    if rows.iter().any(|row| !row.algorithm.deepens()) {
        text += "Values of algorithms without iterative deepening have their own scales.\n";
    }
    text
}

/// Why values differ.
fn reason(plan: &Plan, differences: &[Difference]) -> &'static str {
    if differences.is_empty() {
        ""
    } else if verdict::has_fault(plan, differences) {
        "This is a fault: algorithms without a table differ.\n"
    } else if plan.as_played {
        "Possible reasons: candidate moves (other moves are not searched), or table entries from \
         deeper searches that answer for shallower nodes.\n"
    } else {
        "Possible reason: table entries from deeper searches answer for shallower nodes.\n"
    }
}

fn describe(difference: &Difference) -> String {
    let values = difference.values.iter().map(|(score, found_by)| {
        let names: Vec<_> = found_by.iter().map(|algorithm| algorithm.name()).collect();
        format!("{} by {}", value(*score), names.join(", "))
    });
    format!(
        "Values differ at position {}, depth {}: {}.",
        difference.position + 1,
        difference.depth,
        values.collect::<Vec<_>>().join("; ")
    )
}

/// The best algorithm within the limit.
fn best(plan: &Plan, rows: &[Row]) -> String {
    match plan.limit {
        SearchLimit::Depth(depth, _) => fewest(depth, &verdict::by_nodes(rows)),
        SearchLimit::Time(_) | SearchLimit::Nodes(_) => deepest(&verdict::by_depth(rows)),
    }
}

/// The algorithm with the fewest nodes for the same values.
fn fewest(depth: u32, found: &[&Row]) -> String {
    let [first, others @ ..] = found else {
        return format!(
            "Fewest nodes: no exact algorithm completed depth {depth} at every position.\n"
        );
    };
    let times = |row: &&Row| {
        let times = row.nodes() as f64 / first.nodes().max(1) as f64;
        format!("{} {times:.2}", row.algorithm.name())
    };
    let others: Vec<_> = others.iter().map(times).collect();
    let name = first.algorithm.name();
    let mut text = format!(
        "Fewest nodes to depth {depth} with equal values: {name}, {}",
        grouped(first.nodes())
    );
    if !others.is_empty() {
        let _ = write!(text, "; ratio of the others: {}", others.join(", "));
    }
    text + ".\n"
}

/// The deepest algorithm.
fn deepest(found: &[&Row]) -> String {
    let mean = |row: &&Row| {
        let depth = f64::from(row.depths()) / row.findings.len() as f64;
        format!("{} {depth:.1}", row.algorithm.name())
    };
    let found: Vec<_> = found.iter().map(mean).collect();
    if found.is_empty() {
        return String::new();
    }
    format!(
        "Deepest exact algorithms, average plies: {}.\n",
        found.join(", ")
    )
}

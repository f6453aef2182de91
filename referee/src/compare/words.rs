//! What follows from a comparison, in words.

use std::fmt::Write;

use super::text::{grouped, value};
use super::verdict::{self, Difference};
use super::{Budget, Plan, Row, deepens, is_exact};

/// Which moves were searched, whether the values agree, and which algorithm did best.
pub(super) fn verdict(plan: &Plan, rows: &[Row]) -> String {
    let (agreement, best) = (agreement(plan, rows), best(plan, rows));
    format!("{}{agreement}{best}", searched(plan))
}

/// Which moves the searches looked at.
fn searched(plan: &Plan) -> &'static str {
    if plan.as_played {
        "Searched as the game's engines do: methods with a table look at the game's candidates \
         alone, and prove no losses by them.\n"
    } else {
        "Every algorithm looks at all moves: the game's candidates are not asked for.\n"
    }
}

/// So many differences are listed.
const LISTED: usize = 5;

/// Whether the values agree, and why they may not.
fn agreement(plan: &Plan, rows: &[Row]) -> String {
    let mut text = String::new();
    let exact = rows.iter().filter(|row| is_exact(row.algorithm)).count();
    let differences = verdict::differences(rows);
    if exact > 1 && differences.is_empty() {
        let _ = writeln!(
            text,
            "Values agree: {exact} exact algorithms, at every depth that two of them completed."
        );
    }
    for difference in differences.iter().take(LISTED) {
        let _ = writeln!(text, "{}", describe(difference));
    }
    if differences.len() > LISTED {
        let _ = writeln!(
            text,
            "… and {} differences more.",
            differences.len() - LISTED
        );
    }
    text += reason(plan, &differences);
    if rows
        .iter()
        .any(|row| deepens(row.algorithm) && !is_exact(row.algorithm))
    {
        text += "selective leaves moves out, so its values are its own.\n";
    }
    if rows.iter().any(|row| !deepens(row.algorithm)) {
        text += "Values of algorithms that do not deepen are on scales of their own.\n";
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
        "Candidates or the table may do this: some moves are not looked at, and an entry of the \
         table that was searched deeper answers for a shallower node.\n"
    } else {
        "The table may do this: an entry that was searched deeper answers for a shallower node.\n"
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

/// Which algorithm did best within the budget.
fn best(plan: &Plan, rows: &[Row]) -> String {
    match plan.budget {
        Budget::Depth(depth, _) => fewest(depth, &verdict::by_nodes(rows)),
        Budget::Time(_) => deepest(&verdict::by_depth(rows)),
    }
}

/// Which needed fewest nodes for the same values.
fn fewest(depth: u32, found: &[&Row]) -> String {
    let [first, others @ ..] = found else {
        return format!("Fewest nodes: no exact algorithm completed depth {depth} everywhere.\n");
    };
    let times = |row: &&Row| {
        let times = row.nodes() as f64 / first.nodes().max(1) as f64;
        format!("{} {times:.2}", row.algorithm.name())
    };
    let others: Vec<_> = others.iter().map(times).collect();
    let name = first.algorithm.name();
    let mut text = format!(
        "Fewest nodes to depth {depth} among equal values: {name}, {}",
        grouped(first.nodes())
    );
    if !others.is_empty() {
        let _ = write!(text, "; times as many: {}", others.join(", "));
    }
    text + ".\n"
}

/// Which came deepest.
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
        "Deepest of the exact algorithms, plies on average: {}.\n",
        found.join(", ")
    )
}

//! A comparison as tables.

use base::table::render;
use catalog::Finding;
use engine_core::Score;
use textbook::AnySearch;

use super::{Plan, Row, verdict, words};

/// Cell without a value.
const NONE: &str = "–";

/// The table over all positions, the legend, and the conclusions.
pub fn summary(plan: &Plan, rows: &[Row]) -> String {
    let table = match plan.positions.len() {
        1 => position(rows, 0),
        count => format!("All {count} positions\n{}\n", all_positions(rows)),
    };
    format!("{table}\n{LEGEND}{}", words::verdict(plan, rows))
}

/// The table of position number `position`, from 0.
pub fn position(rows: &[Row], position: usize) -> String {
    let line = |row: &Row| {
        let finding = &row.findings[position];
        let step = finding.steps.last();
        let value = step.map_or(NONE.into(), |step| value(step.score));
        let best = step.map_or(NONE.into(), |step| step.best.clone());
        cells(row.algorithm, std::slice::from_ref(finding), value, best)
    };
    let header = header(["value", "best move"]);
    format!("{}\n", render(header, rows.iter().map(line).collect()))
}

/// Totals over all positions. Values and moves cannot be added: they are compared with those of the
/// reference algorithm at the same depth.
fn all_positions(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let places = (0..row.findings.len()).filter_map(|position| {
            let step = verdict::last(row, position).filter(|_| row.algorithm.deepens())?;
            Some((step, verdict::reference(rows, position, step.depth)?))
        });
        let places: Vec<_> = places.collect();
        let of = |count: usize| match places.len() {
            0 => NONE.into(),
            all => format!("{count} of {all}"),
        };
        let values = places.iter().filter(|(a, b)| a.score == b.score).count();
        let moves = places.iter().filter(|(a, b)| a.best == b.best).count();
        cells(row.algorithm, &row.findings, of(values), of(moves))
    };
    let header = header(["same value", "same move"]);
    render(header, rows.iter().map(line).collect())
}

fn header([value, best]: [&str; 2]) -> Vec<String> {
    let names = [
        "",
        "algorithm",
        "depth",
        value,
        best,
        "nodes",
        "nodes/s",
        "time",
        "branching",
        "first cut",
        "table hits",
    ];
    names.map(str::to_owned).into()
}

/// A row with the totals of `findings`.
fn cells(algorithm: AnySearch, findings: &[Finding], value: String, best: String) -> Vec<String> {
    let sum = |part: fn(&Finding) -> u64| findings.iter().map(part).sum::<u64>();
    let seconds: f64 = findings.iter().map(|f| f.time.as_secs_f64()).sum();
    let nodes = sum(|finding| finding.nodes);
    let share = |part: u64, of: u64| match of {
        0 => NONE.into(),
        _ => format!("{:.1} %", 100.0 * part as f64 / of as f64),
    };
    vec![
        String::new(),
        algorithm.name().into(),
        depths(findings),
        value,
        best,
        grouped(nodes),
        grouped((nodes as f64 / seconds.max(1e-6)) as u64),
        format!("{seconds:.3} s"),
        branching(findings).map_or(NONE.into(), |factor| format!("{factor:.2}")),
        share(
            sum(|f| f.counters.first_cutoffs),
            sum(|f| f.counters.cutoffs),
        ),
        share(sum(|f| f.counters.hits), sum(|f| f.counters.probes)),
    ]
}

/// The completed depths, `2` or `2–4`, and the number of searches that ran out of time.
fn depths(findings: &[Finding]) -> String {
    let depth = |finding: &Finding| finding.steps.last().map_or(0, |step| step.depth);
    let (low, high) = findings
        .iter()
        .map(depth)
        .fold((u32::MAX, 0), |(low, high), depth| {
            (low.min(depth), high.max(depth))
        });
    let range = if low < high {
        format!("{low}–{high}")
    } else {
        high.to_string()
    };
    match findings.iter().filter(|finding| finding.stopped).count() {
        0 => range,
        1 if findings.len() == 1 => format!("stopped, {range}"),
        stopped => format!("{stopped} stopped, {range}"),
    }
}

/// The effective branching factor, as defined in [`LEGEND`].
fn branching(findings: &[Finding]) -> Option<f64> {
    let logs: Vec<f64> = findings.iter().filter_map(growth).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// Mean log ratio of the nodes of successive iterations, computed from the first and the last one.
fn growth(finding: &Finding) -> Option<f64> {
    let [first, .., last] = &finding.steps[..] else {
        return None;
    };
    let before = &finding.steps[finding.steps.len() - 2];
    let last_nodes = (last.nodes - before.nodes).max(1) as f64;
    let first_nodes = first.nodes.max(1) as f64;
    Some((last_nodes / first_nodes).ln() / (last.depth - first.depth) as f64)
}

/// Explanation of the columns.
const LEGEND: &str = "\
depth: completed plies, `stopped` if time ran out; nodes and time: totals over all depths.
branching: effective branching factor, the geometric mean of the node ratio of successive iterations.
first cut: share of beta cutoffs by the first move. table hits: share of table probes that hit.
";

/// A score as text.
pub(super) fn value(score: Score) -> String {
    format!("{score:?}")
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let tail = tail.as_bytes().chunks(3).map(String::from_utf8_lossy);
    let head = (!head.is_empty()).then(|| head.into());
    head.into_iter().chain(tail).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;

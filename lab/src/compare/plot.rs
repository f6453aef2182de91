//! A plot of nodes against depth.

use std::ops::Range;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::{Plan, Row};
use crate::plot::{COLOURS, SIZE, adapted, integer_label};

/// Nodes needed to complete each depth, from depth 1.
type Curve = Vec<(u32, u64)>;

/// Plots one SVG line per algorithm; algorithms with equal node counts share a line.
///
/// # Errors
/// No algorithm completed any depth at every position.
pub fn svg(plan: &Plan, rows: &[Row]) -> Result<String> {
    let curves = curves(rows);
    if curves.is_empty() {
        return Err(anyhow!("no algorithm completed a depth at every position"));
    }
    let mut text = String::new();
    draw(plan, &curves, &mut text).map_err(|error| anyhow!("{error}"))?;
    Ok(adapted(text))
}

/// The curves, each with the names of the algorithms that share it.
fn curves(rows: &[Row]) -> Vec<(String, Curve)> {
    let mut curves: Vec<(String, Curve)> = Vec::new();
    for row in rows.iter().filter(|row| row.algorithm.deepens()) {
        let curve = curve(row);
        let name = row.algorithm.name();
        match curves.iter_mut().find(|(_, known)| *known == curve) {
            _ if curve.is_empty() => {}
            Some((names, _)) => *names += &format!(", {name}"),
            None => curves.push((name.to_owned(), curve)),
        }
    }
    curves
}

/// Node sums over all positions, up to the depth that every search completed. A search that ended
/// with a proof needs no more nodes at greater depths.
fn curve(row: &Row) -> Curve {
    let depths = |finding: &catalog::Finding| finding.steps.last().map_or(0, |step| step.depth);
    let open = row.findings.iter().filter(|finding| finding.stopped);
    let deepest = row.findings.iter().map(depths).max().unwrap_or(0);
    let end = open.map(depths).min().unwrap_or(deepest);
    let nodes = |depth: u32| {
        let at = |finding: &catalog::Finding| {
            let steps = finding.steps.iter();
            steps
                .take_while(|step| step.depth <= depth)
                .last()
                .map_or(0, |step| step.nodes)
        };
        (depth, row.findings.iter().map(at).sum::<u64>())
    };
    (1..=end).map(nodes).collect()
}

fn draw(
    plan: &Plan,
    curves: &[(String, Curve)],
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let (depths, nodes) = ranges(curves);
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title(plan), ("sans-serif", 22))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(90)
        .build_cartesian_2d(depths.clone(), nodes.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("depth, plies")
        .y_desc("nodes")
        .x_labels(depths.end as usize + 1)
        .x_label_formatter(&|depth| integer_label(*depth))
        .y_label_formatter(&|nodes| format!("{nodes:.0}"))
        .label_style(("sans-serif", 15))
        .draw()?;
    for (index, (names, curve)) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let points = curve
            .iter()
            .map(|&(depth, nodes)| (f64::from(depth), nodes.max(1) as f64));
        let line = LineSeries::new(points, colour.stroke_width(2)).point_size(3);
        chart
            .draw_series(line)?
            .label(names)
            .legend(move |(x, y)| Rectangle::new([(x, y - 2), (x + 18, y + 1)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(("sans-serif", 15))
        .draw()?;
    area.present()?;
    Ok(())
}

/// Axis ranges that include all points, with a margin.
fn ranges(curves: &[(String, Curve)]) -> (Range<f64>, Range<f64>) {
    let points = || curves.iter().flat_map(|(_, curve)| curve);
    let deepest = points().map(|&(depth, _)| depth).max().unwrap_or(1);
    let least = points().map(|&(_, nodes)| nodes).min().unwrap_or(1).max(1);
    let most = points().map(|&(_, nodes)| nodes).max().unwrap_or(1);
    let nodes = least as f64 / 1.5..most as f64 * 1.5;
    (0.9..f64::from(deepest) + 0.1, nodes)
}

fn title(plan: &Plan) -> String {
    let count = plan.positions.len();
    let positions = if count == 1 { "position" } else { "positions" };
    format!(
        "{}: nodes to complete a depth, {count} {positions}",
        plan.game.name()
    )
}

#[cfg(test)]
mod tests;

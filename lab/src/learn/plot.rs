//! A plot of loss and strength by iterations.

use std::ops::Range;

use anyhow::{Result, anyhow};
use learning::Progress;
use plotters::coord::Shift;
use plotters::prelude::*;
use stats::Estimate;

use super::text::elo;
use crate::plot::{COLOURS, adapted, integer_label};

/// Width and height, pixels.
const SIZE: (u32, u32) = (960, 640);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The loss on new positions and, if it was measured, the difference in Elo, each over the
/// iterations, as SVG.
///
/// # Errors
/// There are no iterations.
pub fn svg(title: &str, progress: &[Progress]) -> Result<String> {
    if progress.is_empty() {
        return Err(anyhow!("no iterations to plot"));
    }
    let mut text = String::new();
    draw(title, progress, &mut text).map_err(|error| anyhow!("{error}"))?;
    Ok(adapted(text))
}

fn draw(
    title: &str,
    progress: &[Progress],
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let area = area.titled(title, ("sans-serif", 22))?;
    let iterations = 0.5..progress.len() as f64 + 0.5;
    let losses: Vec<(f64, f64)> = (progress.iter())
        .map(|step| (f64::from(step.iteration), step.loss))
        .collect();
    let strengths: Vec<(f64, Estimate)> = (progress.iter())
        .filter_map(|step| Some((f64::from(step.iteration), elo(step.strength?)?)))
        .collect();
    if strengths.is_empty() {
        draw_losses(&area, &losses, iterations)?;
    } else {
        let parts = area.split_evenly((2, 1));
        draw_losses(&parts[0], &losses, iterations.clone())?;
        draw_strengths(&parts[1], &strengths, iterations)?;
    }
    area.present()?;
    Ok(())
}

/// A range that includes all numbers, with a margin.
fn range(numbers: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let least = numbers.clone().fold(f64::INFINITY, f64::min);
    let most = numbers.fold(f64::NEG_INFINITY, f64::max);
    let margin = (0.08 * (most - least)).max(1e-3);
    least - margin..most + margin
}

fn draw_losses(
    area: &Area<'_>,
    losses: &[(f64, f64)],
    iterations: Range<f64>,
) -> Result<(), Box<dyn std::error::Error>> {
    let losses_range = range(losses.iter().map(|&(_, loss)| loss));
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(90)
        .build_cartesian_2d(iterations, losses_range)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("iteration")
        .y_desc("loss on new positions, nats")
        .x_label_formatter(&|iteration| integer_label(*iteration))
        .y_label_formatter(&|loss| format!("{loss:.3}"))
        .label_style(("sans-serif", 15))
        .draw()?;
    let line = LineSeries::new(losses.iter().copied(), COLOURS[0].stroke_width(2)).point_size(3);
    chart.draw_series(line)?;
    Ok(())
}

fn draw_strengths(
    area: &Area<'_>,
    strengths: &[(f64, Estimate)],
    iterations: Range<f64>,
) -> Result<(), Box<dyn std::error::Error>> {
    let ends =
        |&(_, Estimate { value, error }): &(f64, Estimate)| [value - error, value + error, 0.0];
    let elo_range = range(strengths.iter().flat_map(ends));
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(90)
        .build_cartesian_2d(iterations.clone(), elo_range)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("iteration")
        .y_desc("Elo against the engine without it")
        .x_label_formatter(&|iteration| integer_label(*iteration))
        .y_label_formatter(&|elo| match elo.round() {
            0.0 => "0".to_owned(),
            elo => format!("{elo:+.0}"),
        })
        .label_style(("sans-serif", 15))
        .draw()?;
    let level = [(iterations.start, 0.0), (iterations.end, 0.0)];
    chart.draw_series(LineSeries::new(level, BLACK.mix(0.5).stroke_width(1)))?;
    let bars = strengths
        .iter()
        .map(|&(iteration, Estimate { value, error })| {
            let ends = [(iteration, value - error), (iteration, value + error)];
            PathElement::new(ends, COLOURS[1].stroke_width(2))
        });
    chart.draw_series(bars)?;
    let values = strengths
        .iter()
        .map(|&(iteration, elo)| (iteration, elo.value));
    chart.draw_series(LineSeries::new(values, COLOURS[1].stroke_width(2)).point_size(3))?;
    Ok(())
}

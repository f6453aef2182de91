//! A plot of the parameters over the iterations.

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use crate::plot::{COLOURS, SIZE, adapted};
use crate::tune::checkpoint::Checkpoint;
use crate::tune::config::{Tuned, Tuning};

/// Plots the values of all parameters as SVG, each in its range.
///
/// # Errors
/// The plot cannot be drawn.
pub fn svg(tuning: &Tuning, checkpoint: &Checkpoint) -> Result<String> {
    let mut text = String::new();
    draw(tuning, checkpoint, &mut text).map_err(|error| anyhow!("{error}"))?;
    Ok(adapted(text))
}

/// A parameter's name, and iterations with the share of its range.
type Curve = (String, Vec<(f64, f64)>);

fn curves(tuning: &Tuning, checkpoint: &Checkpoint) -> Vec<Curve> {
    let path: Vec<(u64, Vec<f64>)> = checkpoint.path().collect();
    let curve = |(index, tuned): (usize, &Tuned)| {
        let dimension = tuned.dimension;
        let share = |value: f64| (value - dimension.min) / (dimension.max - dimension.min);
        let points = path
            .iter()
            .map(|(iteration, values)| (*iteration as f64, share(values[index])));
        let last = path
            .last()
            .map_or(dimension.start, |(_, values)| values[index]);
        let label = format!(
            "{} {:.4} to {last:.4}",
            tuned.parameter.name, dimension.start
        );
        (label, points.collect())
    };
    tuning.parameters.iter().enumerate().map(curve).collect()
}

fn draw(
    tuning: &Tuning,
    checkpoint: &Checkpoint,
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let title = format!("{}: parameters in their ranges", tuning.name);
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 22))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..checkpoint.iteration.max(1) as f64, 0.0..1.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("iterations")
        .y_desc("share of the range")
        .x_label_formatter(&|iteration| format!("{iteration:.0}"))
        .y_label_formatter(&|share| format!("{share:.1}"))
        .label_style(("sans-serif", 15))
        .draw()?;
    for (index, (label, points)) in curves(tuning, checkpoint).into_iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(label)
            .legend(move |(x, y)| Rectangle::new([(x, y - 2), (x + 18, y + 1)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.7))
        .label_font(("sans-serif", 13))
        .draw()?;
    area.present()?;
    Ok(())
}
